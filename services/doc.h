// SPDX-License-Identifier: Apache-2.0
// Documentation of built-in names and of modules' public items: signatures, and the comments above items. Knows no
// files: the caller supplies the texts of modules.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "frontend_gpu/frontend.h"
#include "lang/builtins.h"

namespace komuz::services {

struct DocEntry {
  std::string name;       // `lerp`
  std::string module;     // `std.math`; empty: built in
  std::string signature;  // as it is written, on one line
  std::string text;       // the comment, without `///`, with its line ends
};

// The documentation of a row of lang/builtins.def.
[[nodiscard]] DocEntry builtin_doc(const BuiltinRow& row);
[[nodiscard]] DocEntry builtin_doc(const ConstantRow& row);
[[nodiscard]] DocEntry builtin_doc(const CollectionRow& row);
[[nodiscard]] DocEntry builtin_doc(const ChainRow& row);
// The built-in meanings of a name: functions, conversions, constants, operations on elements, Options and chains.
// There are several if a name is a function and an operation, such as `min`.
[[nodiscard]] std::vector<DocEntry> builtin_docs(std::string_view name);
// All built-in names; some occur twice.
[[nodiscard]] std::vector<std::string_view> builtin_names();
// For the public items of a module, in their order.
[[nodiscard]] std::vector<DocEntry> module_docs(frontend::Compiler& compiler, std::string_view path,
                                                std::string_view text);
// A module's description of itself: the comment at the start of its text.
[[nodiscard]] std::string module_summary(std::string_view text);

// The signature, the module and the text.
[[nodiscard]] std::string render_doc(const DocEntry& entry);
// The signature and the first sentence of the text, indented, on a line each.
[[nodiscard]] std::string render_doc_line(const DocEntry& entry);
// {"name", "module", "signature", "text"}; the module of a built-in name is null.
[[nodiscard]] nlohmann::ordered_json doc_json(const DocEntry& entry);

}  // namespace komuz::services
