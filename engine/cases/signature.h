// SPDX-License-Identifier: Apache-2.0
// What an entry takes and gives, and which function of a program is its entry.
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

// Does it depend on a value of the type which of its cells it uses: are there lists, sums or Options in it?
[[nodiscard]] bool has_variable_parts(std::string_view type_code);

// "fn(x: f64, y: f64) -> f64", also with `pub` and a name, or without `fn`: what text() gives. Read by what reads the
// headers of functions in assembly (lang/text/text_signature.h).
Result<Signature> read_signature(std::string_view text);
// Of "fn(...) -> i64", also without `fn`, what stands for the parameters left out: "fn() -> i64". Empty: it is no such
// text.
[[nodiscard]] std::string without_parameters(std::string_view text);

[[nodiscard]] Signature signature_of(const CodeView& code, const Function& function);

// Same types in the same order; with `names_too`, the same names in the same order. Allocates nothing.
[[nodiscard]] bool has_signature(const CodeView& code, const Function& function,
                                 const Signature& wanted, bool names_too);

// The entry: the function `name`, or where that is empty the only `pub fn`.
struct EntryChoice {
  size_t function = 0;  // in code.functions
  std::string refusal;  // not empty: there is no entry, and why
};
[[nodiscard]] EntryChoice choose_entry(const CodeView& code, std::string_view name);
// … of a program that is to have a stated signature: where no function or several are `pub`, the only one that has it, or the only
// one that takes as many arguments.
[[nodiscard]] EntryChoice choose_entry(const CodeView& code, std::string_view name,
                                       const Signature& wanted);

}  // namespace komuz::engine
