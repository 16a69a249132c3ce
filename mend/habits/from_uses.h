// SPDX-License-Identifier: Apache-2.0
// How other languages say that a module is used: `use std::math::gcd;`, `from math import gcd`, `import std.math`.
#pragma once
#include <string>
#include <string_view>

namespace komuz {

// The `use` items that are meant by a line that starts with `use`, `import` or `from`; empty where it names anything that the
// standard library has not, or what needs no `use`.
[[nodiscard]] std::string uses_of(std::string_view line);

// `use pack.{Job};` of `use pack.Job;`; empty: the line is another one.
[[nodiscard]] std::string use_of_name(std::string_view line);
// Of `use sched::{Job, run};`, `use crate::sched::Job;`, `from sched import Job`, whose module is the program's own. Empty:
// which words of the path are the module is not certain.
[[nodiscard]] std::string use_of_path(std::string_view line);

// Is it a module of Python's library: `math`, `typing`?
[[nodiscard]] bool is_module_of_python(std::string_view module);
// … that has what is built in here: `math`?
[[nodiscard]] bool has_builtins(std::string_view module);

}  // namespace komuz
