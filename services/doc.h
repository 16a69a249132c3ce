// SPDX-License-Identifier: Apache-2.0
// Documentation of built-in names and of what modules show: signatures, and the comments above items. Knows no files: the
// texts of modules come from whoever asks.
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
  std::string text;       // the comment, without `///`; lines end with line ends
};

// What a row of lang/builtins.def says.
[[nodiscard]] DocEntry builtin_doc(const BuiltinRow& row);
[[nodiscard]] DocEntry builtin_doc(const ConstantRow& row);
[[nodiscard]] DocEntry builtin_doc(const CollectionRow& row);
[[nodiscard]] DocEntry builtin_doc(const ChainRow& row);
// What is built in under a name: functions, conversions, constants, operations on elements, Options and chains; several
// where a name is a function and an operation, such as `min`.
[[nodiscard]] std::vector<DocEntry> builtin_docs(std::string_view name);
// All built-in names, some of them twice.
[[nodiscard]] std::vector<std::string_view> builtin_names();
// Of the public items of a module, in their order.
[[nodiscard]] std::vector<DocEntry> module_docs(frontend::Compiler& compiler, std::string_view path,
                                                std::string_view text);
// What a module says of itself: the comment at the start of its text.
[[nodiscard]] std::string module_summary(std::string_view text);

// The signature, the module and the text.
[[nodiscard]] std::string render_doc(const DocEntry& entry);
// The signature and the first sentence of the text, indented, a line each.
[[nodiscard]] std::string render_doc_line(const DocEntry& entry);
// {"name", "module", "signature", "text"}; the module of what is built in is null.
[[nodiscard]] nlohmann::ordered_json doc_json(const DocEntry& entry);

}  // namespace komuz::services
