#include "corpus/blocks.h"

#include <fmt/format.h>
#include <simdjson.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include "idne/error.h"

namespace idne {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Plain files and .gz: zlib reads both.
class GzipSource : public BlockReader::Source {
 public:
  explicit GzipSource(std::string name) : name_(std::move(name)), file_(gzopen(name_.c_str(), "rb")) {
    if (!file_) throw Error(fmt::format("{}: cannot open: {}", name_, std::strerror(errno)));
    gzbuffer(file_, 1 << 17);
  }
  ~GzipSource() override { gzclose(file_); }
  std::size_t read(char* out, std::size_t size) override {
    const int n = gzread(file_, out, static_cast<unsigned>(size));
    int code = Z_OK;
    const char* message = gzerror(file_, &code);
    if (n < 0 || (n == 0 && code != Z_OK && code != Z_STREAM_END)) {
      throw Error(fmt::format("{}: cannot read: {}", name_, code == Z_ERRNO ? std::strerror(errno) : message));
    }
    return static_cast<std::size_t>(n);
  }
  std::uint64_t position() const override { return static_cast<std::uint64_t>(std::max<z_off_t>(0, gzoffset(file_))); }
  bool seek(std::uint64_t to) override {
    return gzdirect(file_) && gzseek(file_, static_cast<z_off_t>(to), SEEK_SET) == static_cast<z_off_t>(to);
  }

 private:
  std::string name_;
  gzFile file_;
};

class ZstdSource : public BlockReader::Source {
 public:
  explicit ZstdSource(std::string name)
      : name_(std::move(name)),
        file_(std::fopen(name_.c_str(), "rb"), &std::fclose),
        stream_(ZSTD_createDStream(), &ZSTD_freeDStream) {
    if (!file_) throw Error(fmt::format("{}: cannot open: {}", name_, std::strerror(errno)));
    buffer_.resize(ZSTD_DStreamInSize());
    input_ = {buffer_.data(), 0, 0};
  }
  std::size_t read(char* out, std::size_t size) override {
    ZSTD_outBuffer output{out, size, 0};
    while (output.pos == 0) {
      if (input_.pos == input_.size) {
        input_.size = std::fread(buffer_.data(), 1, buffer_.size(), file_.get());
        input_.pos = 0;
        if (std::ferror(file_.get())) throw Error(fmt::format("{}: cannot read: {}", name_, std::strerror(errno)));
        if (input_.size == 0) {
          if (pending_ != 0) throw Error(name_ + ": cannot read: the compressed file is cut off");
          return 0;
        }
        position_ += input_.size;
      }
      pending_ = ZSTD_decompressStream(stream_.get(), &output, &input_);
      if (ZSTD_isError(pending_)) {
        throw Error(fmt::format("{}: cannot read: {}", name_, ZSTD_getErrorName(pending_)));
      }
    }
    return output.pos;
  }
  std::uint64_t position() const override { return position_; }

 private:
  std::string name_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream_;
  std::vector<char> buffer_;
  ZSTD_inBuffer input_{};
  std::size_t pending_ = 0;
  std::uint64_t position_ = 0;
};

}  // namespace

std::unique_ptr<BlockReader::Source> BlockReader::open(const std::filesystem::path& path) {
  std::error_code none;
  if (std::filesystem::is_directory(path, none)) throw Error(path.string() + ": is a folder; a file is needed here");
  if (path.extension() == ".zst") return std::make_unique<ZstdSource>(path.string());
  return std::make_unique<GzipSource>(path.string());
}

BlockReader::BlockReader(const std::filesystem::path& path, std::size_t block_bytes, std::size_t longest_line)
    : BlockReader(path, open(path), block_bytes, longest_line) {}

BlockReader::BlockReader(const std::filesystem::path& path, std::unique_ptr<Source> source, std::size_t block_bytes,
                         std::size_t longest_line)
    : name_(path.string()), block_bytes_(block_bytes), longest_line_(longest_line), source_(std::move(source)) {
  std::error_code none;
  if (std::filesystem::is_regular_file(path, none)) bytes_ = std::filesystem::file_size(path, none);
}

