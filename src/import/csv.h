#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "corpus/blocks.h"
#include "idne/error.h"

namespace idne {

/// Reads the rows of a CSV file as RFC 4180 has them, holding little more than a row: fields may be
/// in quotes, with separators, line breaks and doubled quotes inside. Blank lines are passed over.
class CsvReader {
 public:
  /// What is wrong with a row, not with reading the file.
  struct BadRow : Error {
    using Error::Error;
  };

  CsvReader(const std::filesystem::path& file, char separator);

  /// The next row; false at the end. Throws BadRow for a quote that is not closed, or closed in the middle of a field.
  bool next(std::vector<std::string>& fields);
  /// Goes on behind the line with that quote: rows that it would have taken in are read.
  void skip_line();
  /// The line of the file in which that row begins.
  std::uint64_t line() const { return row_line_; }
  const BlockReader& file() const { return reader_; }

 private:
  bool more();
  bool more_of_field();
  void read_row(std::vector<std::string>& fields);
  void read_plain(std::string& field);
  void read_quoted(std::string& field);

  BlockReader reader_;
  char separator_;
  Block block_;
  std::size_t at_ = 0;        ///< in block_
  std::size_t row_size_ = 0;  ///< bytes of the row so far
  std::uint64_t line_ = 1, row_line_ = 0;
};

}  // namespace idne
