// SPDX-License-Identifier: Apache-2.0
#include "vm/one_lane.h"

#include <cstdint>

namespace komuz::vm {
namespace {

constexpr u32 kEntryBits = 13;

// A table of handlers of any dimensions, as a list.
template <class Table>
std::span<const Handler> list_of(const Table& table) {
  static_assert(sizeof(Table) % sizeof(Handler) == 0);
  return {reinterpret_cast<const Handler*>(&table), sizeof(Table) / sizeof(Handler)};
}

}  // namespace

size_t OneLane::slot_of(Handler handler) const {
  constexpr u64 kSpread = 0x9E37'79B9'7F4A'7C15;
  size_t slot = reinterpret_cast<uintptr_t>(handler) * kSpread >> (64 - kEntryBits);
  while (entries_[slot].handler != nullptr && entries_[slot].handler != handler)
    slot = (slot + 1) % entries_.size();
  return slot;
}

// The first entry stays: if one handler serves two operations, one serves them here, too.
void OneLane::add(Handler of_lanes, Handler own, Kind kind) {
  if (of_lanes == nullptr) return;
  Entry& entry = entries_[slot_of(of_lanes)];
  if (entry.handler == nullptr) entry = {of_lanes, own, nullptr, kind};
}

void OneLane::add_control(const PartingHandlers& of_lanes, const PartingHandlers& own) {
  const auto add_as = [&](Control control, Kind kind) {
    const auto c = static_cast<u32>(control);
    add(of_lanes.control[c], own.control[c], kind);
  };
  add_as(Control::Merge, Kind::Merge);
  add_as(Control::Rejoin, Kind::Merge);
  add_as(Control::LoopEnd, Kind::LoopEnd);
  add_as(Control::Break, Kind::Leave);
  add_as(Control::ReturnEarly, Kind::Leave);
  add_as(Control::Continue, Kind::Continue);
  add_as(Control::BreakIfFalse, Kind::Test);
  add_as(Control::Call, Kind::Call);
  for (const Control kept : {Control::ElementsStart, Control::Elements, Control::ElementsEnd})
    add_as(kept, Kind::Kept);
  add_as(Control::Finish, Kind::Finish);
  for (u32 c = 0; c < kControlCount; ++c) add_as(static_cast<Control>(c), Kind::Other);
}

void OneLane::add_all(const HandlerTable& of_lanes, const HandlerTable& own) {
  const auto add_list = [this](std::span<const Handler> lanes, std::span<const Handler> one,
                               Kind kind = Kind::Other) {
    for (size_t k = 0; k < lanes.size(); ++k) add(lanes[k], one[k], kind);
  };
  for (const Handler result : of_lanes.result) add(result, nullptr, Kind::Finish);
  add_control(of_lanes.one_word, own.one_word);
  // The same handlers with 256 lanes.
  add_control(of_lanes.all_words, own.one_word);
  for (const PartingHandlers* const lanes : {&of_lanes.one_word, &of_lanes.all_words}) {
    add_list(list_of(lanes->if_compared), list_of(own.one_word.if_compared));
    add_list(list_of(lanes->break_compared), list_of(own.one_word.break_compared), Kind::Test);
    add_list(list_of(lanes->for_next), list_of(own.one_word.for_next), Kind::Test);
  }
  add_list(list_of(of_lanes.pure), list_of(own.pure));
  add_list(list_of(of_lanes.by_power_of_two), list_of(own.by_power_of_two));
  add_list(list_of(of_lanes.compare_cells), list_of(own.compare_cells));
  add_list(list_of(of_lanes.move), list_of(own.move));
  add_list(list_of(of_lanes.move_cells), list_of(own.move_cells));
}

OneLane::OneLane(const LaneMachine& machine, const OneLaneHandlers& handlers)
    : entries_(size_t{1} << kEntryBits),
      as_for_lanes_(handlers.as_for_lanes),
      limit_(handlers.limit),
      elements_(machine.handlers.one_word.control[static_cast<u32>(Control::Elements)]) {
  add_all(machine.handlers, handlers.table);
  for (const OneLaneVariants& variants : handlers.variants) {
    const Handler handler = variants.handlers[0][0];
    entries_[slot_of(handler)] = {handler, nullptr, &variants, Kind::Other};
  }
}

// Marks the operations that stay unchanged in `of_lanes`. False: a function called for elements would have to stay,
// too.
bool OneLane::keep_elements(LoweredProgram& program) const {
  for (size_t loop = 0; loop < program.element_loops.size(); ++loop) {
    const u32 end = program.element_loops[loop].end_op;
    const auto start = static_cast<size_t>(end + program.ops[end].c - 1);
    size_t part = program.element_loops[loop].each_op;
    do {
      --part;
      if (find(program.ops[part].run).kind == Kind::Call) return false;
      program.of_lanes[part] = program.ops[part].run;
    } while (program.ops[part].run != elements_);
    program.of_lanes[start] = program.ops[start].run;
    program.of_lanes[end] = program.ops[end].run;
  }
  return true;
}

// Chooses the variant for the places of its operands.
void OneLane::place(LoweredOp& op, LoopTest form) const {
  const OneLaneVariants* const variants = find(op.run).variants;
  if (variants == nullptr) return;
  const auto& row = variants->handlers[static_cast<u32>(form)];
  const bool a = (op.a & kFromFrame) != 0, b = (op.b & kFromFrame) != 0;
  const u32 places = a ? (b ? 1 : 2) : (b ? 3 : 0);
  op.run = row[places] != nullptr ? row[places] : row[0];
}

// For a loop whose iterations start with a test: repeats the test at the loop's end.
void OneLane::close_loop(LoweredProgram& program, u32 end) const {
  LoweredOp& last = program.ops[end];
  const auto start = static_cast<u32>(end + last.c);
  LoweredOp& test = program.ops[start];
  const OneLaneVariants* const variants = find(test.run).variants;
  if (variants == nullptr || !variants->is_test) return;
  const bool has_limit = program.ops[start + 1].run == limit_;
  const Handler handler = test.run;
  place(test, has_limit ? LoopTest::WithLimit : LoopTest::Plain);
  LoweredOp at_end = test;
  at_end.run = handler;
  place(at_end, has_limit ? LoopTest::AtEndWithLimit : LoopTest::AtEnd);
  last.run = at_end.run;
  last.a = reinterpret_cast<i64>(&test);
}

// Works backwards, so that the region end seen last is the one that lanes would wait for: inside of a loop no region
// has the loop's number.
void OneLane::use(LoweredProgram& program) const {
  program.of_lanes.assign(program.ops.size(), nullptr);
  if (!keep_elements(program)) return;
  std::vector<u32>& ends = program.region_ends;
  const auto end_of = [&](u32 region) -> u32& {
    if (ends.size() <= region) ends.resize(region + 1);
    return ends[region];
  };
  for (auto k = static_cast<u32>(program.ops.size()); k-- > 0;) {
    LoweredOp& op = program.ops[k];
    if (program.of_lanes[k] != nullptr) {
      if (find(op.run).kind == Kind::LoopEnd) end_of(op.region) = k;
      continue;
    }
    const Entry& entry = find(op.run);
    program.of_lanes[k] = op.run;
    switch (entry.kind) {
      case Kind::Kept: continue;
      case Kind::Finish: program.entry_end = k; continue;
      case Kind::Merge:
      case Kind::LoopEnd: end_of(op.region) = k; break;
      case Kind::Leave: op.c = i64{end_of(op.region)} + 1 - k; break;
      // Lanes that leave by a test may pass others that wait in the loop. One lane leaves nobody behind.
      case Kind::Test:
      case Kind::Continue: op.c = i64{end_of(op.region)} - k; break;
      case Kind::Call:
      case Kind::Other: break;
    }
    op.run = entry.own != nullptr ? entry.own : as_for_lanes_;
  }
  for (u32 k = 0; k < program.ops.size(); ++k) {
    LoweredOp& op = program.ops[k];
    if (op.run == program.of_lanes[k]) continue;
    const OneLaneVariants* const variants = find(op.run).variants;
    if (variants != nullptr && !variants->is_test) place(op, LoopTest::Plain);
    if (find(program.of_lanes[k]).kind == Kind::LoopEnd) close_loop(program, k);
  }
}

}  // namespace komuz::vm
