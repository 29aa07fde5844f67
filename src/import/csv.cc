#include "import/csv.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <unordered_set>

#include "idne/import.h"
#include "import/files.h"
#include "import/html_encoding.h"
#include "import/pieces.h"
#include "import/whole_number.h"
#include "text/dates.h"
#include "text/numbers.h"

namespace idne {

CsvReader::CsvReader(const std::filesystem::path& file, char separator)
    : reader_(file, open_unpacked(file)), separator_(separator) {}

bool CsvReader::more() {
  if (at_ < block_.text.size()) return true;
  at_ = 0;
  return reader_.next(block_);
}

/// Behind what is there, which stays: who finds no end of a quoted field goes back to its beginning.
bool CsvReader::more_of_field() {
  if (at_ < block_.text.size()) return true;
  Block behind;
  if (!reader_.next(behind)) return false;
  block_.text += behind.text;
  return true;
}

bool CsvReader::next(std::vector<std::string>& fields) {
  do {
    fields.clear();
    if (!more()) return false;
    row_line_ = line_;
    read_row(fields);
  } while (fields.size() == 1 && trimmed(fields[0]).empty());
  return true;
}

void CsvReader::skip_line() {
  if (!more()) return;
  at_ = std::min(block_.text.find('\n', at_), block_.text.size() - 1) + 1;
  ++line_;
}

void CsvReader::read_row(std::vector<std::string>& fields) {
  row_size_ = 0;
  for (;;) {
    std::string& field = fields.emplace_back();
    if (more() && block_.text[at_] == '"') {
      read_quoted(field);
    } else {
      read_plain(field);
    }
    if (!more()) return;
    if (block_.text[at_++] == separator_) continue;
    ++line_;
    return;
  }
}

/// Up to the separator or the line's end, which the block holds: it has whole lines.
void CsvReader::read_plain(std::string& field) {
  if (!more()) return;
  const std::array<char, 2> ends{separator_, '\n'};
  const std::size_t end =
      std::min(block_.text.find_first_of(std::string_view(ends.data(), ends.size()), at_), block_.text.size());
  const bool line_ends = end == block_.text.size() || block_.text[end] == '\n';
  const bool return_too = line_ends && end > at_ && block_.text[end - 1] == '\r';
  field.assign(block_.text, at_, end - at_ - (return_too ? 1 : 0));
  at_ = end;
}

void CsvReader::read_quoted(std::string& field) {
  constexpr std::size_t kLongestRow = std::size_t{64} << 20;
  const std::uint64_t opened = line_;
  const std::size_t begin = at_;
  const auto fault = [&](std::uint64_t line, const char* what) {
    at_ = begin;
    line_ = opened;
    return BadRow(reader_.name(), line, what);
  };
  ++at_;
  for (bool open = true; open;) {
    if (!more_of_field()) throw fault(opened, "a quote that begins here is never closed");
    const std::string_view text = block_.text;
    const std::size_t quote = std::min(text.find('"', at_), text.size());
    const std::string_view inside = text.substr(at_, quote - at_);
    field += inside;
    line_ += static_cast<std::uint64_t>(std::count(inside.begin(), inside.end(), '\n'));
    row_size_ += inside.size();
    if (row_size_ > kLongestRow) {
      throw fault(opened, "a quote that begins here is not closed within 64 MB");
    }
    at_ = quote;
    if (at_ == text.size()) continue;
    open = text.substr(at_).starts_with("\"\"");
    if (open) field += '"';
    at_ += open ? 2 : 1;
  }
  if (!more()) return;
  const std::string_view rest = std::string_view(block_.text).substr(at_);
  if (rest == "\r" || rest.starts_with("\r\n")) ++at_;
  if (more() && block_.text[at_] != separator_ && block_.text[at_] != '\n') {
    throw fault(line_, "a quote ends in the middle of a field; a quote inside quotes is written twice");
  }
}

namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

struct Columns {
  std::size_t id = kNone, title = kNone, labels = kNone, links = kNone, groups = kNone, date = kNone;
  std::vector<std::size_t> text;
};

/// The names of the columns in an error's words, not all of them if they are many.
std::string shown(const std::vector<std::string>& header) {
  constexpr std::size_t kShown = 20;
  std::string names;
  for (std::size_t column = 0; column < std::min(kShown, header.size()); ++column) {
    names.append(column == 0 ? "" : ", ").append(header[column]);
  }
  return header.size() > kShown ? names + " …" : names;
}

/// As a shell and --separator take it.
std::string shown(char separator) {
  if (separator == '\t') return "tab";
  return separator == ',' ? "," : fmt::format("'{}'", separator);
}

char separator_of(const std::filesystem::path& file, const CsvOptions& options) {
  return options.separator.value_or(without_packing(file).extension() == ".tsv" ? '\t' : ',');
}

class Importer {
 public:
  Importer(const std::filesystem::path& file, const CsvOptions& options, ImportCounts& counts)
      : options_(options), counts_(counts), reader_(file, separator_of(file, options)), name_(reader_.file().name()) {
    read_header();
  }

  void run(CorpusWriter& out, const Run& run) {
    std::vector<std::string> row;
    while (next(row)) {
      try {
        check_fields(row);
        add(row, out);
      } catch (const Error&) {
        if (!options_.skip_bad) throw;
        counts_.add(kBad);
      }
      constexpr std::uint64_t kNowAndThen = 256;
      if (rows_ % kNowAndThen != 0) continue;
      run.check();
      run.report({"read rows", std::min(reader_.file().bytes_read(), reader_.file().bytes()), reader_.file().bytes()});
    }
  }

 private:
  static constexpr std::string_view kBad = "rows with an error, passed over";

