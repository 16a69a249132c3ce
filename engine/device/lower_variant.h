// SPDX-License-Identifier: Apache-2.0
// Turns the code that the device's front end made from a variant's text into warp code, in one thread. These are the
// host's steps: reading a program of a batch (frontend_gpu/device/unpack.cpp), accepting it, and placing it.
#pragma once
#include "engine/device/expand_task.h"
#include "vm/cuda/result_types.h"

namespace komuz::engine {

class VariantLowering {
 public:
  HD_CALL VariantLowering(const ExpandTask& task, u8* memory)
      : VariantLowering(task.room, RowsMemory(memory)) {}

  [[nodiscard]] static size_t bytes(const ExpandRoom& room) {
    return Linking<Bounded>::bytes(room.linking) +
           frontend::DeviceChecker::bytes(frontend::check_room()) +
           RowsMemory::bytes<Instruction>(room.instructions) +
           RowsMemory::bytes<u32>(room.instructions) + RowsMemory::bytes<u64>(room.constants) +
           RowsMemory::bytes<Function>(room.functions) + RowsMemory::bytes<u8>(room.types) +
           RowsMemory::bytes<u8>(room.slots) + RowsMemory::bytes<char>(room.names) +
           RowsMemory::bytes<NameRange>(room.slots) + RowsMemory::bytes<u8>(room.result_cells) +
           RowsMemory::bytes<u32>(room.functions) + WarpCodeWriter::bytes(room.code);
  }

  template <class Machine>
  HD_CALL void run(const ExpandTask& task, u32 variant, const Machine& machine) {
    if (task.programs[variant].bytes == 0) return;  // it has been counted
    const frontend::DeviceResult& compiled = task.compiled.results[variant];
    MadeCounts& counts = task.counts->made;
    if (compiled.end != frontend::DeviceEnd::Done || compiled.has_code == 0)
      return count_left(counts, Made::Left, machine);
    const ClaimedSlot claimed =
        claim(task.stretch.known, compiled.hash_low, compiled.hash_high ^ compiled.tokens,
              task.stretch.first_row + variant, machine);
    task.stretch.slots[variant] = claimed.slot;
    if (!claimed.is_new) return;
    vm::WarpProgram program{};
    u32 bytes = 0;
    Made made = take_code(task, compiled, bytes);
    if (made == Made::Done) made = write_code(task, program, machine);
    if (made != Made::Done)
      count_left(counts, made, machine);
    else
      task.stretch.add(program, claimed.slot, bytes, counts, machine);
  }

 private:
  HD VariantLowering(const ExpandRoom& room, RowsMemory memory)
      : linking_(memory, room.linking),
        checker_(memory, frontend::check_room()),
        linked_{memory.take<Instruction>(room.instructions),
                memory.take<u32>(room.instructions),
                memory.take<u64>(room.constants),
                memory.take<Function>(room.functions),
                memory.take<u8>(room.types),
                memory.take<u8>(room.slots),
                memory.take<char>(room.names),
                memory.take<NameRange>(room.slots)},
        result_types_(memory.take<u8>(room.result_cells)),
        result_begins_(memory.take<u32>(room.functions)),
        writer_(memory, room.code) {}

  // Code that is checked and complete, and its size.
  HD_COLD Made take_code(const ExpandTask& task, const frontend::DeviceResult& compiled,
                         u32& bytes) {
    code_ = frontend::code_of(compiled, task.compiled.output);
    if (task.harness != kNoModule || is_open(code_)) {
      Made linked = link(task);
      if (linked == Made::Done) linked = check();
      if (linked != Made::Done) return linked;
    } else if (compiled.is_checked == 0) {
      return Made::Left;
    }
    for (const Function& f : code_.functions)
      if (!is_side_entry(f.kind) && f.stack_bytes > task.stack_limit) return Made::Left;
    bytes = static_cast<u32>(code_bytes(code_));
    return Made::Done;
  }

