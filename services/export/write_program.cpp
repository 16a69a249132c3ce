// SPDX-License-Identifier: Apache-2.0
#include "services/export/write_program.h"

#include <algorithm>

#include "services/export/function_writer.h"

namespace komuz::services {
namespace {

// Cells of several results in C.
std::string result_struct(const ScriptFunction& f, const std::string& name,
                          const TargetTable& table) {
  std::string out = "typedef struct {\n";
  for (size_t k = 0; k < f.results.size(); ++k)
    out += "  " + std::string(table.types[static_cast<u8>(f.results[k])]) + " part" +
           std::to_string(k) + ";\n";
  return out + "} " + result_name(name) + ";\n\n";
}

}  // namespace

WrittenText write_program(const Script& script, ExportTarget target, TermWriter& terms) {
  WrittenText out;
  std::vector<std::string> wanted;
  // The entry keeps its name.
  for (const ScriptFunction& f : script.functions) wanted.push_back(f.name);
  std::ranges::reverse(wanted);
  std::vector<std::string> names = target_names(wanted, terms.table().form(SyntaxForm::Reserved));
  std::ranges::reverse(names);
  out.entry = names.back();
  const ScriptFunction& entry = script.functions.back();
  out.types = types_in_target(entry.types, target, terms, names);
  const bool has_slices = std::ranges::any_of(out.types.parameters, &EntryParameter::is_slice);
  const bool wraps =
      entry.cycle != 0 && (!has_default_depth(target) || has_slices || out.types.has_records());
  if (wraps) names.back() = std::string(kDeep) + out.entry;
  out.text = record_types(out.types, terms);
  std::vector<std::string> texts;
  const std::string_view gap = target == ExportTarget::Python ? "\n\n" : "\n";
  for (u32 k = 0; k < script.functions.size(); ++k) {
    const bool is_outer = script.functions[k].is_entry && !wraps;
    FunctionWriter writer(script, k, names, target, terms, names[k],
                          is_outer ? &out.types : nullptr);
    out.function = k;
    if (script.functions[k].results.empty()) {
      out.refusal = "a function without a value";
      return out;
    }
    if (!writer.write(texts.emplace_back())) {
      out.refusal = terms.refusal();
      return out;
    }
  }
  // C reads from the top down: functions that call each other are named first.
  if (is_c_like(target)) {
    for (u32 k = 0; k < script.functions.size(); ++k)
      if (script.functions[k].results.size() > 1 &&
          (wraps || !script.functions[k].is_entry || out.types.result_record == kNoRecord))
        out.text += result_struct(script.functions[k], names[k], terms.table());
    for (u32 k = 0; k < script.functions.size(); ++k)
      if (script.functions[k].cycle != 0)
        out.text += texts[k].substr(0, texts[k].find(" {\n")) + ";\n";
  }
  if (!out.text.empty()) out.text += out.text.ends_with("\n\n") ? "" : gap;
  for (size_t k = 0; k < texts.size(); ++k) {
    if (k != 0) out.text += gap;
    out.text += texts[k];
  }
  if (wraps) {
    out.text += gap;
    FunctionWriter writer(script, static_cast<u32>(script.functions.size() - 1), names, target,
                          terms, out.entry, &out.types);
    writer.write_wrapper(out.text, names.back());
  }
  return out;
}

}  // namespace komuz::services
