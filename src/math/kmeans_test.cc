#include "math/kmeans.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <vector>

#include "math/random.h"
#include "math/unit.h"
#include "with_threads.h"

namespace idne {
namespace {

constexpr std::size_t kWidth = 24, kEach = 20;

/// `groups` bundles of unit vectors around random directions, one after the other.
std::vector<float> bundles(std::size_t groups, float noise) {
  Random random(5, Purpose::Generate, 0);
  std::vector<float> rows;
  for (std::size_t g = 0; g < groups; ++g) {
    std::vector<float> centre(kWidth);
    for (float& value : centre) value = random.truncated_normal();
    for (std::size_t n = 0; n < kEach; ++n) {
      for (const float value : centre) rows.push_back(value + noise * random.truncated_normal());
    }
  }
  rows_to_unit_length(rows, kWidth, 1);
  return rows;
}

MatrixView view_of(const std::vector<float>& rows) { return {rows.data(), rows.size() / kWidth, kWidth}; }

/// Row i begins in cluster i modulo `used`, of so many clusters.
Clusters in_turns(const std::vector<float>& rows, std::size_t clusters, std::size_t used) {
  Clusters start{clusters, std::vector<std::uint32_t>(view_of(rows).rows)};
  for (std::size_t i = 0; i < start.of_row.size(); ++i) start.of_row[i] = static_cast<std::uint32_t>(i % used);
  return start;
}

TEST(SphericalKMeans, EachBundleIsACluster) {
  const auto rows = bundles(6, 0.2f);
  Clusters start = in_turns(rows, 6, 6);
  for (std::size_t g = 0; g < 6; ++g) {  // half of each bundle is where it belongs
    for (std::size_t n = 0; n < kEach / 2; ++n) start.of_row[g * kEach + n] = static_cast<std::uint32_t>(g);
  }
  const Clusters found = spherical_kmeans(view_of(rows), start, {});
  EXPECT_EQ(found.sizes(), std::vector<std::size_t>(6, kEach));
  for (std::size_t i = 0; i < found.of_row.size(); ++i) EXPECT_EQ(found.of_row[i], found.of_row[i / kEach * kEach]);
}

TEST(SphericalKMeans, ClustersWithoutRowsGetHalfOfTheLoosest) {
  const auto rows = bundles(3, 0.1f);
  EXPECT_EQ(spherical_kmeans(view_of(rows), in_turns(rows, 3, 1), {}).sizes(), std::vector<std::size_t>(3, kEach));
  for (const std::size_t size : spherical_kmeans(view_of(rows), in_turns(rows, 12, 3), {}).sizes()) {
    EXPECT_GT(size, 0u) << "no bundle is left for it, but half of one";
  }
}

TEST(SphericalKMeans, EveryRowIsWithTheCentreThatItIsNearest) {
  const auto rows = bundles(10, 1.0f);
  const Clusters found = spherical_kmeans(view_of(rows), in_turns(rows, 7, 7), {});
  std::vector<float> centres = found.sums(view_of(rows), 1);
  rows_to_unit_length(centres, kWidth, 1);
  std::size_t elsewhere = 0;
  for (std::size_t i = 0; i < view_of(rows).rows; ++i) {
    std::vector<double> cosines(7);
    for (std::size_t k = 0; k < 7; ++k) {
      for (std::size_t c = 0; c < kWidth; ++c) cosines[k] += rows[i * kWidth + c] * centres[k * kWidth + c];
    }
    elsewhere += cosines[found.of_row[i]] < *std::max_element(cosines.begin(), cosines.end()) - 1e-5;
  }
  EXPECT_LE(elsewhere, 4u) << "at rest, or almost, after so many rounds";
}

TEST(SphericalKMeans, MoreClustersThanRowsLeaveSomeEmpty) {
  const auto rows = bundles(1, 0.5f);
  const auto sizes = spherical_kmeans(view_of(rows), in_turns(rows, 50, 1), {}).sizes();
  EXPECT_EQ(sizes.size(), 50u);
  EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}), kEach);
}

TEST(SphericalKMeans, TheSameAtAnyNumberOfThreads) {
  const auto rows = bundles(30, 0.7f);
  const auto one = spherical_kmeans(view_of(rows), in_turns(rows, 12, 12), {});
  for (const int threads : {2, 3}) {
    EXPECT_EQ(one.of_row, spherical_kmeans(view_of(rows), in_turns(rows, 12, 12), with_threads(threads)).of_row);
  }
}

TEST(SphericalKMeans, StopsWhenToldTo) {
  const auto rows = bundles(30, 0.7f);
  for (const int stage : {0, 3}) {
    std::atomic<int> asked{0};
    idne::Run run = with_threads(2);
    run.stopped = [&] { return asked++ >= stage; };
    EXPECT_THROW(spherical_kmeans(view_of(rows), in_turns(rows, 12, 12), run), Interrupted);
  }
}

}  // namespace
}  // namespace idne
