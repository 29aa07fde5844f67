#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <type_traits>

#include "corpus/reader.h"
#include "text/shared_table.h"

namespace idne {
namespace {

namespace fs = std::filesystem;

std::vector<std::string_view> fields(std::string_view line) {
  std::vector<std::string_view> result;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find('\t', begin), line.size());
    result.push_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return result;
}

}  // namespace

/// A line of a TSV file, its ids looked up: here, or later where documents are spread.
struct Reader::Row {
  std::optional<std::uint32_t> first, second;
  IdHash first_hash, second_hash;  ///< those that are looked up later
  float weight = 1;
  std::uint64_t line = 0;
  bool left_out = false;  ///< it names a document that is not wanted
  struct Names {
    std::string first, second;  ///< those that no document has, as far as their names are needed
    std::string group;
  };
  std::unique_ptr<Names> names;  ///< most rows have none, and there are many rows

  Names& some_names() {
    if (!names) names = std::make_unique<Names>();
    return *names;
  }
  std::string_view name(std::string Names::*which) const { return names ? std::string_view((*names).*which) : ""; }
};

void Reader::resolve_mentions() {
  std::vector<std::uint32_t> numbers;  // of link_ids_
  if (ranks_) {
    std::vector<IdHash> hashes;
    for (const std::string_view id : link_ids_.strings()) hashes.push_back(hash_of(id));
    numbers = directory_->find(hashes);
  }
  all_or_none(ranks_, [&] {
    for (const Mention& m : link_mentions_) {
      const std::string_view id = link_ids_[m.name];
      std::optional<std::uint32_t> to;
      if (!ranks_) {
        to = number_of(id);
      } else if (numbers[m.name] != IdDirectory::kNone) {
        to = numbers[m.name];
      }
      add_link(global(m.document), to, id, {0, 0, 1, true, m.line, Collection::kByFirst}, documents_file_);
    }
  });
  link_mentions_ = std::vector<Mention>();
  link_ids_ = {};
  if (ranks_) to_owners(links_);
  if (!ranks_) return;
  for (Edge& edge : memberships_) edge.a = global(edge.a);
}

/// The number of a document; where those outside are kept, a new one for each of them.
std::optional<std::uint32_t> Reader::number_of(std::string_view id) {
  const auto found = collection_.ids.find(id);
  if (found || !options_.keep_outside) return found;
  return static_cast<std::uint32_t>(collection_.ids.size()) + collection_.outside.add(id);
}

void Reader::add_link(std::optional<std::uint32_t> a, std::optional<std::uint32_t> b, std::string_view name, Edge edge,
                      const fs::path& file) {
  if (!a || !b) {
    drop(file, edge.line, fmt::format("a link to the unknown id \"{}\"", name), collection_.dropped.unknown_links);
  } else if (*a == *b) {
    drop(file, edge.line, fmt::format("a link from \"{}\" to itself", ranks_ ? name : collection_.id_of(*a)),
         collection_.dropped.self_links);
  } else {
    edge.a = std::min(*a, *b), edge.b = std::max(*a, *b);
    if (edge.in_documents && *a > *b) edge.owners = Collection::kBySecond;
    links_.push_back(edge);
  }
}

/// Looks up a document, or keeps what it takes to do so when all ids are known to somebody.
void Reader::find(std::string_view id, bool second, Row& row) const {
  std::optional<std::uint32_t>& number = second ? row.second : row.first;
  row.left_out = row.left_out || left_out_.contains(id);
  if (ranks_) {
    (second ? row.second_hash : row.first_hash) = hash_of(id);
  } else {
    number = collection_.ids.find(id);
  }
  if (ranks_ ? options_.strict : !number) (second ? row.some_names().second : row.some_names().first) = id;
}