  HD_COLD Made link(const ExpandTask& task) {
    const LinkUnit program{code_, task.heads};
    const Linked linked = task.harness == kNoModule
                              ? linking_.link(program, task.library, linked_)
                              : linking_.link_harness(task.harness, task.harness_entry, program,
                                                      task.library, linked_);
    if (linked == Linked::NoRoom) return Made::NoRoom;
    if (linked != Linked::Done) return Made::Left;
    code_ = linked_.view();
    return Made::Done;
  }
  HD_COLD Made check() {
    const Checked checked = checker_.check(
        code_, {linked_.functions.data(), linked_.functions.size()}, frontend::kNoStackLimit);
    return checked == Checked::Sound ? Made::Done : Made::Left;
  }

  template <class Machine>
  HD_COLD Made write_code(const ExpandTask& task, vm::WarpProgram& program,
                          const Machine& machine) {
    if (!vm::list_result_types(code_, result_types_, result_begins_)) return Made::NoRoom;
    u32 entry = task.entry;
    if (!task.added.instructions.empty()) {
      const Made added = add_function(task);
      if (added != Made::Done) return added;
      entry = static_cast<u32>(code_.functions.size()) - 1;
    }
    const vm::LoweringInput input{.instructions = code_.instructions.data(),
                                  .constants = code_.constants.data(),
                                  .functions = code_.functions.data(),
                                  .slot_types = code_.slot_types.data(),
                                  .result_types = result_types_.data(),
                                  .result_begins = result_begins_.data(),
                                  .function_count = static_cast<u32>(code_.functions.size())};
    return writer_.write(input, entry, task.code, program, machine);
  }

  // Code that is not linked has to be copied first. The result type is that of the entry, which the function calls.
  HD_COLD Made add_function(const ExpandTask& task) {
    const AddedRows& added = task.added;
    Function f = added.header;
    const u32 frame = (u32{f.slots} + f.max_stack) * sizeof(u64);
    if (code_.functions[task.entry].stack_bytes + frame > task.stack_limit) return Made::Left;
    // The host asks the checker about all functions.
    for (const Function& own : code_.functions)
      if (own.stack_bytes > task.stack_limit) return Made::Left;
    if (linked_.instructions.data() != code_.instructions.data() && !copy_code())
      return Made::NoRoom;
    f.code_begin = static_cast<u32>(linked_.instructions.size());
    f.slots_begin = static_cast<u32>(linked_.slot_types.size());
    const auto constants = static_cast<u32>(linked_.constants.size());
    const u32 result = result_begins_[task.entry],
              result_cells = code_.functions[task.entry].result_cells;
    if (!has_room(linked_.functions, 1) || !has_room(result_begins_, 1) ||
        !has_room(result_types_, result_cells) ||
        !append_rows(linked_.instructions, added.instructions) ||
        !append_rows(linked_.constants, added.constants) ||
        !append_rows(linked_.slot_types, added.slot_types))
      return Made::NoRoom;
    f.code_end = static_cast<u32>(linked_.instructions.size());
    for (u32 k = f.code_begin; k < f.code_end; ++k)
      if (linked_.instructions[k].op == Op::LoadConst) linked_.instructions[k].b += constants;
    linked_.functions.push_back(f);
    result_begins_.push_back(static_cast<u32>(result_types_.size()));
    for (u32 k = 0; k < result_cells; ++k) result_types_.push_back(result_types_[result + k]);
    see_rows();
    return Made::Done;
  }
  HD_CALL bool copy_code() {
    linked_.instructions.clear();
    linked_.constants.clear();
    linked_.functions.clear();
    linked_.slot_types.clear();
    return append_rows(linked_.instructions, code_.instructions) &&
           append_rows(linked_.constants, code_.constants) &&
           append_rows(linked_.functions, code_.functions) &&
           append_rows(linked_.slot_types, code_.slot_types);
  }
  // Sets what lowering reads.
  HD void see_rows() {
    code_.instructions = {linked_.instructions.data(), linked_.instructions.size()};
    code_.constants = {linked_.constants.data(), linked_.constants.size()};
    code_.functions = {linked_.functions.data(), linked_.functions.size()};
    code_.slot_types = {linked_.slot_types.data(), linked_.slot_types.size()};
  }

  Linking<Bounded> linking_;
  frontend::DeviceChecker checker_;
  LinkedRows linked_;
  CodeView code_;  // of the variant: as compiled, or linked, or with the added function
  Rows<u8> result_types_;
  Rows<u32> result_begins_;  // by function
  WarpCodeWriter writer_;
};

}  // namespace komuz::engine
