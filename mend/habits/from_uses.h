// SPDX-License-Identifier: Apache-2.0
// Rewrites other languages' imports of modules: `use std::math::gcd;`, `from math import gcd`, `import std.math`.
#pragma once
#include <string>
#include <string_view>

namespace komuz {

// The `use` items for a line that starts with `use`, `import` or `from`; empty if it names anything that the standard
// library lacks, or that needs no `use`.
[[nodiscard]] std::string uses_of(std::string_view line);

// `use pack.{Job};` for `use pack.Job;`; empty for other lines.
[[nodiscard]] std::string use_of_name(std::string_view line);
// The same for `use sched::{Job, run};`, `use crate::sched::Job;`, `from sched import Job`, with a module of the
// program's own. Empty if it is unclear which words of the path are the module.
[[nodiscard]] std::string use_of_path(std::string_view line);

// True for a module of Python's library: `math`, `typing`.
[[nodiscard]] bool is_module_of_python(std::string_view module);
// True if its names are built in here: `math`.
[[nodiscard]] bool has_builtins(std::string_view module);

}  // namespace komuz
