#pragma once

#include <string>
#include <string_view>

namespace idne {

/// The header by which handlers learn what the client's Accept-Encoding was.
inline constexpr const char* kEncodings = "Idne-Accept-Encoding";

/// A request's head, with the empty line at its end, without the headers that no handler uses. httplib would act on
/// some of them by itself, in ways that let one request take all memory (ranges that overlap multiply an answer, packed
/// bodies grow without bound) or that are not wanted (100 Continue a second time, forms taken apart, answers packed
/// anew each time). For a head that look_at_request() found whole.
std::string kept_head(std::string_view head);

/// The addresses of all X-Forwarded-For headers, as one list.
std::string forwarded_for(std::string_view request);

/// Whether the client of a whole request sends no other one on this connection: it waits for the answer's end.
bool is_last_request(std::string_view request);

}  // namespace idne
