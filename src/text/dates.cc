#include "text/dates.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "text/strings.h"

namespace idne {
namespace {

/// So many digits at the front as a number; they are taken away.
std::optional<std::int64_t> take_digits(std::string_view& text, std::size_t count) {
  if (text.size() < count || !std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(count),
                                          [](char c) { return is_ascii_digit(c); })) {
    return {};
  }
  std::int64_t number = 0;
  for (std::size_t k = 0; k < count; ++k) number = 10 * number + (text[k] - '0');
  text.remove_prefix(count);
  return number;
}

bool is_time(std::string_view text) {
  if (!text.starts_with('T') && !text.starts_with('t') && !text.starts_with(' ')) return false;
  text = trimmed(text.substr(1));
  return !text.empty() && is_ascii_digit(text[0]) &&
         text.find_first_not_of("0123456789:.,+-Zz UTCGM") == std::string_view::npos;
}

std::int64_t days_of(std::int64_t year, std::int64_t month) {
  constexpr std::array<std::int64_t, 12> kDays{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return kDays[static_cast<std::size_t>(month - 1)] + (month == 2 && leap ? 1 : 0);
}

std::optional<std::int64_t> checked(std::int64_t year, std::int64_t month, std::int64_t day) {
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > days_of(year, month)) return {};
  return year * 10000 + month * 100 + day;
}

}  // namespace

std::optional<std::int64_t> date_number(std::string_view text) {
  text = trimmed(text);
  const auto year = take_digits(text, 4);
  if (!year || *year < 1) return {};
  if (text.empty()) return *year * 10000;
  const char between = text[0];
  const bool compact = is_ascii_digit(between);
  if (!compact) {
    if (between != '-' && between != '/') return {};
    text.remove_prefix(1);
  }
  const auto month = take_digits(text, 2);
  if (!month || *month < 1 || *month > 12) return {};
  if (text.empty()) return compact ? std::nullopt : std::optional(*year * 10000 + *month * 100);  // 201503: what is it?
  if (!compact) {
    if (text[0] != between) return {};
    text.remove_prefix(1);
  }
  const auto day = take_digits(text, 2);
  if (!day || (!text.empty() && !is_time(text))) return {};
  return checked(*year, *month, *day);
}

std::string iso_date(std::int64_t date) {
  const std::int64_t year = date / 10000, month = date / 100 % 100, day = date % 100;
  if (month == 0) return fmt::format("{:04}", year);
  if (day == 0) return fmt::format("{:04}-{:02}", year, month);
  return fmt::format("{:04}-{:02}-{:02}", year, month, day);
}

}  // namespace idne
