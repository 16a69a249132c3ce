// SPDX-License-Identifier: Apache-2.0
// Where one way overtakes another as there are more programs, or longer ones: a drawing.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "services/model/model.h"

namespace komuz::services::model {

// What is compared: `later` against `first`, which are faster for few programs or for many.
struct Overtaking {
  std::string_view first, later;
  // Of some sizes the number of programs from which on `later` is faster; ascending sizes.
  struct Place {
    f64 bytes = 0, programs = 0;
  };
  std::vector<Place> places;
  size_t sizes = 0;   // that were looked at
  size_t always = 0;  // of these, where `later` is faster from one program on
};
inline constexpr f64 kLeastDrawnBytes = 100, kMostDrawnBytes = 100'000, kMostDrawnPrograms = 1e7;

struct OvertakingQuestion {
  u64 cases = 256;
  u32 threads = 1;
  const Gpu* gpu = &kGpus[0];
};
[[nodiscard]] std::vector<Overtaking> find_overtaking(const OvertakingQuestion& question);

// As SVG.
[[nodiscard]] std::string draw_overtaking(const OvertakingQuestion& question);

}  // namespace komuz::services::model
