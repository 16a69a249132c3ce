// SPDX-License-Identifier: Apache-2.0
// A snippet typed at a prompt: an expression, or statements, with variables whose values are known and items that it
// may use. It is compiled as the body of a function of these variables:
//
//   f(x) + y                 fn kFunction(x: f64, y: f64) -> f64 { f(x) + y }
//   let y = x * 2.0          fn kFunction(x: f64) -> (f64,) { let y = x * 2.0 ⏎ (y,) }
//
// If the snippet assigns to variables, these are copied before it, and their values behind it are part of the result.
// Its bindings and their types are known after a first compilation, as a function that returns its value. Types of
// modules have bare names: types that neither the snippet nor its items import are imported behind them.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend_gpu/frontend.h"
#include "services/module_types.h"

namespace komuz::services {

struct SnippetName {
  std::string name, type;
  bool is_var = false;  // it may be assigned to
  bool operator==(const SnippetName&) const = default;
};
inline constexpr std::string_view kSnippetFunction = "snippet_";
struct Snippet {
  std::string_view text;
  std::span<const SnippetName> variables;  // variables that it may name
  std::string_view items;                  // texts of items
  std::string_view function = kSnippetFunction;
  std::string_view before = {};  // statements that precede it, and are not its own
  bool assigns = false;          // it assigns to variables that are `var`
};
struct SnippetType {
  std::string value;                          // the type of its value; "()" if it has none
  std::vector<SnippetName> lets;              // its bindings, if a `let` is its last statement
  std::vector<ModuleType> module_types = {};  // module types in these types
};

// The program that contains a snippet, and the places of the snippet and the items in it.
struct SnippetProgram {
  std::string text;
  u32 begin = 0, end = 0, items_begin = 0;
};
// Lays out the program that determines the type of the snippet's value.
void lay_out_snippet(const Snippet& snippet, SnippetProgram& out);

class SnippetCompiler {
 public:
  explicit SnippetCompiler(const frontend::Options& options) : compiler_(options) {}

  // Finds the type of the snippet's value, as the result of a function of its variables. False: it has errors.
  [[nodiscard]] bool infer(const Snippet& snippet, SnippetType& out);
  // Compiles a function with the known type. It returns the snippet's value, or a tuple of its bindings. If the
  // snippet assigns, the result is a tuple of that, unless it is "()", and of all variables that are `var`.
  [[nodiscard]] bool compile(const Snippet& snippet, const SnippetType& type);

  // The code compiled last.
  [[nodiscard]] Code& code() { return compilation_.code; }
  [[nodiscard]] const frontend::Columns& columns() const { return compiler_.columns(); }
  // The program that contains the snippet.
  [[nodiscard]] const std::string& source() const { return program_.text; }
  // All places are bytes of that text, and of the modules behind it that it uses.
  [[nodiscard]] std::string_view program_text() const;
  // The beginning of the snippet there.
  [[nodiscard]] u32 begin() const { return program_.begin; }
  [[nodiscard]] u32 end() const { return program_.end; }
  [[nodiscard]] u32 items_begin() const { return program_.items_begin; }
  [[nodiscard]] bool is_own(u32 byte) const {
    return byte >= program_.begin && byte <= program_.end;
  }
  // Diagnostics with places in the snippet; the others are about items and modules.
  [[nodiscard]] std::span<const Diagnostic> own_diagnostics() const { return own_; }
  [[nodiscard]] std::span<const Diagnostic> other_diagnostics() const { return others_; }
  [[nodiscard]] frontend::Compiler& compiler() { return compiler_; }

 private:
  [[nodiscard]] bool take_diagnostics();
  // The fault in the snippet that breaks the program around it: a bracket without its mate, or a word that starts an
  // item. Nothing if there is neither.
  [[nodiscard]] std::optional<Diagnostic> find_break() const;
  [[nodiscard]] bool read_type(SnippetType& out) const;

  frontend::Compiler compiler_;
  frontend::Compilation compilation_;
  SnippetProgram program_;
  std::vector<Diagnostic> own_, others_;
};

}  // namespace komuz::services
