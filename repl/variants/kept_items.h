// SPDX-License-Identifier: Apache-2.0
// A variant of a line as items of the session.
#pragma once
#include <optional>
#include <string>

#include "repl/variants/line_sketch.h"

namespace komuz::repl {

// The line's function as `name`, and what it needs that is not in the session as it stands: functions in which something was
// decided, or that `name` or another of these takes the place of, get names that nothing has. Empty: all of it is there.
// Nothing: a name could not be changed.
[[nodiscard]] std::optional<std::string> kept_items(LineSketch& line,
                                                    const engine::Decisions& decisions,
                                                    const std::string& name, Session& session);

}  // namespace komuz::repl
