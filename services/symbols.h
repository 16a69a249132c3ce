// SPDX-License-Identifier: Apache-2.0
// The meanings of names, as the front end resolved them, and their descriptions.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "services/analysis.h"

namespace komuz::services {

enum class NameKind : u8 {
  Keyword,
  Function,
  Operation,  // on the value before a `.`
  Space,
  Constant,
  Type,
  Constructor,
  Field,
  Module,
  Parameter,
  Variable,
};
[[nodiscard]] std::string_view name_kind_word(NameKind kind);  // "function"

// The meaning of names: names with equal symbols mean the same.
struct Symbol {
  enum class Kind : u8 {
    None,
    Binding,  // `number` of a binding
    Builtin,  // reference to a row of lang/builtins.def (frontend_gpu/questions/name_chains.h)
    Field,    // node of the field's name in the type's declaration
    Scalar,   // a type's number
  };
  Kind kind = Kind::None;
  u32 number = 0;
  bool operator==(const Symbol&) const = default;
};
// The symbol of a node that is a name. A constructor that is its whole type, and a name that a `use` lists, stand for
// their targets.
[[nodiscard]] Symbol symbol_of(const Analysis& analysis, frontend::Index node);
// For the token around a byte of the program.
[[nodiscard]] Symbol symbol_around(const Analysis& analysis, u32 byte);
// The node that introduces it; kNone if no text does.
[[nodiscard]] frontend::Index defining_node(const Analysis& analysis, const Symbol& symbol);

struct SymbolText {
  NameKind kind = NameKind::Variable;
  std::string name;
  std::string signature;  // on one line: `fn half(x: f64) -> f64`, `x: f64`
  std::string type;       // `std.math`; empty: the text itself, or built in
  std::string module;     // of a scalar constant, in a text that compiles
  std::string value;      // the comment above it, or its table's text
  std::string text;       // the comment above it, or what its table says
};
[[nodiscard]] SymbolText describe(const Analysis& analysis, const Symbol& symbol);

}  // namespace komuz::services
