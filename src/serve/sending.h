#pragma once

#include <httplib.h>

#include <string>

#include "serve/fixed_answer.h"

namespace idne {

/// Sends an answer, packed to those who take that.
void send_fixed(const FixedAnswer& answer, const httplib::Request& request, httplib::Response& response);

/// The same for JSON that is made now; it is packed only if it is long enough for that to be worth the time.
void send_json(const std::string& text, const httplib::Request& request, httplib::Response& response);

}  // namespace idne
