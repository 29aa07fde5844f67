#include "corpus/left_out.h"

#include "corpus/lines.h"
#include "text/strings.h"

namespace idne {

LeftOut::LeftOut(const std::filesystem::path& file) {
  if (file.empty()) return;
  BlockReader reader(file);
  for (Block block; reader.next(block);) {
    for_each_line(block, [&](std::string_view id, std::uint64_t) {
      ids_.add(id);
      if (trimmed(id) != id && !trimmed(id).empty()) trimmed_.add(trimmed(id));
    });
  }
}

}  // namespace idne
