#pragma once

#include <httplib.h>

#include <string>
#include <string_view>

#include "serve/fixed_answer.h"

namespace idne {

/// Whether a client that says this under Accept-Encoding takes gzip: by its name or by `*`, and not with a weight of 0.
bool takes_gzip(std::string_view accepted);

/// Sends an answer, packed to those who take that.
void send_fixed(const FixedAnswer& answer, const httplib::Request& request, httplib::Response& response);

/// The same for JSON that is made now; it is packed only if it is long enough for that to be worth the time.
void send_json(const std::string& text, const httplib::Request& request, httplib::Response& response);

}  // namespace idne
