// SPDX-License-Identifier: Apache-2.0
// The line of a score that fits one: in words, and as part of a program.
#pragma once
#include <string>
#include <string_view>

#include "base/problem.h"
#include "engine/results/results.h"
#include "lang/library.h"

namespace komuz::services {

// "c12: expected ≈ 2.5 · f + 0.75" of the best candidate, as a line; empty if it has none.
[[nodiscard]] std::string line_text(const engine::Results& results);

// The program whose entry gives slope · value + intercept, an f64. The value of a body that is one expression of f64, or
// ends in one, becomes an operand. Of other bodies, of entries that are called elsewhere and of other types the entry
// becomes a function of another name, which a new entry calls. Comments stay. `entry`: its name; empty: it is the only
// `pub fn`, or else the only function. `library`: with the modules that the text names; null: they are not known.
[[nodiscard]] Result<std::string> with_line(std::string_view source, std::string_view entry,
                                            const engine::ScoreLine& line,
                                            const Library* library = nullptr);

}  // namespace komuz::services
