// SPDX-License-Identifier: Apache-2.0
// What a person types at a prompt: an expression, or statements, with variables whose values are known and items that it may use.
// It is compiled as the body of a function of these variables:
//
//   f(x) + y                 fn kFunction(x: f64, y: f64) -> f64 { f(x) + y }
//   let y = x * 2.0          fn kFunction(x: f64) -> (f64,) { let y = x * 2.0 ⏎ (y,) }
//
// Where it assigns to variables, these are copied before it, and what they are behind it is part of the result. What it binds,
// and of which type it is, is known when it has been compiled once, as a function that gives what it is worth.
// Types of modules go by their names alone: those that neither the snippet nor its items import are imported behind them.
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
  std::span<const SnippetName> variables;  // those that it may name
  std::string_view items;                  // texts of items
  std::string_view function = kSnippetFunction;
  std::string_view before = {};  // statements that stand before it, and are not its own
  bool assigns = false;          // to those variables that are `var`
};
struct SnippetType {
  std::string value;              // the type of what it is worth; "()" where it is worth nothing
  std::vector<SnippetName> lets;  // what it binds, where a `let` is the last of its statements
  std::vector<ModuleType> module_types = {};  // those of modules that these types hold
};

// The program that a snippet is part of, and where in it the snippet and the items stand.
struct SnippetProgram {
  std::string text;
  u32 begin = 0, end = 0, items_begin = 0;
};
// The one that asks for the type of what the snippet is worth.
void lay_out_snippet(const Snippet& snippet, SnippetProgram& out);

class SnippetCompiler {
 public:
  explicit SnippetCompiler(const frontend::Options& options) : compiler_(options) {}

  // The function of its variables gives what the snippet is worth. False: it has errors.
  [[nodiscard]] bool infer(const Snippet& snippet, SnippetType& out);
  // The function says of what type it is, and gives what the snippet is worth, or a tuple of what it binds. Where it assigns, a
  // tuple of that, if it is not "()", and all variables that are `var`.
  [[nodiscard]] bool compile(const Snippet& snippet, const SnippetType& type);

  // Of what was compiled last.
  [[nodiscard]] Code& code() { return compilation_.code; }
  [[nodiscard]] const frontend::Columns& columns() const { return compiler_.columns(); }
  // The program that it is part of.
  [[nodiscard]] const std::string& source() const { return program_.text; }
  // All places are bytes of that, and of the modules behind it, which it uses.
  [[nodiscard]] std::string_view program_text() const;
  // Where it stands there.
  [[nodiscard]] u32 begin() const { return program_.begin; }
  [[nodiscard]] u32 end() const { return program_.end; }
  [[nodiscard]] u32 items_begin() const { return program_.items_begin; }
  [[nodiscard]] bool is_own(u32 byte) const {
    return byte >= program_.begin && byte <= program_.end;
  }
  // Those of the snippet have places in it; the others speak of items and modules.
  [[nodiscard]] std::span<const Diagnostic> own_diagnostics() const { return own_; }
  [[nodiscard]] std::span<const Diagnostic> other_diagnostics() const { return others_; }
  [[nodiscard]] frontend::Compiler& compiler() { return compiler_; }

 private:
  [[nodiscard]] bool take_diagnostics();
  // What is wrong in the snippet where the program around it is not what it should be: a bracket without its mate, or a word that
  // starts an item. Nothing where neither is there.
  [[nodiscard]] std::optional<Diagnostic> find_break() const;
  [[nodiscard]] bool read_type(SnippetType& out) const;

  frontend::Compiler compiler_;
  frontend::Compilation compilation_;
  SnippetProgram program_;
  std::vector<Diagnostic> own_, others_;
};

}  // namespace komuz::services
