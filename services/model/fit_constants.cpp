// SPDX-License-Identifier: Apache-2.0
#include "services/model/fit_constants.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/counts.h"

namespace komuz::services::model {
namespace {

// A number of an object's field that is above zero.
std::optional<f64> positive(const nlohmann::json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_number()) return {};
  const f64 value = found->get<f64>();
  if (!(value > 0) || !std::isfinite(value)) return {};
  return value;
}
std::optional<std::string> word_of(const nlohmann::json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_string()) return {};
  return found->get<std::string>();
}

std::optional<Measurement> read_measurement(std::string_view line) {
  const nlohmann::json object = nlohmann::json::parse(line, nullptr, false);
  if (!object.is_object()) return {};
  const auto measured = object.find("measured");
  if (measured == object.end() || !measured->is_object()) return {};
  // The constants are those of a processor alone.
  if (const auto gpu = measured->find("gpu"); gpu != measured->end() && !gpu->is_null()) return {};
  const auto programs = positive(object, "programs"), bytes = positive(object, "size"),
             cases = positive(object, "cases"), busy = positive(*measured, "processor_seconds"),
             memory = positive(*measured, "memory_bytes");
  const auto way = word_of(*measured, "tier"), processor = word_of(*measured, "processor");
  if (!programs || !bytes || !cases || !busy || !memory || !way || !processor) return {};
  const auto* const tier = std::ranges::find(neural::kTierNames, *way);
  if (tier == std::end(neural::kTierNames)) return {};
  return Measurement{
      static_cast<neural::TierChoice>(tier - neural::kTierNames),
      {static_cast<u64>(*programs), static_cast<u64>(*bytes), static_cast<u64>(*cases)},
      *busy,
      *memory,
      *processor};
}

// The factors of some of the terms, by the normal equations of relative errors; none: they do not follow from the samples.
constexpr f64 kLeastPivot = 1e-10;
std::optional<Terms> solve(std::span<const Sample> samples, const Terms& scales, u32 chosen) {
  std::array<std::array<f64, kTerms + 1>, kTerms> rows{};
  std::array<size_t, kTerms> terms{};
  size_t count = 0;
  for (size_t term = 0; term < kTerms; ++term)
    if ((chosen >> term & 1) != 0) terms[count++] = term;
  for (const Sample& sample : samples)
    for (size_t i = 0; i < count; ++i) {
      const f64 left = sample.counts[terms[i]] / scales[terms[i]] / sample.value;
      for (size_t j = 0; j < count; ++j)
        rows[i][j] += left * sample.counts[terms[j]] / scales[terms[j]] / sample.value;
      rows[i][count] += left;
    }
  for (size_t pivot = 0; pivot < count; ++pivot) {
    size_t best = pivot;
    for (size_t row = pivot; row < count; ++row)
      if (std::abs(rows[row][pivot]) > std::abs(rows[best][pivot])) best = row;
    std::swap(rows[pivot], rows[best]);
    if (std::abs(rows[pivot][pivot]) < kLeastPivot) return {};
    for (size_t row = 0; row < count; ++row) {
      if (row == pivot) continue;
      const f64 by = rows[row][pivot] / rows[pivot][pivot];
      for (size_t column = pivot; column <= count; ++column)
        rows[row][column] -= by * rows[pivot][column];
    }
  }
  Terms factors = {};
  for (size_t i = 0; i < count; ++i) {
    const f64 factor = rows[i][count] / rows[i][i] / scales[terms[i]];
    if (factor < 0) return {};
    factors[terms[i]] = factor;
  }
  return factors;
}

f64 error_of(const Terms& factors, const Sample& sample) {
  return std::abs(sum_of(factors, sample.counts) / sample.value - 1);
}

struct Quality {
  f64 median = 0, worst = 0;
};
// Sizes by turns: those of even places are known, the others are predicted.
Quality quality_of_half(std::vector<Sample> samples) {
  std::ranges::sort(samples, {}, &Sample::value);
  std::vector<Sample> known, unknown;
  for (size_t i = 0; i < samples.size(); ++i) (i % 2 == 0 ? known : unknown).push_back(samples[i]);
  const Terms factors = fit_factors(known);
  std::vector<f64> errors;
  for (const Sample& sample : unknown) errors.push_back(error_of(factors, sample));
  std::ranges::sort(errors);
  return {errors[errors.size() / 2], errors.back()};
}

std::string factors_text(const Terms& factors) {
  std::string text = "PER(";
  for (size_t term = 0; term < kTerms; ++term) {
    char number[32];
    std::snprintf(number, sizeof number, "%s%.4g", term == 0 ? "" : ", ", factors[term]);
    text += number;
  }
  return text + ")";
}

}  // namespace

