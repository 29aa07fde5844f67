#include "evaluate/plot_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "text/numbers.h"

namespace idne {
namespace {

constexpr double kWidthOfDigit = 7, kGapOfLabels = 10;

/// 1, 2 or 5 times a power of ten, so that about so many steps fill the span.
double nice_step(double span, double steps) {
  const double raw = span / steps, power = std::pow(10, std::floor(std::log10(raw)));
  for (const double factor : {1, 2, 5}) {
    if (raw <= factor * power * (1 + 1e-9)) return factor * power;
  }
  return 10 * power;
}

/// A number as people write it: "0.05", "20,000", "1e+09".
std::string plain_label(double value) {
  const bool ordinary = value == 0 || (std::abs(value) >= 1e-4 && std::abs(value) < 999999.5);
  const std::string text = fmt::format("{:.6g}", value);
  if (ordinary) return with_commas(text);
  return std::abs(value) < 1e8 && value == std::round(value) ? with_commas(fmt::format("{:.0f}", value))
                                                             : fmt::format("{:.4g}", value);
}

/// The multiples of a step from low to high, all with the decimals that the step needs.
std::vector<Tick> multiples(double low, double high, double step) {
  const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
  const double first = std::ceil(low / step - 1e-6) * step;
  std::vector<Tick> ticks;
  for (int k = 0; k < 20; ++k) {
    const double value = first + k * step;
    if (value > high + step * 1e-6) break;
    const double shown = std::abs(value) < step * 1e-6 ? 0 : value;
    const bool ordinary = decimals <= 6 && std::abs(value) < 1e8;
    ticks.push_back({shown, ordinary ? with_commas(fmt::format("{:.{}f}", shown, decimals)) : plain_label(shown)});
  }
  return ticks;
}

/// Powers of 2, or of 10 where there would be many.
std::vector<Tick> powers(double low, double high) {
  const double base = high / low > 1500 ? 10 : 2;
  const int first = static_cast<int>(std::ceil(std::log(low) / std::log(base) - 1e-6));
  const int last = static_cast<int>(std::floor(std::log(high) / std::log(base) + 1e-6));
  const int stride = std::max(1, (last - first + 9) / 10);
  std::vector<Tick> ticks;
  for (int exponent = first; exponent <= last; exponent += stride) {
    const double value = std::pow(base, exponent);
    ticks.push_back({value, plain_label(value)});
  }
  return ticks;
}

double label_width(const Tick& tick) { return kWidthOfDigit * static_cast<double>(tick.label.size()); }

/// Low and high, apart even if the values are one.
std::pair<double, double> span_of(const std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const double size = std::max(std::abs(*least), std::abs(*most));
  if (*most - *least > 1e-9 * size) return {*least, *most};
  const double margin = size > 0 ? 0.05 * size : 1;
  return {*least - margin, *most + margin};
}

}  // namespace

Axis::Axis(double low, double high, bool logarithmic, double from_pixel, double to_pixel)
    : low_(logarithmic ? std::log(low) : low),
      high_(logarithmic ? std::log(high) : high),
      logarithmic_(logarithmic),
      from_pixel_(from_pixel),
      to_pixel_(to_pixel) {}

Axis Axis::rounded(const std::vector<double>& values, double from_pixel, double to_pixel) {
  const auto [low, high] = values.empty() ? std::pair(0.0, 1.0) : span_of(values);
  const double step = nice_step(high - low, 6);
  Axis axis(std::floor(low / step + 1e-6) * step, std::ceil(high / step - 1e-6) * step, false, from_pixel, to_pixel);
  if (!values.empty()) axis.ticks_ = multiples(axis.low_, axis.high_, step);
  return axis;
}

Axis Axis::fitted(std::vector<double> values, bool logarithmic, double from_pixel, double to_pixel) {
  constexpr std::size_t kFewValues = 12;
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  const auto [low, high] = values.empty() ? std::pair(1.0, 2.0) : span_of(values);
  Axis axis(low, high, logarithmic, from_pixel, to_pixel);
  if (values.empty()) return axis;
  if (values.size() <= kFewValues) {
    for (const double value : values) axis.ticks_.push_back({value, plain_label(value)});
    bool room = true;
    for (std::size_t k = 1; k < axis.ticks_.size(); ++k) {
      const Tick &left = axis.ticks_[k - 1], &right = axis.ticks_[k];
      const double apart = axis.pixel(right.value) - axis.pixel(left.value);
      room = room && apart >= (label_width(left) + label_width(right)) / 2 + kGapOfLabels;
    }
    if (room) return axis;
  }
  axis.ticks_ = logarithmic ? powers(low, high) : std::vector<Tick>();
  if (axis.ticks_.size() < 2) axis.ticks_ = multiples(low, high, nice_step(high - low, 7));
  return axis;
}

double Axis::pixel(double value) const {
  const double place = ((logarithmic_ ? std::log(value) : value) - low_) / (high_ - low_);
  return from_pixel_ + place * (to_pixel_ - from_pixel_);
}

}  // namespace idne
