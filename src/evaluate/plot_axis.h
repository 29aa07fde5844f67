#pragma once

#include <string>
#include <vector>

namespace idne {

struct Tick {
  double value;
  std::string label;
};

/// Where the values of an axis lie between two pixels, and what is written beside it.
class Axis {
 public:
  /// An axis from one round number to another around the values. Without values it has no ticks.
  static Axis rounded(const std::vector<double>& values, double from_pixel, double to_pixel);
  /// An axis that begins and ends with the values. Its ticks are the values themselves if there is room for them, else
  /// round numbers: of a logarithmic axis, powers of 2 or 10. Logarithmic: all values have to be above 0.
  static Axis fitted(std::vector<double> values, bool logarithmic, double from_pixel, double to_pixel);

  double pixel(double value) const;
  const std::vector<Tick>& ticks() const { return ticks_; }

 private:
  Axis(double low, double high, bool logarithmic, double from_pixel, double to_pixel);

  double low_, high_;  ///< of a logarithmic axis, logarithms
  bool logarithmic_;
  double from_pixel_, to_pixel_;
  std::vector<Tick> ticks_;
};

}  // namespace idne
