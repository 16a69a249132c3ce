// SPDX-License-Identifier: Apache-2.0
// Turns a variant of a line into items of the session.
#pragma once
#include <optional>
#include <string>

#include "repl/variants/line_sketch.h"

namespace komuz::repl {

// `variant`: the text of the program. The line's function as `name`, and all that it needs that is not in the session in the same form: functions in
// which something was decided, or that `name` or another of these replaces, get fresh names. Empty: all of it is
// there already. Nothing: a name could not be changed.
[[nodiscard]] std::optional<std::string> kept_items(const LineSketch& line,
                                                    const std::string& variant,
                                                    const std::string& name, Session& session);

}  // namespace komuz::repl
