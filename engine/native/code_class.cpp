// SPDX-License-Identifier: Apache-2.0
#include "engine/native/code_class.h"

#include <iterator>
#include <set>
#include <utility>
#include <vector>

namespace komuz::engine {
namespace {

enum class Switch : u8 { off, on };

struct WayRow {
  NativeWay way;
  Switch is;
};

constexpr WayRow kWays[] = {
#define KERNEL_COSTS(LAUNCH_US, NS_A_BYTE)
#define WAY(CLASS, COMPANY, LANES, EFFORT, GAIN, INSTRUCTION, KERNEL, BESIDES, IS)                 \
  {{CodeClass::CLASS, Company::COMPANY, LANES, backend::Effort::EFFORT, GAIN, INSTRUCTION, KERNEL, \
    BESIDES},                                                                                      \
   Switch::IS},
#include "engine/native/code_classes.def"
#undef WAY
#undef KERNEL_COSTS
};

constexpr KernelCosts kKernelCosts = {
#define WAY(CLASS, COMPANY, LANES, EFFORT, GAIN, INSTRUCTION, KERNEL, BESIDES, IS)
#define KERNEL_COSTS(LAUNCH_US, NS_A_BYTE) 1e3 * LAUNCH_US, NS_A_BYTE
#include "engine/native/code_classes.def"
#undef KERNEL_COSTS
#undef WAY
};

constexpr NativeWay kOtherWay = {
    CodeClass::Straight, Company::Many, 1, backend::Effort::Normal, 1, 0.25, 2.0, 1.0};

const WayRow* find_way(CodeClass code_class, Company company, Switch least) {
  for (const WayRow& row : kWays)
    if (row.way.code_class == code_class && row.way.company == company && row.is >= least)
      return &row;
  return nullptr;
}

}  // namespace

CodeShape shape_of(const CodeView& code, u32 function) {
  CodeShape shape;
  std::set<std::pair<Op, Scalar>> kernels;
  bool has_loops = false, has_areas = false, has_recursion = false;
  std::vector<u32> waiting = {function};
  std::vector<bool> is_known(code.functions.size(), false);
  is_known[function] = true;
  while (!waiting.empty()) {
    const Function& f = code.functions[waiting.back()];
    waiting.pop_back();
    has_recursion |= f.rec != 0;
    shape.instructions += f.code_end - f.code_begin;
    for (u32 at = f.code_begin; at < f.code_end; ++at) {
      const Instruction& i = code.instructions[at];
      has_loops |= i.op == Op::Loop;
      has_areas |= i.op == Op::LoadAt || i.op == Op::StoreAt || i.op == Op::LoadRef;
      if (is_mathematical(i.op)) kernels.emplace(i.op, i.type);
      if (i.op != Op::Call || is_known[i.a]) continue;
      is_known[i.a] = true;
      waiting.push_back(i.a);
    }
  }
  shape.kernels = kernels.size();
  shape.code_class = has_recursion            ? CodeClass::Recursion
                     : has_loops && has_areas ? CodeClass::ArrayLoops
                     : has_loops              ? CodeClass::Loops
                                              : CodeClass::Straight;
  return shape;
}

const KernelCosts& kernel_costs() { return kKernelCosts; }

const NativeWay* native_way(CodeClass code_class, Company company) {
  const WayRow* const row = find_way(code_class, company, Switch::on);
  return row != nullptr ? &row->way : nullptr;
}

const NativeWay& stated_way(CodeClass code_class, Company company) {
  const WayRow* const on = find_way(code_class, company, Switch::on);
  const WayRow* const any = on != nullptr ? on : find_way(code_class, company, Switch::off);
  return any != nullptr ? any->way : kOtherWay;
}

}  // namespace komuz::engine
