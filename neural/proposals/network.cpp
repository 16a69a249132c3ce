// SPDX-License-Identifier: Apache-2.0
#include "neural/proposals/network.h"

#include <algorithm>
#include <span>

#include "neural/model/kernels.h"
#include "neural/model/layers.h"

namespace komuz::neural {
namespace {

// Rows of inputs to a layer. Each ends with a 1, for the layer's summands.
class LayerRows {
 public:
  LayerRows(u32 count, u32 width)
      : count_(count), width_(width), numbers_(size_t{count} * (width + 1)) {
    for (u32 r = 0; r < count; ++r) row(r)[width] = 1;
  }
  [[nodiscard]] f32* row(u32 r) { return &numbers_[size_t{r} * (width_ + 1)]; }
  [[nodiscard]] const f32* row(u32 r) const { return &numbers_[size_t{r} * (width_ + 1)]; }
  [[nodiscard]] u32 count() const { return count_; }
  [[nodiscard]] u32 width() const { return width_; }

 private:
  u32 count_, width_;
  Numbers numbers_;
};

// [rows][the layer's outputs, in whole panels]
struct Made {
  u32 width = 0;
  Numbers numbers;
  [[nodiscard]] std::span<const f32> row(u32 r) const {
    return std::span(numbers).subspan(size_t{r} * width, width);
  }
};
Made through(const Kernels& run, const ProposalLayer& layer, const LayerRows& rows, Finish finish) {
  Made made{.width = layer.matrix.outputs,
            .numbers = Numbers(size_t{rows.count()} * layer.matrix.outputs)};
  multiply(run, rows.row(0), rows.count(), layer.matrix, made.numbers.data(), finish);
  return made;
}

void add(f32* sum, std::span<const f32> numbers) {
  for (size_t i = 0; i < numbers.size(); ++i) sum[i] += numbers[i];
}
void divide(f32* numbers, u32 width, u32 by) {
  for (u32 i = 0; i < width; ++i) numbers[i] /= static_cast<f32>(by);
}

// A row for each case and variable.
LayerRows first_rows(const NumericCases& cases) {
  const auto n = static_cast<u32>(cases.variables.size());
  LayerRows rows(cases.count() * n, 2 * kScalarFeatures);
  const std::vector<f32> expected = scalar_features(cases.expected);
  for (u32 v = 0; v < n; ++v) {
    const std::vector<f32> own = scalar_features(cases.variables[v]);
    for (u32 k = 0; k < cases.count(); ++k) {
      f32* const row = rows.row(k * n + v);
      std::copy_n(&own[size_t{k} * kScalarFeatures], kScalarFeatures, row);
      std::copy_n(&expected[size_t{k} * kScalarFeatures], kScalarFeatures, row + kScalarFeatures);
    }
  }
  return rows;
}

LayerRows copied(const Made& made, u32 rows) {
  LayerRows out(rows, made.width);
  for (u32 r = 0; r < rows; ++r) std::ranges::copy(made.row(r), out.row(r));
  return out;
}

}  // namespace

std::vector<f32> place_shares(const ProposalNetwork& network, const NumericCases& cases,
                              SimdLevel level) {
  const Kernels& run = kernels(level);
  const auto n = static_cast<u32>(cases.variables.size());
  const u32 d = network.d, all = cases.count() * n;
  Made made = through(run, network.first, first_rows(cases), Finish::Relu);
  made = through(run, network.second, copied(made, all), Finish::Relu);
  // Beside each vector stands the mean of those of its case.
  LayerRows beside(all, 2 * d);
  for (u32 k = 0; k < cases.count(); ++k) {
    Numbers mean(d);
    for (u32 v = 0; v < n; ++v) add(mean.data(), made.row(k * n + v));
    divide(mean.data(), d, n);
    for (u32 v = 0; v < n; ++v) {
      std::ranges::copy(made.row(k * n + v), beside.row(k * n + v));
      std::ranges::copy(mean, beside.row(k * n + v) + d);
    }
  }
  made = through(run, network.third, beside, Finish::Relu);
  const FitFeatures fits = fit_features(cases);
  LayerRows variables(n, d + 2 * kFits);
  for (u32 v = 0; v < n; ++v) {
    f32* const row = variables.row(v);
    for (u32 k = 0; k < cases.count(); ++k) add(row, made.row(k * n + v));
    divide(row, d, cases.count());
    std::copy_n(&fits.slopes[size_t{v} * 2 * kFits], 2 * kFits, row + d);
  }
  const Made vectors = through(run, network.variable, variables, Finish::Relu);
  LayerRows whole(1, 2 * d + 2 * kFits + kMostProposalVariables + 1);
  f32* const mean = whole.row(0);
  f32* const most = mean + d;
  for (u32 v = 0; v < n; ++v) {
    add(mean, vectors.row(v));
    for (u32 i = 0; i < d; ++i) most[i] = std::max(most[i], vectors.row(v)[i]);
  }
  divide(mean, d, n);
  std::copy_n(fits.rests, 2 * kFits, most + d);
  most[d + 2 * kFits + n] = 1;
  const Made trunk = through(run, network.trunk, whole, Finish::Relu);
  const Made operations = through(run, network.operations, copied(trunk, 1), Finish::Store);
  LayerRows both(n, 3 * d);
  for (u32 v = 0; v < n; ++v) {
    std::ranges::copy(vectors.row(v), both.row(v));
    std::ranges::copy(trunk.row(0), both.row(v) + d);
  }
  const Made mixed = through(run, network.mixed, both, Finish::Relu);
  const Made places = through(run, network.places, copied(mixed, n), Finish::Store);

  const u32 count = kProposedOperations + n, stride = whole_panels(count);
  Numbers rows(size_t{kProposalPlaces} * stride);
  for (u32 p = 0; p < kProposalPlaces; ++p) {
    std::copy_n(&operations.numbers[size_t{p} * kProposedOperations], kProposedOperations,
                &rows[size_t{p} * stride]);
    for (u32 v = 0; v < n; ++v)
      rows[size_t{p} * stride + kProposedOperations + v] = places.row(v)[p];
  }
  run.shares(rows.data(), stride, kProposalPlaces, count, 1);
  std::vector<f32> out;
  for (u32 p = 0; p < kProposalPlaces; ++p)
    out.insert(out.end(), &rows[size_t{p} * stride], &rows[size_t{p} * stride] + count);
  return out;
}

}  // namespace komuz::neural