BlockReader::BlockReader(const std::filesystem::path& path, const Part& part, std::size_t block_bytes)
    : BlockReader(path, open(path), block_bytes) {
  part_ = part;
  if (part.count <= 1) return;
  const std::uint64_t begin = bytes_ * part.number / part.count;
  part_end_ = bytes_ * (part.number + 1) / part.count;
  seeks_ = source_->seek(begin > 0 ? begin - 1 : 0);
  if (!seeks_) return;
  line_ = part.first_line;
  at_ = begin;
  if (begin == 0) return;
  // The line that the part begins in is the part's before, up to its end, which may be just here.
  first_ = false;
  --at_;
  std::string piece(std::size_t{1} << 16, '\0');
  for (;;) {
    const std::size_t size = source_->read(piece.data(), piece.size());
    const std::size_t end = std::string_view(piece).substr(0, size).find('\n');
    if (end != std::string::npos) {
      at_ += end + 1;
      break;
    }
    at_ += size;
    if (size == 0) break;
  }
  source_->seek(at_);
  ended_ = at_ >= part_end_;
}

std::uint64_t BlockReader::lines_of(const std::filesystem::path& path, const Part& part) {
  BlockReader reader(path, part);
  if (part.count > 1 && !reader.seeks_) return 0;
  Block block;
  while (reader.next(block)) {
  }
  return reader.line_ - part.first_line;
}

std::uint64_t BlockReader::bytes_read() const { return source_->position(); }

bool BlockReader::next(Block& block) {
  if (part_.count <= 1) return next_of_all(block);
  if (seeks_) {
    if (ended_ && rest_.empty()) return false;
    if (!next_of_all(block)) return false;
    cut_to_part(block);
    return true;
  }
  for (;;) {
    const std::uint64_t at = std::min(source_->position(), bytes_ > 0 ? bytes_ - 1 : 0);
    if (!next_of_all(block)) return false;
    if (bytes_ == 0 || at * part_.count / bytes_ == part_.number) return true;
  }
}

void BlockReader::cut_to_part(Block& block) {
  const std::uint64_t begin = at_;
  at_ += block.text.size();
  if (at_ < part_end_) return;
  const std::size_t last = block.text.find('\n', part_end_ - 1 - begin);
  if (last != std::string::npos) {
    const auto rest = block.text.begin() + static_cast<std::ptrdiff_t>(last + 1);
    line_ -= static_cast<std::uint64_t>(std::count(rest, block.text.end(), '\n'));
    block.text.erase(rest, block.text.end());
  }
  ended_ = true;
  rest_.clear();
}

bool BlockReader::next_of_all(Block& block) {
  block.text = std::move(rest_);
  rest_.clear();
  block.first_line = line_;
  std::size_t line_end = std::string::npos;
  while (!ended_ && line_end == std::string::npos) {
    const std::size_t before = block.text.size();
    block.text.resize(before + block_bytes_);
    std::size_t size = before;
    while (size < block.text.size()) {
      const std::size_t n = source_->read(block.text.data() + size, block.text.size() - size);
      if (n == 0) {
        ended_ = true;
        break;
      }
      size += n;
    }
    block.text.resize(size);
    if (first_) {
      first_ = false;
      if (block.text.starts_with("\xFF\xFE") || block.text.starts_with("\xFE\xFF")) {
        throw Error(name_ + ": the file is UTF-16; save it as UTF-8");
      }
      if (block.text.starts_with(kByteOrderMark)) {
        block.text.erase(0, kByteOrderMark.size());
        at_ += kByteOrderMark.size();
      }
    }
    const std::size_t found = std::string_view(block.text).substr(std::min(before, block.text.size())).rfind('\n');
    if (found != std::string_view::npos) line_end = before + found;  // else the line is longer than the block: read on
    if (line_end == std::string::npos && block.text.size() > longest_line_) {
      throw Error(name_, line_,
                  fmt::format("the line has more than {} bytes; one document is needed on each line", longest_line_));
    }
  }
  if (!ended_) {
    rest_ = block.text.substr(line_end + 1);
    block.text.resize(line_end + 1);
  }
  line_ += static_cast<std::uint64_t>(std::count(block.text.begin(), block.text.end(), '\n'));
  block.text.reserve(block.text.size() + simdjson::SIMDJSON_PADDING);
  return !block.text.empty();
}

}  // namespace idne
