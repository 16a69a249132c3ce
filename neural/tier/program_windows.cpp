// SPDX-License-Identifier: Apache-2.0
#include "neural/tier/program_windows.h"

#include <algorithm>
#include <utility>

#include "lang/check/check_code.h"
#include "lang/copy_code.h"
#include "neural/teacher/costs.h"

namespace komuz::neural {
namespace {

constexpr f64 kRounds = 8;  // that are expected of a loop

// `function` and what it calls, in the order of the code.
std::vector<u32> functions_of(const CodeView& code, u32 function) {
  std::vector<bool> is_known(code.functions.size(), false);
  std::vector<u32> functions = {function};
  is_known[function] = true;
  for (size_t k = 0; k < functions.size(); ++k) {
    const Function& f = code.functions[functions[k]];
    for (u32 at = f.code_begin; at < f.code_end; ++at) {
      const Instruction& i = code.instructions[at];
      if (i.op != Op::Call || is_known[i.a]) continue;
      is_known[i.a] = true;
      functions.push_back(i.a);
    }
  }
  std::ranges::sort(functions, {}, [&](u32 f) { return code.functions[f].code_begin; });
  return functions;
}

// The expected rounds of the loops around each instruction of a function.
std::vector<f64> rounds_of(const CodeView& code, const Function& f) {
  std::vector<f64> rounds;
  f64 here = 1;
  for (u32 at = f.code_begin; at < f.code_end; ++at) {
    const Op op = code.instructions[at].op;
    if (op == Op::End) here /= kRounds;
    rounds.push_back(here);
    if (op == Op::Loop) here *= kRounds;
  }
  return rounds;
}

}  // namespace

ProgramWindows windows_of(const CodeView& code, u32 function) {
  ProgramWindows out;
  for (const u32 number : functions_of(code, function)) {
    const Function& f = code.functions[number];
    const std::vector<f64> rounds = rounds_of(code, f);
    f64 instructions = 0;
    for (const f64 here : rounds) instructions += here;
    out.weight += static_cast<f64>(cost_of(OtherCost::Instruction)) * instructions;
    for (const CodeWindow& window : find_code_windows(code, number)) {
      ProgramWindow row{window, lone_window(code, window), {}, 0, nullptr};
      if (row.lone.code.functions.empty()) continue;
      row.key = key_of_lone(row.lone.code);
      const f64 cost = static_cast<f64>(cost_of_code(row.lone.code.view(), 0));
      row.weight = rounds[window.begin] * cost;
      out.weight += row.weight;
      out.rows.push_back(std::move(row));
    }
  }
  return out;
}

ReplacedWindows replace_windows(const CodeView& code, const ProgramWindows& windows) {
  ReplacedWindows out;
  Code made;
  // Each one moves the code behind it.
  for (auto row = windows.rows.rbegin(); row != windows.rows.rend(); ++row) {
    if (row->known == nullptr || !row->known->finding.better) continue;
    const Proposal& better = *row->known->finding.better;
    if (out.cheaper++ == 0) made = copy_code(code);
    put_window(made, row->window, row->lone, better.code.view());
    out.by_model |= better.author == Author::Model;
    const f64 cost = static_cast<f64>(cost_of_code(row->lone.code.view(), 0));
    out.saved_share += row->weight * (1 - static_cast<f64>(better.cost) / cost) / windows.weight;
  }
  if (out.cheaper != 0 && !check_code(made.view(), made.functions)) out.code = std::move(made);
  return out;
}

}  // namespace komuz::neural
