#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace idne {

/// How far a request has come in.
struct RequestState {
  enum class Kind { Incomplete, Whole, Refused } kind = Kind::Incomplete;
  std::size_t size = 0;           ///< of the whole request, in bytes; 0 as long as its head is not there
  int status = 0;                 ///< of a refusal
  std::string why;                ///< and its reason
  bool expects_continue = false;  ///< an incomplete one, whose client waits for a word before it sends the body
};

/// Looks at what has come in so far, and finds the request's end; the rest is for a real parser. A head that others
/// could read in another way (RFC 9112, section 11.2) is refused: a proxy in front might see other requests in it.
RequestState look_at_request(std::string_view bytes, std::size_t most_header, std::size_t most_body);

/// A line of a head: its name and its value. For a head that look_at_request() found whole.
struct HeaderLine {
  std::string_view name, value;
};
/// Takes the first line, with its end, off `lines`.
HeaderLine take_header_line(std::string_view& lines);

}  // namespace idne
