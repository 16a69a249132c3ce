// SPDX-License-Identifier: Apache-2.0
// A variant as functions of their own, for a text that keeps its sketch.
#pragma once
#include <optional>
#include <string>

#include "engine/sketch/sketch_program.h"
#include "lang/library.h"

namespace komuz::services {

struct KeptVariant {
  std::string name;  // of the function that stands for the entry
  std::string
      items;  // formatted: the functions in which something was decided, and those that name such
};
// `program`: the variant as a plain program, whose functions are simplified. The functions get names that the sketch has not, and are neither public
// nor commented, so that the sketch stays the only entry. Nothing: nothing was decided in a function, or a name could
// not be changed.
[[nodiscard]] std::optional<KeptVariant> keep_variant(const engine::SketchProgram& sketch,
                                                      const std::string& program,
                                                      const Library& library);

}  // namespace komuz::services
