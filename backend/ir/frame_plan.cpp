// SPDX-License-Identifier: Apache-2.0
#include "backend/ir/frame_plan.h"

#include <algorithm>

#include "lang/type_walk.h"

namespace komuz::backend::ir {
namespace {

std::span<const Instruction> instructions_of(const CodeView& code, const Function& f) {
  return code.instructions.subspan(f.code_begin, f.code_end - f.code_begin);
}

// The instructions and cells that an instruction makes or moves.
u64 size_of(const CodeView& code, Instruction i) {
  switch (op_row(i.op).form) {
    case OpForm::LoadSlots:
    case OpForm::StoreSlots: return i.b;
    case OpForm::LoadAt:
    case OpForm::StoreAt: return area_access(i).cells;
    case OpForm::LoadRef:
    case OpForm::Consts:
    case OpForm::EqCells:
    case OpForm::Jump: return std::max<u64>(i.a, 1);
    case OpForm::Copy: return u64{i.b} + 1;
    case OpForm::Repeat: return u64{i.a} * i.b;
    case OpForm::Call: {
      const Function& callee = code.functions[i.a];
      return u64{1} + callee.parameter_slots + callee.result_cells;
    }
    default: return 1;
  }
}

class FramePlanner {
 public:
  FramePlanner(const CodeView& code, const Function& f) : code_(code), f_(f) {}

  FramePlan plan() {
    find_areas();
    for (const Instruction i : instructions_of(code_, f_)) {
      if (op_row(i.op).form == OpForm::Ref && i.b != 0) area(i.a).in_scratch = true;
      if (op_row(i.op).form != OpForm::Call) continue;
      const Function& callee = code_.functions[i.a];
      if (callee.parameter_slots > kMostParameters)
        plan_.passed_cells = std::max<u32>(plan_.passed_cells, callee.parameter_slots);
      if (callee.result_cells > kMostResults)
        plan_.returned_cells = std::max<u32>(plan_.returned_cells, callee.result_cells);
    }
    for (AreaPlan& a : plan_.areas) {
      const u32 bytes = (a.slots * scalar_bytes(a.type) + 7) / 8 * 8;
      a.in_scratch = a.in_scratch || bytes > kMostOnStack;
      if (a.in_scratch) a.offset = take(bytes);
    }
    plan_.passes_in_scratch = (plan_.passed_cells + plan_.returned_cells) * 8 > kMostOnStack;
    if (plan_.passes_in_scratch) {
      plan_.passed_offset = take(plan_.passed_cells * 8);
      plan_.returned_offset = take(plan_.returned_cells * 8);
    }
    return std::move(plan_);
  }

 private:
  u32 take(u32 bytes) {
    plan_.scratch_bytes += bytes;
    return plan_.scratch_bytes - bytes;
  }
  AreaPlan& area(u32 slot) { return plan_.areas[plan_.area_of[slot]]; }

  // Stretches that overlap are one area.
  void find_areas() {
    std::vector<std::pair<u32, u32>> stretches;
    for (const Instruction i : instructions_of(code_, f_)) {
      const OpForm form = op_row(i.op).form;
      if (form == OpForm::LoadAt || form == OpForm::StoreAt)
        stretches.emplace_back(i.a, i.a + area_access(i).slots);
      if (form == OpForm::Ref) stretches.emplace_back(i.a, i.a + i.b);
    }
    std::sort(stretches.begin(), stretches.end());
    plan_.area_of.assign(f_.slots, kNoArea);
    for (const auto& [first, end] : stretches) {
      if (first == end) continue;
      const bool joins =
          !plan_.areas.empty() && first < plan_.areas.back().first + plan_.areas.back().slots;
      if (!joins) {
        const auto type = static_cast<Scalar>(code_.slot_types[f_.slots_begin + first]);
        plan_.areas.push_back({first, end - first, type});
      } else {
        AreaPlan& last = plan_.areas.back();
        last.slots = std::max(last.slots, end - last.first);
      }
    }
    for (u32 k = 0; k < plan_.areas.size(); ++k) {
      const AreaPlan& a = plan_.areas[k];
      std::fill_n(plan_.area_of.begin() + a.first, a.slots, k);
    }
  }

  const CodeView& code_;
  const Function& f_;
  FramePlan plan_;
};

// What a call of function f takes; `taken` holds what is known already.
class ChainSum {
 public:
  ChainSum(const CodeView& code, const ProgramPlan& plan, const std::vector<u64>& own)
      : code_(code), plan_(plan), own_(own), taken_(code.functions.size(), kUnknown) {}

  u64 of(u32 f) {
    if (taken_[f] != kUnknown) return taken_[f];
    const Function& header = code_.functions[f];
    u64 most = 0, largest = own_[f];
    if (header.cycle == 0) {
      for (const u32 callee : plan_.callees[f]) most = std::max(most, of(callee));
    } else {
      for (const u32 g : plan_.functions) {
        if (code_.functions[g].cycle != header.cycle) continue;
        largest = std::max(largest, own_[g]);
        for (const u32 callee : plan_.callees[g])
          if (code_.functions[callee].cycle != header.cycle) most = std::max(most, of(callee));
      }
      largest *= header.rec;
    }
    return taken_[f] = largest + most;
  }

 private:
  static constexpr u64 kUnknown = ~u64{0};
  const CodeView& code_;
  const ProgramPlan& plan_;
  const std::vector<u64>& own_;
  std::vector<u64> taken_;
};

}  // namespace

ProgramPlan plan_program(const CodeView& code, u32 entry) {
  ProgramPlan plan;
  plan.frames.resize(code.functions.size());
  plan.callees.resize(code.functions.size());
  std::vector<bool> is_known(code.functions.size());
  plan.functions.push_back(entry);
  is_known[entry] = true;
  for (size_t k = 0; k < plan.functions.size(); ++k) {
    const u32 number = plan.functions[k];
    const Function& f = code.functions[number];
    plan.frames[number] = FramePlanner(code, f).plan();
    plan.uses_scratch = plan.uses_scratch || plan.frames[number].scratch_bytes != 0;
    for (const Instruction i : instructions_of(code, f)) {
      plan.size += size_of(code, i);
      if (op_row(i.op).form != OpForm::Call) continue;
      std::vector<u32>& callees = plan.callees[number];
      if (std::find(callees.begin(), callees.end(), i.a) == callees.end()) callees.push_back(i.a);
      if (!is_known[i.a]) plan.functions.push_back(i.a);
      is_known[i.a] = true;
    }
  }
  return plan;
}

u64 most_of_chain(const CodeView& code, const ProgramPlan& plan, const std::vector<u64>& own) {
  return ChainSum(code, plan, own).of(plan.functions[0]);
}

std::vector<Scalar> result_types(const CodeView& code, const Function& f) {
  const std::string_view codes = code.type_codes();
  const size_t begin = skip_type(codes, f.types_begin), end = skip_type(codes, begin);
  std::vector<Scalar> types;
  for_each_cell(codes.substr(begin, end - begin), [&](Scalar type) { types.push_back(type); });
  return types;
}

}  // namespace komuz::backend::ir