Reader::Row Reader::link_row(std::string_view text, const std::string& file, std::uint64_t line) const {
  const auto part = fields(text);
  if (part.size() < 2 || part.size() > 3 || part[0].empty() || part[1].empty()) {
    throw Error(file, line, "two ids with a tab between them, and perhaps a tab and a weight, are needed");
  }
  Row row;
  row.line = line;
  find(part[0], false, row);
  find(part[1], true, row);
  if (part.size() == 3) {
    const auto [end, error] = std::from_chars(part[2].data(), part[2].data() + part[2].size(), row.weight);
    if (error != std::errc() || end != part[2].data() + part[2].size() ||
        !(row.weight > 0 && row.weight <= kMostLinkWeight)) {
      throw Error(
          file, line,
          fmt::format("the weight \"{}\" must be a number above 0, and at most {:g}", part[2], kMostLinkWeight));
    }
  }
  return row;
}

Reader::Row Reader::group_row(std::string_view text, const std::string& file, std::uint64_t line) const {
  const auto part = fields(text);
  if (part.size() != 2 || part[0].empty() || part[1].empty()) {
    throw Error(file, line, "an id and a group with a tab between them are needed");
  }
  Row row;
  row.line = line;
  row.some_names().group = part[1];
  find(part[0], false, row);
  return row;
}

void Reader::read_rows(const fs::path& path, std::string_view stage, RowParser parse,
                       const std::function<void(Row&&)>& take) {
  const std::string file = path.string();
  const BlockReader::Part part = own_part(path);
  all_or_none(ranks_, [&] {
    BlockReader reader(path, part);
    for_each_block<std::vector<Row>>(
        reader, stage, run_,
        [&](const Block& block, Worker&, std::vector<Row>& rows) {
          for_each_line(block, [&](std::string_view text, std::uint64_t line) {
            Row row = (this->*parse)(text, file, line);
            if (!row.left_out) rows.push_back(std::move(row));
          });
        },
        [&](std::vector<Row>&& rows) {
          for (Row& row : rows) take(std::move(row));
        });
  });
}

/// Numbers of the documents that rows name, where these are spread: some rows at a time, so that little is on its way
/// at once. A meeting of all.
void Reader::resolve(std::deque<Row>& rows, bool both) const {
  constexpr std::size_t kAtOnce = std::size_t{1} << 17;
  for (std::size_t begin = 0; any_of(*ranks_, begin < rows.size()); begin += kAtOnce) {
    const std::size_t first = std::min(begin, rows.size()), last = std::min(begin + kAtOnce, rows.size());
    std::vector<IdHash> hashes;
    for (std::size_t n = first; n < last; ++n) {
      hashes.push_back(rows[n].first_hash);
      if (both) hashes.push_back(rows[n].second_hash);
    }
    const std::vector<std::uint32_t> numbers = directory_->find(hashes);
    auto next = numbers.begin();
    const auto take = [&](std::optional<std::uint32_t>& number) {
      if (*next != IdDirectory::kNone) number = *next;
      ++next;
    };
    for (std::size_t n = first; n < last; ++n) {
      take(rows[n].first);
      if (both) take(rows[n].second);
    }
  }
}

void Reader::read_links() {
  using Names = Row::Names;
  std::deque<Row> waiting;
  const auto add = [&](const Row& row) {
    const bool first_unknown = !row.first || row.first == row.second;
    add_link(row.first, row.second, row.name(first_unknown ? &Names::first : &Names::second),
             {0, 0, row.weight, false, row.line, Collection::kByFile}, links_file_);
  };
  std::vector<Edge> of_documents;
  if (ranks_) of_documents.swap(links_);
  read_rows(links_file_, "reading links", &Reader::link_row, [&](Row&& row) {
    if (ranks_) {
      waiting.push_back(std::move(row));
      return;
    }
    if (options_.keep_outside && !row.first) row.first = number_of(row.name(&Names::first));
    if (options_.keep_outside && !row.second) row.second = number_of(row.name(&Names::second));
    add(row);
  });
  if (!ranks_) return;
  resolve(waiting, true);
  all_or_none(ranks_, [&] {
    for (; !waiting.empty(); waiting.pop_front()) add(waiting.front());
  });
  to_owners(links_);
  links_.insert(links_.begin(), of_documents.begin(), of_documents.end());
}

