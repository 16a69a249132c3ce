// SPDX-License-Identifier: Apache-2.0
#include "services/results/native_listing.h"

#include <algorithm>

#include "backend/backend.h"

namespace komuz::services {
namespace {

constexpr std::string_view kFunctionLabel = "kz.fn.";  // and its number, and its name

// The number of the function whose label a line is.
std::optional<size_t> function_of(std::string_view line) {
  if (line.starts_with('"')) line.remove_prefix(1);
  if (!line.starts_with(kFunctionLabel) || line.find(':') == line.npos) return std::nullopt;
  line.remove_prefix(kFunctionLabel.size());
  size_t number = 0, at = 0;
  for (; at < line.size() && line[at] >= '0' && line[at] <= '9'; ++at)
    number = number * 10 + static_cast<size_t>(line[at] - '0');
  return at == 0 ? std::nullopt : std::optional(number);
}

// Directives say where code goes, not what it does.
bool is_directive(std::string_view line) { return line.starts_with("\t."); }

void append_source(std::string& out, std::string_view source, std::span<const TextItem> items,
                   std::string_view name) {
  const auto item = std::ranges::find_if(
      items, [&](const TextItem& of) { return of.name == name && of.form == ItemForm::Function; });
  if (item == items.end()) return;
  std::string_view text = source.substr(item->head_begin, item->end - item->head_begin);
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    if (end != 0) out += "# " + std::string(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

Result<std::string> native_listing(const CodeView& code, u32 function, std::string_view source,
                                   std::span<const TextItem> items) {
  const Result<const backend::Backend*> opened = backend::open_backend();
  if (opened.problem()) return Problem(opened.problem());
  const std::string symbol = std::string(code.name(code.functions[function])) + "_case";
  Result<std::string> assembly = opened.value()->emit(code, function,
                                                      {.form = backend::Form::Assembly,
                                                       .effort = backend::Effort::Normal,
                                                       .symbol = symbol,
                                                       .processor = "native"});
  if (assembly.problem()) return assembly;
  std::string out;
  std::string_view text = assembly.value();
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (is_directive(line)) continue;
    const std::optional<size_t> number = function_of(line);
    if (number && *number < code.functions.size()) {
      if (!out.empty()) out += '\n';
      append_source(out, source, items, code.name(code.functions[*number]));
    } else if (line == symbol + ":") {
      out += "\n# takes the arguments of a case, and gives its result\n";
    }
    out += line;
    out += '\n';
  }
  return out;
}

}  // namespace komuz::services
