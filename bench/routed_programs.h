// SPDX-License-Identifier: Apache-2.0
// Programs of all kinds for the router, and what cheaper code there is for them: measured, by rules and by the model.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "lang/code.h"
#include "neural/model/model.h"
#include "neural/router/router.h"

namespace komuz::neural {

// Where programs come from.
enum class Origin : u8 {
  Scalar,   // generated functions of scalars: what the model has learned from
  General,  // generated programs: several functions, loops, recursion; some with arrays and lists
  Written,  // the functions of examples/ and stdlib/
  People,   // the functions of tests/neural/programs/, which nothing is ever fitted to
};
inline constexpr std::string_view kOriginNames[] = {"scalar", "general", "written", "people"};

struct RoutedProgram {
  Origin origin = Origin::Scalar;
  u64 number = 0;  // of its origin
  std::string text;
  Code code;  // of the text, checked
  u32 entry = 0;
};

// Calls `use` with programs `first`, first + 1, … of a generated origin, so many of them; or with all that are written, whatever
// the numbers. Texts that do not compile by themselves are left out.
void each_program(Origin origin, u64 first, u64 count,
                  const std::function<void(const RoutedProgram&)>& use);

// What one way (router.h) does to a program.
struct WayMeasure {
  bool is_cheaper = false;  // there is cheaper code, and a proof
  Code code;                // the same as before if there is not
  u64 units = 0;            // what its code costs (neural/teacher/costs.h)
  f64 cost_ns = 0;          // to find and to prove it: time of the processor
  f64 share = 0;            // of the time of a run that is saved: 0 if none is
};
struct MeasuredProgram {
  f64 case_ns = 0;  // of a case, as the compiler has made it; 0: no case fits
  WayMeasure by_rules, by_model;
};
// `seconds`: for each time of a case. Guided inputs, in batches of 1,024.
[[nodiscard]] MeasuredProgram measure_program(const RoutedProgram& program, const Model& model,
                                              f64 seconds);

// 0, 1, 2: simple, medium, complex, by the instructions that an entry reaches: less than 8, than 16, and more.
[[nodiscard]] u32 program_class(const RoutedProgram& program);
inline constexpr std::string_view kProgramClasses[] = {"simple", "medium", "complex"};

// The means over all words of what the encoder says of a program's windows; zeros if it has none.
[[nodiscard]] std::vector<f32> encoded_mean(const RoutedProgram& program, const Model& model);

}  // namespace komuz::neural
