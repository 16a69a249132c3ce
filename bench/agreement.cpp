// SPDX-License-Identifier: Apache-2.0
#include "bench/agreement.h"

#include <algorithm>

#include "bench/recursive_descent.h"
#include "frontend_gpu/frontend.h"
#include "lang/check/check_code.h"
#include "mend/mend.h"

namespace komuz::bench {

namespace {

std::string instruction_text(const Code& code, size_t k) {
  if (k >= code.instructions.size()) return "nothing";
  const Instruction& i = code.instructions[k];
  return std::string(op_row(i.op).mnemonic) + ' ' + std::string(scalar_name(i.type)) + ' ' +
         std::to_string(i.a) + ' ' + std::to_string(i.b) + " at byte " +
         std::to_string(code.places[k]);
}

bool same_headers(const Function& a, const Function& b) {
  return a.name_begin == b.name_begin && a.name_end == b.name_end && a.code_begin == b.code_begin &&
         a.code_end == b.code_end && a.types_begin == b.types_begin &&
         a.slots_begin == b.slots_begin && a.parameters_begin == b.parameters_begin &&
         a.place == b.place && a.parameter_slots == b.parameter_slots &&
         a.result_cells == b.result_cells && a.slots == b.slots && a.max_stack == b.max_stack &&
         a.rec == b.rec && a.kind == b.kind && a.is_public == b.is_public &&
         a.stack_bytes == b.stack_bytes;
}

// Empty if they are the same.
std::string difference(const Code& ours, const Code& yardstick) {
  const size_t size = std::max(ours.instructions.size(), yardstick.instructions.size());
  for (size_t k = 0; k < size; ++k) {
    const std::string a = instruction_text(ours, k), b = instruction_text(yardstick, k);
    if (a != b) return "instruction " + std::to_string(k) + ": " + a + "; yardstick: " + b;
  }
  if (ours.constants != yardstick.constants) return "constants differ";
  if (ours.types != yardstick.types) return "signatures differ";
  if (ours.slot_types != yardstick.slot_types) return "types of slots differ";
  if (ours.names != yardstick.names || ours.parameter_names != yardstick.parameter_names)
    return "names differ";
  if (!std::ranges::equal(ours.functions, yardstick.functions, same_headers))
    return "headers of functions differ";
  return {};
}

}  // namespace

std::optional<std::string> first_difference(const Sources& sources) {
  frontend::Compiler compiler({.is_plain = true});  // the yardstick does not optimise
  frontend::Compilation compilation;
  RecursiveDescent yardstick;
  CodeChecker checker;
  Code code;
  for (const std::string& source : sources.texts) {
    compiler.compile(source, compilation);
    if (!compilation.ok) {
      const Diagnostic& d = compilation.diagnostics.front();
      return "the front end refuses it at byte " + std::to_string(d.begin) + ": " +
             diagnostic_message(d, source) + "\n" + source;
    }
    if (!yardstick.compile(source, code)) return "outside of the yardstick's language\n" + source;
    if (const CodeError error = checker.check(code.view(), code.functions); error)
      return "the checker refuses the yardstick's code: " + error.reason + "\n" + source;
    if (std::string text = difference(compilation.code, code); !text.empty())
      return text + "\n" + source;
  }
  return std::nullopt;
}

}  // namespace komuz::bench
