// SPDX-License-Identifier: Apache-2.0
#include "backend/ir/frame_plan.h"

#include <algorithm>

#include "lang/type_walk.h"

namespace komuz::backend::ir {
namespace {

std::span<const Instruction> instructions_of(const CodeView& code, const Function& f) {
  return code.instructions.subspan(f.code_begin, f.code_end - f.code_begin);
}

// The cells that an instruction pushes, if they may be a stretch.
u32 pushed_cells(const CodeView& code, Instruction i, u32 lanes) {
  switch (op_row(i.op).form) {
    // Lanes that store to places of their own read from there.
    case OpForm::StoreAt: return lanes == 1 ? 0 : area_access(i).cells;
    case OpForm::LoadSlots: return i.b;
    case OpForm::LoadAt: return area_access(i).cells;
    case OpForm::LoadRef: return i.a;
    case OpForm::Repeat: return i.a * i.b;
    case OpForm::Call: return code.functions[i.a].result_cells;
    default: return 0;
  }
}

// The instructions, and the cells that one moves one by one.
u64 size_of(const CodeView& code, Instruction i) {
  constexpr u64 kMost = kStretch;
  switch (op_row(i.op).form) {
    case OpForm::LoadSlots:
    case OpForm::StoreSlots: return std::min<u64>(i.b, kMost);
    case OpForm::LoadAt:
    case OpForm::StoreAt: return std::min<u64>(area_access(i).cells, kMost);
    case OpForm::LoadRef:
    case OpForm::Consts:
    case OpForm::Repeat: return std::min<u64>(i.a, kMost);
    case OpForm::EqCells:
    case OpForm::Jump: return std::max<u64>(i.a, 1);
    case OpForm::Call: {
      const Function& callee = code.functions[i.a];
      return 1 + std::min<u64>(callee.parameter_slots + callee.result_cells, kMost);
    }
    default: return 1;
  }
}

class FramePlanner {
 public:
  FramePlanner(const CodeView& code, const Function& f, u32 lanes)
      : code_(code), f_(f), lanes_(lanes) {}

  FramePlan plan() {
    find_areas();
    for (const Instruction i : instructions_of(code_, f_)) {
      if (op_row(i.op).form == OpForm::Ref && i.b != 0)
        plan_.areas[plan_.area_of[i.a]].in_scratch = true;
      const u32 pushed = pushed_cells(code_, i, lanes_);
      plan_.stretch_of.push_back(pushed < kStretch ? kNowhere
                                                   : static_cast<u32>(plan_.stretches.size()));
      if (pushed >= kStretch) plan_.stretches.push_back({.cells = pushed});
      if (op_row(i.op).form != OpForm::Call) continue;
      const Function& callee = code_.functions[i.a];
      if (callee.parameter_slots > kMostParameters)
        plan_.passed.cells = std::max<u32>(plan_.passed.cells, callee.parameter_slots);
      if (callee.result_cells > kMostResults)
        plan_.returned.cells = std::max<u32>(plan_.returned.cells, callee.result_cells);
    }
    for (AreaPlan& area : plan_.areas) place(area);
    for (MemoryPlan& stretch : plan_.stretches) place(stretch);
    place(plan_.passed);
    place(plan_.returned);
    return std::move(plan_);
  }

 private:
  // On the stack as long as there is room.
  void place(MemoryPlan& memory) {
    const u32 bytes = memory.cells * 8;
    memory.in_scratch = memory.in_scratch || lanes_ != 1 || on_stack_ + bytes > kMostOnStack;
    if (!memory.in_scratch) {
      on_stack_ += bytes;
    } else {
      memory.offset = plan_.scratch_bytes;
      plan_.scratch_bytes += bytes;
    }
  }

  // Slots that overlap in any way are one area.
  void find_areas() {
    std::vector<std::pair<u32, u32>> found;
    const auto add = [&found](u32 first, u32 slots) {
      if (slots != 0) found.emplace_back(first, first + slots);
    };
    if (f_.parameter_slots >= kStretch) add(0, f_.parameter_slots);
    for (const Instruction i : instructions_of(code_, f_)) {
      switch (op_row(i.op).form) {
        case OpForm::LoadAt:
        case OpForm::StoreAt: add(i.a, area_access(i).slots); break;
        case OpForm::Ref: add(i.a, i.b); break;
        case OpForm::LoadSlots:
        case OpForm::StoreSlots:
          if (i.b >= kStretch) add(i.a, i.b);
          break;
        default: break;
      }
    }
    std::sort(found.begin(), found.end());
    plan_.area_of.assign(f_.slots, kNowhere);
    for (const auto& [first, end] : found) {
      if (plan_.areas.empty() || first >= plan_.areas.back().first + plan_.areas.back().cells) {
        AreaPlan& area = plan_.areas.emplace_back();
        area.first = first;
        area.cells = end - first;
      } else {
        AreaPlan& last = plan_.areas.back();
        last.cells = std::max(last.cells, end - last.first);
      }
    }
    for (u32 k = 0; k < plan_.areas.size(); ++k)
      std::fill_n(plan_.area_of.begin() + plan_.areas[k].first, plan_.areas[k].cells, k);
  }

  const CodeView& code_;
  const Function& f_;
  const u32 lanes_;
  FramePlan plan_;
  u32 on_stack_ = 0;
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

ProgramPlan plan_program(const CodeView& code, std::span<const u32> entries, u32 lanes) {
  ProgramPlan plan;
  plan.frames.resize(code.functions.size());
  plan.callees.resize(code.functions.size());
  std::vector<bool> is_known(code.functions.size());
  for (const u32 entry : entries) {
    if (!is_known[entry]) plan.functions.push_back(entry);
    is_known[entry] = true;
  }
  plan.entries = static_cast<u32>(plan.functions.size());
  for (size_t k = 0; k < plan.functions.size(); ++k) {
    const u32 number = plan.functions[k];
    const Function& f = code.functions[number];
    plan.frames[number] = FramePlanner(code, f, lanes).plan();
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
  ChainSum sum(code, plan, own);
  u64 most = 0;
  for (u32 k = 0; k < plan.entries; ++k) most = std::max(most, sum.of(plan.functions[k]));
  return most;
}

std::vector<Scalar> result_types(const CodeView& code, const Function& f) {
  const std::string_view codes = code.type_codes();
  const size_t begin = skip_type(codes, f.types_begin), end = skip_type(codes, begin);
  std::vector<Scalar> types;
  for_each_cell(codes.substr(begin, end - begin), [&](Scalar type) { types.push_back(type); });
  return types;
}

}  // namespace komuz::backend::ir