  bool next(std::vector<std::string>& row) {
    while (true) {
      try {
        return reader_.next(row);
      } catch (const CsvReader::BadRow&) {
        if (!options_.skip_bad) throw;
        counts_.add(kBad);
        reader_.skip_line();
      }
    }
  }

  void check_fields(std::vector<std::string>& row) {
    if (row.size() != header_.size()) {
      throw Error(name_, reader_.line(),
                  fmt::format("{}, but the first line names {}", counted(row.size(), "field", "fields"),
                              counted(header_.size(), "column", "columns")));
    }
    bool other = false;
    for (std::string& field : row) {
      if (is_utf8(field)) continue;
      field = from_windows_1252(field);
      other = true;
    }
    if (other) counts_.add("rows that are no UTF-8, taken for Windows-1252");
  }

  void read_header() {
    if (!reader_.next(header_))
      throw Error(fmt::format("{}: is empty; a first line with column names is needed", name_));
    for (std::string& column : header_) {
      if (column.find('\0') != std::string::npos) {
        throw Error(name_, reader_.line(), "the column names are no UTF-8; save the file as UTF-8");
      }
      column = trimmed(is_utf8(column) ? column : from_windows_1252(column));
    }
    columns_.id = find(options_.id);
    columns_.title = find(options_.title);
    columns_.labels = find(options_.labels);
    columns_.links = find(options_.links);
    columns_.groups = find(options_.groups);
    columns_.date = options_.date.empty() ? usual_date() : find(options_.date);
    for (const std::string& column : options_.text) columns_.text.push_back(find(column));
  }

  std::size_t find(const std::string& column) const {
    if (column.empty()) return kNone;
    const auto found = std::find(header_.begin(), header_.end(), column);
    if (found != header_.end()) {
      if (std::find(found + 1, header_.end(), column) != header_.end()) {
        throw Error(name_, reader_.line(), fmt::format("two columns are named {}; give the number of one", column));
      }
      return static_cast<std::size_t>(found - header_.begin());
    }
    const auto number = whole_number(column);
    if (number && *number >= 1 && *number <= std::ssize(header_)) {
      check_separator();
      return static_cast<std::size_t>(*number) - 1;
    }
    throw Error(name_, reader_.line(),
                fmt::format("no column {}; there are: {}{}", column, shown(header_), other_separator()));
  }

  /// What to try if all columns are taken for one.
  std::string other_separator() const {
    if (header_.size() > 1) return "";
    for (const char other : {';', '\t', ',', '|'}) {
      if (header_[0].find(other) != std::string::npos) return fmt::format("; try --separator {}", shown(other));
    }
    return "";
  }

  /// Whole lines become texts if the separator is wrong; who names it has thought of it.
  void check_separator() const {
    const std::string other = options_.separator ? std::string() : other_separator();
    if (other.empty()) return;
    throw Error(name_, reader_.line(),
                fmt::format("only one column: {}{}, or --separator {} if it is one", header_[0], other,
                            shown(separator_of(name_, options_))));
  }

  /// A column named "date", if there is one and no other purpose for it.
  std::size_t usual_date() const {
    const auto is_date = [](const std::string& column) { return lower_ascii(column) == "date"; };
    if (std::count_if(header_.begin(), header_.end(), is_date) != 1) return kNone;
    return static_cast<std::size_t>(std::find_if(header_.begin(), header_.end(), is_date) - header_.begin());
  }

  void add(const std::vector<std::string>& row, CorpusWriter& out) {
    ++rows_;
    ImportedDocument document;
    document.id = columns_.id == kNone ? fmt::format("{}", rows_) : std::string(trimmed(row[columns_.id]));
    check_id(document.id);
    if (columns_.title != kNone) document.title = on_one_line(row[columns_.title]);
    for (const std::size_t column : columns_.text) {
      if (trimmed(row[column]).empty()) continue;
      document.text.append(document.text.empty() ? "" : "\n").append(row[column]);
    }
    document.labels = list(row, columns_.labels);
    document.links = list(row, columns_.links);
    document.groups = list(row, columns_.groups);
    if (columns_.date != kNone) {
      document.date = trimmed(row[columns_.date]);
      if (document.date.ends_with(".0")) document.date.resize(document.date.size() - 2);  // years beside empty cells
      if (!document.date.empty() && !date_number(document.date)) counts_.add("dates that cannot be read");
    }
    if (document.text.empty()) counts_.add("rows without text");
    out.add(document);
  }

  /// With broken characters replaced, as they are written: two ids may become one.
  void check_id(std::string& id) {
    id = valid_utf8(id);
    if (id.empty()) throw Error(name_, reader_.line(), "the id is empty");
    if (columns_.id == kNone) return;
    if (!ids_.insert(id).second) throw Error(name_, reader_.line(), fmt::format("the id {} was there before", id));
  }

  std::vector<std::string> list(const std::vector<std::string>& row, std::size_t column) const {
    if (column == kNone) return {};
    const std::string_view text = row[column];
    const std::string_view separator = options_.list_separator;
    std::vector<std::string> values;
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = separator.empty() ? text.size() : std::min(text.find(separator, begin), text.size());
      if (std::string value = on_one_line(text.substr(begin, end - begin)); !value.empty()) values.push_back(value);
      begin = end + std::max<std::size_t>(1, separator.size());
    }
    return values;
  }

  const CsvOptions& options_;
  ImportCounts& counts_;
  CsvReader reader_;
  std::string name_;
  std::vector<std::string> header_;
  Columns columns_;
  std::unordered_set<std::string> ids_;
  std::uint64_t rows_ = 0;
};

}  // namespace

void import_csv(const std::filesystem::path& file, const CsvOptions& options, CorpusWriter& out, ImportCounts& counts,
                const Run& run) {
  Importer(file, options, counts).run(out, run);
}

}  // namespace idne
