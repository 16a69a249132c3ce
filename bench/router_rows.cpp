// SPDX-License-Identifier: Apache-2.0
// What the router learns from: a line of JSON for each program, with its features and with what was measured. The tool that fits the
// weights, bench/fit_router.py, calls it.
//
//   router_rows SCALAR GENERAL      so many programs of these origins, and all that are written
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "bench/routed_programs.h"
#include "neural/decode/open_model.h"

namespace komuz::neural {
namespace {

// For each time of a case.
constexpr f64 kSeconds = 0.01;

void print_numbers(const char* name, const auto& numbers) {
  std::printf(", \"%s\": ", name);
  const char* separator = "[";
  for (const f32 number : numbers) {
    std::printf("%s%.5g", separator, static_cast<f64>(number));
    separator = ", ";
  }
  std::printf("]");
}
void print_way(const char* name, const WayMeasure& way) {
  std::printf(", \"%s\": {\"cheaper\": %d, \"units\": %llu, \"share\": %.4f, \"cost_ns\": %.0f}",
              name, way.is_cheaper ? 1 : 0, static_cast<unsigned long long>(way.units), way.share,
              way.cost_ns);
}

void print_row(const RoutedProgram& program, const Model& model) {
  const MeasuredProgram measured = measure_program(program, model, kSeconds);
  std::printf("{\"origin\": \"%s\", \"number\": %llu, \"class\": \"%s\", \"case_ns\": %.2f",
              kOriginNames[static_cast<u8>(program.origin)].data(),
              static_cast<unsigned long long>(program.number),
              kProgramClasses[program_class(program)].data(), measured.case_ns);
  print_way("rules", measured.by_rules);
  print_way("neural", measured.by_model);
  print_numbers("features", features_of(program.code.view(), program.entry).values);
  print_numbers("encoded", encoded_mean(program, model));
  std::printf("}\n");
  std::fflush(stdout);
}

int run(u64 scalar, u64 general) {
  const Result<const Model*> model = open_model();
  if (model.problem()) {
    std::fprintf(stderr, "%s\n", model.problem().text().c_str());
    return 1;
  }
  std::printf("{\"features\": ");
  const char* separator = "[";
  for (const std::string_view name : kFeatureNames) {
    std::printf("%s\"%s\"", separator, name.data());
    separator = ", ";
  }
  std::printf("]}\n");
  const auto print = [&](const RoutedProgram& program) { print_row(program, *model.value()); };
  each_program(Origin::People, 0, 0, print);
  // By turns: what there is if it is ended early has some of each.
  for (u64 k = 0; k < std::max(scalar, general); ++k) {
    if (k < scalar) each_program(Origin::Scalar, k, 1, print);
    if (k < general) each_program(Origin::General, k, 1, print);
  }
  each_program(Origin::Written, 0, 0, print);
  return 0;
}

}  // namespace
}  // namespace komuz::neural

int main(int count, char** words) {
  if (count != 3) {
    std::fprintf(stderr, "router_rows SCALAR GENERAL\n");
    return 2;
  }
  return komuz::neural::run(std::strtoull(words[1], nullptr, 10),
                            std::strtoull(words[2], nullptr, 10));
}
