#pragma once

#include <cmath>
#include <cstdint>

namespace idne {

/// A step of Adam with its bias correction folded into `rate`, as TensorFlow writes it.
struct Adam {
  float rate;
  float decay_mean = 0.9f;
  float decay_variance = 0.999f;
  float epsilon = 1e-8f;

  /// One value, with its two moments. What adam_words() does for many at once, up to rounding.
  void step(float gradient, float& value, float& mean, float& variance) const {
    mean = decay_mean * mean + (1 - decay_mean) * gradient;
    variance = decay_variance * variance + (1 - decay_variance) * gradient * gradient;
    value -= rate * mean / (std::sqrt(variance) + epsilon);
  }
};

/// The rate of step 0, 1 …: the learning rate times the factor that corrects the moments' start at zero.
inline float adam_rate(double learning_rate, std::uint64_t step) {
  const auto t = static_cast<double>(step + 1);
  return static_cast<float>(learning_rate * std::sqrt(1 - std::pow(0.999, t)) / (1 - std::pow(0.9, t)));
}

}  // namespace idne
