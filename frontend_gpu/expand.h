// SPDX-License-Identifier: Apache-2.0
// What a program that uses modules is compiled as: its own text, and behind it the interfaces of the modules that it names
// and of those that these name, each below a head that no program may write:
//
//   use std.math;                          the program
//   fn f(x: f64) -> f64 { math.lerp(x, 1.0, 0.5) }
//   pub use std.math;                      the head of module 1
//   pub fn lerp(a: f64, b: f64, t: f64) -> f64;
//
// So every pass and every group compiles what it has always compiled, a text, and knows nothing of other programs. Of the
// functions of an interface only those are there whose names the program spells. On the host.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "frontend_gpu/columns/columns.h"
#include "frontend_gpu/names/use_items.h"
#include "lang/library.h"

namespace komuz::frontend {

class Compiler;

// The modules of these paths and all that they need, by number, lowest first.
[[nodiscard]] std::vector<u32> needed_modules(const Library& library,
                                              std::vector<std::string> paths);
// The module that a place in linked code is of; null: the program's own text, `source`. `harness`: of which it is a candidate, or
// kNoModule.
[[nodiscard]] const Module* module_of_place(u32 place, Compiler& compiler, std::string_view source,
                                            const Library& library, u32 harness = kNoModule);

// A workspace for one thread.
class Expansion {
 public:
  // `c` holds the tokens of `source`.
  void make(const Columns& c, std::string_view source, const Library& library);

  [[nodiscard]] std::string_view text() const { return text_; }
  // The modules by the order of their heads.
  [[nodiscard]] const std::vector<u32>& heads() const { return heads_; }

 private:
  void note_names(const Columns& c);
  [[nodiscard]] bool is_named(u32 hash) const {
    return (names_[hash / 64 % kWords] >> hash % 64 & 1) != 0;
  }
  void add(u32 module);

  // A set of hashes of names, in which some that were not put in are.
  static constexpr u32 kWords = 64;
  u64 names_[kWords] = {};
  std::string text_;
  std::vector<u32> heads_;
};

// The expansion of a program, kept.
struct ExpandedText {
  std::string text;
  std::vector<u32> heads;
};

// Says of what the passes found wrong with modules, and of names that nobody knows, what the library knows of it: of a
// candidate also what its harness has; kNoModule: it is none. Words that messages speak of are appended to `text`, the text
// that was compiled, as a comment.
void explain_modules(const Library& library, u32 harness, std::string& text,
                     std::vector<Diagnostic>& diagnostics);

// What programs see of a module that was compiled last, from its text and columns.
void make_interface(const Columns& c, const Library& library, Module& module);

}  // namespace komuz::frontend
