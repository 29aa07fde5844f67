#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <xxhash.h>

#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

#include "idne/error.h"
#include "idne/model.h"
#include "temp_folder.h"
#include "tiny_model.h"

/// Files of a tiny model, and what load() has to say about them.
namespace idne {

inline std::string tiny_file() {
  const TempFolder folder;
  tiny_model().save(folder.path("m.idne"));
  return folder.read("m.idne");
}

/// What load() has to say about a file; fails the test unless it is one line that begins with the file's name.
inline std::string complaint(const std::filesystem::path& file) {
  try {
    Model::load(file);
  } catch (const Error& error) {
    const std::string what = error.what();
    EXPECT_TRUE(what.starts_with(file.string() + ": ")) << what;
    EXPECT_EQ(what.find('\n'), std::string::npos) << what;
    return what;
  }
  ADD_FAILURE() << "no Error";
  return "";
}
/// A file with a header of our choice and the checksum that fits.
inline std::string sealed(std::string header, const std::string& data) {
  header.resize((header.size() + 7) / 8 * 8, ' ');
  std::string file(8, '\0');
  const std::uint64_t length = header.size();
  std::memcpy(file.data(), &length, sizeof length);
  file += header + data;
  const std::string key = "\"checksum\":\"xxh3:", zeros(16, '0');
  if (const std::size_t at = file.find(key); at != std::string::npos) {
    file.replace(at + key.size(), zeros.size(), zeros);
    file.replace(at + key.size(), zeros.size(), fmt::format("{:016x}", XXH3_64bits(file.data(), file.size())));
  }
  return file;
}

/// The tiny model's file in parts that can be made to lie.
struct Forgery {
  nlohmann::json header;
  std::string data;

  Forgery() {
    const std::string file = tiny_file();
    std::uint64_t length = 0;
    std::memcpy(&length, file.data(), sizeof length);
    header = nlohmann::json::parse(file.substr(8, length));
    data = file.substr(8 + length);
  }

  nlohmann::json& operator[](const std::string& tensor) { return header.at(tensor); }
  nlohmann::json& metadata() { return header.at("__metadata__"); }
  std::string file() const { return sealed(header.dump(), data); }

  /// Overwrites one value of a tensor.
  template <class T>
  void set(const std::string& tensor, std::size_t index, T value) {
    const std::size_t begin = header.at(tensor).at("data_offsets").at(0);
    std::memcpy(data.data() + begin + index * sizeof value, &value, sizeof value);
  }
  /// Takes a tensor's bytes out, gives it others, and lays the file out anew, without holes.
  void replace(const std::string& tensor, const std::string& type, nlohmann::json shape, const std::string& bytes) {
    const std::map<std::string, int> order{{"I64", 0}, {"F32", 1}, {"I32", 2}, {"U8", 3}};
    std::multimap<int, std::pair<std::string, std::string>> parts;
    for (auto& [name, entry] : header.items()) {
      if (name == "__metadata__" || name == tensor) continue;
      const std::size_t begin = entry.at("data_offsets").at(0), end = entry.at("data_offsets").at(1);
      parts.emplace(order.at(entry.at("dtype")), std::pair(name, data.substr(begin, end - begin)));
    }
    header.erase(tensor);
    if (!type.empty()) {
      header[tensor] = {{"dtype", type}, {"shape", std::move(shape)}};
      parts.emplace(order.at(type), std::pair(tensor, bytes));
    }
    data.clear();
    for (const auto& [rank, part] : parts) {
      header[part.first]["data_offsets"] = {data.size(), data.size() + part.second.size()};
      data += part.second;
    }
  }
  void remove(const std::string& tensor) { replace(tensor, "", {}, ""); }
};

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}
}  // namespace idne
