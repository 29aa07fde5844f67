#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace idne {

/// How far a request has come in.
struct RequestState {
  enum class Kind { Incomplete, Whole, Refused } kind = Kind::Incomplete;
  std::size_t size = 0;           ///< of a whole request, in bytes
  int status = 0;                 ///< of a refusal
  std::string why;                ///< and its reason
  bool expects_continue = false;  ///< an incomplete one, whose client waits for a word before it sends the body
};

/// Looks at what has come in so far. Only what is needed to find a request's end is read; the rest is for a real
/// parser.
RequestState look_at_request(std::string_view bytes, std::size_t most_header, std::size_t most_body);

}  // namespace idne
