#include "text/shared_table.h"

namespace idne {

std::vector<std::uint32_t> share_table(Ranks& ranks, StringTable& table, std::size_t same) {
  Packer own;
  for (std::size_t n = same; n < table.size(); ++n) own.add_text(table[n]);
  StringTable all;
  for (std::size_t n = 0; n < same; ++n) all.add(table[n]);
  for (const Bytes& bytes : ranks.all_gather(own.bytes())) {
    for (Unpacker from(bytes); !from.done();) all.add(from.next_text());
  }
  std::vector<std::uint32_t> number;
  number.reserve(table.size());
  for (const std::string_view text : table.strings()) number.push_back(*all.find(text));
  table = std::move(all);
  return number;
}

}  // namespace idne
