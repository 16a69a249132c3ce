// SPDX-License-Identifier: Apache-2.0
// A program that uses modules is compiled as one text: first its own text, then the interfaces of all modules that
// it needs. Each interface stands below a head that no program may write:
//
//   use std.math;                          the program
//   fn f(x: f64) -> f64 { math.lerp(x, 1.0, 0.5) }
//   pub use std.math;                      the head of module 1
//   pub fn lerp(a: f64, b: f64, t: f64) -> f64;
//
// So every pass and every group compiles one text, and knows nothing of other programs. An interface is cut down to
// the functions whose names the program spells. All of this runs on the host.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "frontend_gpu/columns/columns.h"
#include "frontend_gpu/names/use_items.h"
#include "lang/library.h"

namespace komuz::frontend {

class Compiler;

// The modules of these paths and all modules that they need, by number, lowest first.
[[nodiscard]] std::vector<u32> needed_modules(const Library& library,
                                              std::vector<std::string> paths);
// The module of a source position in linked code; null: the position is in the program's own text, `source`.
// `harness` is the module whose candidate the program is, or kNoModule.
[[nodiscard]] const Module* module_of_place(u32 place, Compiler& compiler, std::string_view source,
                                            const Library& library, u32 harness = kNoModule);

// A workspace for one thread.
class Expansion {
 public:
  // `c` holds the tokens of `source`.
  void make(const Columns& c, std::string_view source, const Library& library);

  [[nodiscard]] std::string_view text() const { return text_; }
  // The modules in the order of their heads.
  [[nodiscard]] const std::vector<u32>& heads() const { return heads_; }

 private:
  void note_names(const Columns& c);
  [[nodiscard]] bool is_named(u32 hash) const {
    return (names_[hash / 64 % kWords] >> hash % 64 & 1) != 0;
  }
  void add(u32 module);

  // A Bloom filter of hashes of names: it may also hold names that were never added.
  static constexpr u32 kWords = 64;
  u64 names_[kWords] = {};
  std::string text_;
  std::vector<u32> heads_;
};

// A copy of an expansion.
struct ExpandedText {
  std::string text;
  std::vector<u32> heads;
};

// Completes the passes' diagnostics about modules and unknown names by what the library knows, and for a candidate
// by what its harness has. `harness` is kNoModule for other programs. `text` is the compiled text; words that
// messages quote are appended to it as comments.
void explain_modules(const Library& library, u32 harness, std::string& text,
                     std::vector<Diagnostic>& diagnostics);

// Fills in the interface of a module, from the text and the columns of its compilation, which was the last one.
void make_interface(const Columns& c, const Library& library, Module& module);

}  // namespace komuz::frontend
