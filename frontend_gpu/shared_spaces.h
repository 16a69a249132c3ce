// SPDX-License-Identifier: Apache-2.0
// Spaces of modules. A program that takes expressions from `pub space s` of a module is compiled with the head of s
// alone, as with the head of any function of a module. Its variants, however, are texts without spaces. So a sketch is
// read in a form in which it needs no space of a module (write_out_spaces): behind its own text stand copies of the
// spaces, and of what they need of their modules, under names that are free:
//
//   use lib.curves.{curve};                           →  (blanks)
//   fn f(x: f64) -> f64 { ?curve(x) }                    fn f(x: f64) -> f64 { ?curve(x) }
//                                                        space curve(x: f64) -> f64 depth 1 { x, twice_of_curves(x) }
//                                                        fn twice_of_curves(x: f64) -> f64 { 2.0 * x }
//
// The program's own text keeps its places. A space thus means what it means in its module, and nothing that plans,
// binds or writes variants knows of modules.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend_gpu/columns/columns.h"
#include "lang/diagnostics.h"
#include "lang/library.h"
#include "lang/sketch.h"

namespace komuz::frontend {

// Fills in what a module shares, from the columns of its compilation, which was the last one.
void share_spaces(const Columns& c, Module& module);

// The text in the form that needs no space of a module. Nothing: it takes expressions from none, so its own text is
// that form. `c`: the columns of the text, which has no errors.
[[nodiscard]] std::optional<WrittenOut> write_out_spaces(const Columns& c, std::string_view source,
                                                         const Library& library);

// Reports functions and constants of the program that would take the place of a built-in name in a space that it takes
// expressions from. Words that messages quote are appended to `text`.
void check_shared_spaces(const Columns& c, const Library& library, std::string& text,
                         std::vector<Diagnostic>& out);

}  // namespace komuz::frontend