void Reader::read_groups() {
  using Names = Row::Names;
  std::deque<Row> waiting;
  StringTable names;  // of this file's part, until all have the same
  std::vector<Edge> found;
  const auto add = [&](const Row& row) {
    if (row.first) {
      found.push_back({*row.first, names.add(row.name(&Names::group)), 1, false, row.line, Collection::kByFile});
    } else {
      drop(groups_file_, row.line, fmt::format("a member with the unknown id \"{}\"", row.name(&Names::first)),
           collection_.dropped.unknown_members);
    }
  };
  read_rows(groups_file_, "reading groups", &Reader::group_row, [&](Row&& row) {
    if (ranks_) {
      waiting.push_back(std::move(row));
      return;
    }
    if (!row.first && options_.keep_outside) row.first = number_of(row.name(&Names::first));
    add(row);
  });
  if (ranks_) {
    resolve(waiting, false);
    all_or_none(ranks_, [&] {
      for (; !waiting.empty(); waiting.pop_front()) add(waiting.front());
    });
  }
  // Those of the documents' records come first, as one process would number them.
  StringTable& groups = collection_.groups;
  const std::size_t same = groups.size();
  std::vector<std::uint32_t> number;
  for (const std::string_view name : names.strings()) number.push_back(groups.add(name));
  if (ranks_) {
    const std::vector<std::uint32_t> shared = share_table(*ranks_, groups, same);
    for (std::uint32_t& group : number) group = shared[group];
  }
  for (Edge& edge : found) edge.b = number[edge.b];
  memberships_.insert(memberships_.end(), found.begin(), found.end());
}

/// Sends each edge to the rank that has its first document, in the order of ranks. A meeting of all.
void Reader::to_owners(std::vector<Edge>& edges) const {
  std::vector<Packer> to(ranks_->size());
  for (const Edge& edge : edges) to[collection_.spread->owner(edge.a)].add(edge);
  edges.clear();
  for (const Bytes& bytes : exchange_packed(*ranks_, to)) {
    for (Unpacker from(bytes); !from.done();) edges.push_back(from.next<Edge>());
  }
}

/// Sorted by their ends, the first of each kept.
template <class Kept>
std::vector<Kept> Reader::distinct(std::vector<Edge>& edges, const fs::path& tsv, const std::string& what,
                                   std::uint64_t& repeats, std::vector<std::uint8_t>& owners) {
  const auto same = [](const Edge& x, const Edge& y) { return x.a == y.a && x.b == y.b; };
  std::stable_sort(edges.begin(), edges.end(),
                   [](const Edge& x, const Edge& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
  std::vector<Kept> kept;
  kept.reserve(edges.size());
  const Edge* first_repeat = nullptr;
  for (std::size_t k = 0; k < edges.size(); ++k) {
    if (k > 0 && same(edges[k - 1], edges[k])) {
      ++repeats;
      owners.back() |= edges[k].owners;
      const auto place = [](const Edge& e) { return std::pair(!e.in_documents, e.line); };
      if (!first_repeat || place(edges[k]) < place(*first_repeat)) first_repeat = &edges[k];
      continue;
    }
    owners.push_back(edges[k].owners);
    if constexpr (std::is_same_v<Kept, Link>) {
      kept.push_back({edges[k].a, edges[k].b, edges[k].weight});
    } else {
      kept.push_back({edges[k].a, edges[k].b});
    }
  }
  if (options_.strict && first_repeat) {
    throw Error((first_repeat->in_documents ? documents_file_ : tsv).string(), first_repeat->line, what);
  }
  edges = std::vector<Edge>();
  return kept;
}

void Reader::finish_network() {
  Dropped& dropped = collection_.dropped;
  if (ranks_) to_owners(memberships_);
  all_or_none(ranks_, [&] {
    collection_.links =
        distinct<Link>(links_, links_file_, "a repeated link", dropped.repeated_links, collection_.link_owners);
    collection_.memberships = distinct<Membership>(memberships_, groups_file_, "a repeated membership",
                                                   dropped.repeated_members, collection_.own_memberships);
  });
  if (!ranks_) return;
  std::array counts{dropped.unknown_links,    dropped.self_links,       dropped.repeated_links, dropped.unknown_members,
                    dropped.repeated_members, dropped.unreadable_dates, dropped.left_out};
  ranks_->add_up(counts);
  dropped = {counts[0], counts[1], counts[2], counts[3], counts[4], counts[5], counts[6]};
}

}  // namespace idne
