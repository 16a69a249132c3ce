// SPDX-License-Identifier: Apache-2.0
// The parameters and result of an entry, and the choice of a program's entry.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/problem.h"
#include "lang/code.h"

namespace komuz::engine {

struct Signature {
  std::string parameter_types;  // type code of the parameters as one tuple
  std::string result_type;      // type code
  std::vector<std::string> names;

  // "(x: f64, y: f64) -> f64"
  [[nodiscard]] std::string text() const;
};

// True if the type has lists, sums or Options, so that the value decides which of its cells are used.
[[nodiscard]] bool has_variable_parts(std::string_view type_code);

// "fn(x: f64, y: f64) -> f64", also with `pub` and a name, or without `fn`: the form that text() gives. The reader of
// function headers in assembly reads it (lang/text/text_signature.h).
Result<Signature> read_signature(std::string_view text);
// Turns "fn(...) -> i64", also without `fn`, into "fn() -> i64": `...` stands for omitted parameters. Empty if the
// text has another form.
[[nodiscard]] std::string without_parameters(std::string_view text);

[[nodiscard]] Signature signature_of(const CodeView& code, const Function& function);

// True for the same types in the same order and, with `names_too`, the same names in the same order. Allocates
// nothing.
[[nodiscard]] bool has_signature(const CodeView& code, const Function& function,
                                 const Signature& wanted, bool names_too);

// The entry: the function `name` or, if the name is empty, the only `pub fn`.
struct EntryChoice {
  size_t function = 0;  // in code.functions
  std::string refusal;  // not empty: why there is no entry
};
[[nodiscard]] EntryChoice choose_entry(const CodeView& code, std::string_view name);
// The same for a program that must have a stated signature. If none or several functions are `pub`, the entry is the
// only function with that signature, or else the only function with as many parameters.
[[nodiscard]] EntryChoice choose_entry(const CodeView& code, std::string_view name,
                                       const Signature& wanted);

}  // namespace komuz::engine
