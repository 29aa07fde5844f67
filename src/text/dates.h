#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace idne {

/// A date as a number, year · 10000 + month · 100 + day, in which an unknown day or month is 0. Understands ISO 8601:
/// YYYY, YYYY-MM, YYYY-MM-DD, YYYYMMDD, slashes for hyphens, and a time behind the day, which is passed over. Nothing
/// for a date that there is not, such as a 30th of February.
std::optional<std::int64_t> date_number(std::string_view text);

/// "2015-03-04", "2015-03" or "2015". REQUIRES: a number as above.
std::string iso_date(std::int64_t date);

}  // namespace idne