Result<std::vector<Measurement>> read_measurements(std::string_view file, std::string_view text) {
  std::vector<Measurement> out;
  for (u64 line = 1; !text.empty(); ++line) {
    const std::string_view words = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), words.size() + 1));
    if (words.find_first_not_of(" \t\r") == words.npos) continue;
    std::optional<Measurement> read = read_measurement(words);
    if (!read)
      return input_problem({std::string(file), line, 0}, "this line is no measurement of a CPU",
                           "`komuz model --measure --json` writes such lines");
    out.push_back(*std::move(read));
  }
  for (const Measurement& measurement : out)
    if (measurement.processor != out.front().processor)
      return input_problem({std::string(file), 0, 0},
                           "there are measurements of two processors, `" + out.front().processor +
                               "` and `" + measurement.processor + "`",
                           "fit those of one machine at a time");
  return out;
}

Terms fit_factors(std::span<const Sample> samples) {
  // There are so few terms that all choices of them are tried.
  Terms scales = {};
  for (const Sample& sample : samples)
    for (size_t term = 0; term < kTerms; ++term)
      scales[term] = std::max(scales[term], sample.counts[term] / sample.value);
  Terms best = {};
  f64 least = static_cast<f64>(samples.size());  // of factors that are all zero
  for (u32 chosen = 1; chosen < 1u << kTerms; ++chosen) {
    const std::optional<Terms> factors = solve(samples, scales, chosen);
    if (!factors) continue;
    f64 sum = 0;
    for (const Sample& sample : samples) {
      const f64 error = error_of(*factors, sample);
      sum += error * error;
    }
    if (sum >= least) continue;
    least = sum;
    best = *factors;
  }
  return best;
}

Result<std::vector<FittedWay>> fit_ways(std::string_view file,
                                        std::span<const Measurement> measurements) {
  std::vector<FittedWay> out;
  for (size_t way = 0; way < std::size(neural::kTierNames); ++way) {
    // A size that was measured several times counts once, with the least: what else a machine does only adds.
    std::map<Terms, std::pair<std::vector<f64>, std::vector<f64>>> by_size;
    for (const Measurement& measurement : measurements) {
      if (static_cast<size_t>(measurement.way) != way) continue;
      auto& [seconds, bytes] = by_size[terms_of(measurement.size)];
      seconds.push_back(measurement.seconds);
      bytes.push_back(measurement.bytes);
    }
    if (by_size.empty()) continue;
    if (by_size.size() < 2 * kTerms)
      return input_problem({std::string(file), 0, 0},
                           std::to_string(2 * kTerms) + " sizes of the way `" +
                               std::string(neural::kTierNames[way]) + "` are needed, found " +
                               grouped(by_size.size()),
                           "measure more of them");
    std::vector<Sample> seconds, bytes;
    for (const auto& [counts, values] : by_size) {
      seconds.push_back({counts, *std::ranges::min_element(values.first)});
      bytes.push_back({counts, *std::ranges::min_element(values.second)});
    }
    const Quality of_seconds = quality_of_half(seconds), of_bytes = quality_of_half(bytes);
    out.push_back({.constants = {static_cast<neural::TierChoice>(way), fit_factors(seconds),
                                 fit_factors(bytes)},
                   .sizes = by_size.size(),
                   .median_seconds = of_seconds.median,
                   .worst_seconds = of_seconds.worst,
                   .median_bytes = of_bytes.median,
                   .worst_bytes = of_bytes.worst});
  }
  if (out.empty()) return input_problem({std::string(file), 0, 0}, "there is no measurement", {});
  return out;
}

std::string rows_of(std::span<const FittedWay> ways) {
  std::string text;
  for (const FittedWay& way : ways) {
    std::string name(neural::kTierNames[static_cast<size_t>(way.constants.way)]);
    name.front() = static_cast<char>(name.front() - 'a' + 'A');
    text += "WAY(" + name + ", " + factors_text(way.constants.seconds) + ", " +
            factors_text(way.constants.bytes) + ")\n";
  }
  return text;
}

std::string quality_of(std::span<const FittedWay> ways) {
  std::string text;
  for (const FittedWay& way : ways) {
    char line[256];
    std::snprintf(
        line, sizeof line,
        ": known %zu of %zu sizes, the others' times are predicted within %.0f %% (median "
        "%.0f %%), memory within %.0f %% (median %.0f %%)\n",
        (way.sizes + 1) / 2, way.sizes, 100 * way.worst_seconds, 100 * way.median_seconds,
        100 * way.worst_bytes, 100 * way.median_bytes);
    text += std::string(neural::kTierNames[static_cast<size_t>(way.constants.way)]) + line;
  }
  return text;
}

}  // namespace komuz::services::model
