// SPDX-License-Identifier: Apache-2.0
// Programs and cases of a stated size, to be measured. The same numbers give the same bytes on every machine.
#pragma once
#include <stop_token>
#include <string>

#include "services/model/model.h"

namespace komuz::services::model {

// The shortest program that can be asked for, and the longest.
inline constexpr u64 kLeastProgram = 80, kMostProgram = 1'000'000;

// A function of two f64 of exactly so many bytes: lines of `let`, each of which needs the one before, and blanks behind the last.
// Programs of different numbers have different operations and constants.
[[nodiscard]] std::string generated_program(u64 number, u64 bytes);
// All of them as JSONL, as `komuz eval` takes them; up to a stop.
[[nodiscard]] std::string generated_candidates(const Size& size, const std::stop_token& stop);
// Values of both parameters between 0 and 1, and one that is expected, as CSV; up to a stop.
[[nodiscard]] std::string generated_cases(u64 cases, const std::stop_token& stop);

}  // namespace komuz::services::model
