// SPDX-License-Identifier: Apache-2.0
// A variant of a sketch, from its number or its decisions to warp code, by one thread of a device: the steps that
// the host takes with VariantPlan, Binder, identity_of and WarpLowering, in memory of the thread's own. The code
// goes behind that of the variants which were done before, whichever these are; nothing that follows from it
// depends on where it lies.
#pragma once
#include "engine/cuda/variant_task.h"
#include "engine/sketch/bound_identity.h"

namespace komuz::engine {

class VariantWorkspace {
 public:
  HD_CALL VariantWorkspace(const VariantTask& task, u8* memory)
      : VariantWorkspace(task, RowsMemory(memory)) {}

  [[nodiscard]] static size_t bytes(const VariantTask& task) {
    const VariantRoom& room = task.room;
    const auto functions = static_cast<u32>(task.bind.headers.size());
    return RowsMemory::bytes<NumberFrame>(task.variants.nesting) +
           RowsMemory::bytes<DecisionFrame>(task.variants.nesting) +
           RowsMemory::bytes<u32>(room.decided) + RowsMemory::bytes<Instance>(room.instances) +
           RowsMemory::bytes<u32>(room.decided) +
           RowsMemory::bytes<Instruction>(room.instructions) +
           RowsMemory::bytes<u32>(room.instructions) + RowsMemory::bytes<u64>(room.constants) +
           RowsMemory::bytes<Function>(functions) + RowsMemory::bytes<vm::WarpOp>(room.ops) +
           RowsMemory::bytes<u32>(room.ops) + RowsMemory::bytes<u64>(room.constants) +
           Binding<Bounded>::bytes(room.binding) + vm::Lowering<Bounded>::bytes(room.lowering);
  }

  // A variant of the list. `machine` adds to what all threads count.
  template <class Machine>
  HD_CALL void make(const VariantTask& task, u32 variant, const Machine& machine) {
    MadeVariant& made = task.made[variant];
    made.made = decode_listed(task, variant);
    if (made.made == Made::Done) made.made = bind_variant(task, made);
    if (made.made == Made::Done) made.made = write_code(task, made.program, machine);
  }
  // A variant of the stretch.
  template <class Machine>
  HD_CALL void make_of_stretch(const VariantTask& task, u32 variant, const Machine& machine) {
    const VariantStretch& stretch = task.stretch;
    const u32 row = stretch.first_row + variant;
    MadeVariant made{};
    ClaimedSlot claimed{};
    Made state = stretch.decisions.words == nullptr ? decode_number(task, stretch.numbers.at(row))
                                                    : decode_list(task, stretch.decisions[variant]);
    if (state == Made::Done) state = bind_variant(task, made);
    if (state == Made::Done) {
      claimed = claim(stretch.known, made.identity_low, made.identity_high, row, machine);
      stretch.slots[variant] = claimed.slot;
      if (!claimed.is_new) return;
      state = write_code(task, made.program, machine);
    }
    if (state != Made::Done) {
      machine.fetch_add(count_of(*task.counts, state), 1);
      return;
    }
    const u64 number = machine.fetch_add(task.counts->programs, 1);
    made.program.types_begin = static_cast<u32>(number) * made.program.results;
    stretch.programs[number] = made.program;
    stretch.slot_of[number] = claimed.slot;
    stretch.bytes_of[number] = made.bytes;
  }

 private:
  HD VariantWorkspace(const VariantTask& task, RowsMemory memory)
      : number_frames_(memory.take<NumberFrame>(task.variants.nesting)),
        decision_frames_(memory.take<DecisionFrame>(task.variants.nesting)),
        decisions_(memory.take<u32>(task.room.decided)),
        variant_{memory.take<Instance>(task.room.instances), memory.take<u32>(task.room.decided)},
        instructions_(memory.take<Instruction>(task.room.instructions)),
        places_(memory.take<u32>(task.room.instructions)),
        constants_(memory.take<u64>(task.room.constants)),
        functions_(memory.take<Function>(static_cast<u32>(task.bind.headers.size()))),
        ops_(memory.take<vm::WarpOp>(task.room.ops)),
        places_of_ops_(memory.take<u32>(task.room.ops)),
        constants_of_ops_(memory.take<u64>(task.room.constants)),
        binding_(memory, task.room.binding),
        lowering_(memory, task.room.lowering) {}

  HD static Made made_of(Walked walked) {
    if (walked == Walked::Done) return Made::Done;
    return walked == Walked::NoRoom ? Made::NoRoom : Made::Left;
  }
  HD static u64& count_of(MadeCounts& counts, Made made) {
    if (made == Made::NoRoom) return counts.no_room;
    return made == Made::NoOutput ? counts.no_output : counts.left;
  }
  HD Made decode_listed(const VariantTask& task, u32 variant) {
    const u64 number = task.numbers[variant];
    if (number != VariantTask::kNoNumber) return decode_number(task, number);
    const u32 begin = task.decision_begins[variant], end = task.decision_begins[variant + 1];
    return decode_list(task, {task.decisions + begin, end - begin});
  }
  HD_CALL Made decode_number(const VariantTask& task, u64 number) {
    const Walked walked = unrank(task.variants, number, number_frames_, decisions_);
    if (walked != Walked::Done) return made_of(walked);
    return decode_list(task, {decisions_.data(), decisions_.size()});
  }
  HD_CALL Made decode_list(const VariantTask& task, std::span<const u32> decisions) {
    return made_of(decode(task.variants, decisions, decision_frames_, variant_));
  }

  HD_CALL Made bind_variant(const VariantTask& task, MadeVariant& made) {
    const std::span<const Function> headers = task.bind.headers;
    functions_.clear();
    for (size_t k = 0; k < headers.size(); ++k) functions_.push_back(headers[k]);
    const BoundRows<Bounded> bound{instructions_, places_, constants_, functions_};
    if (binding_.bind(task.bind, variant_, bound) == Binding<Bounded>::kNoRoom) return Made::NoRoom;
    const u32 own = task.own_functions;
    const BoundView code{instructions_.data(), constants_.data(), functions_.data(),
                         functions_[own - 1].code_end, own};
    const Hash128 identity = hash_of(code);
    made.identity_low = identity.low;
    made.identity_high = identity.high;
    made.bytes = static_cast<u32>(bytes_of(code));
    return Made::Done;
  }

  template <class Machine>
  HD Made write_code(const VariantTask& task, vm::WarpProgram& program, const Machine& machine) {
    const Made made = lower_variant(task, program);
    if (made != Made::Done || copy_out(task, program, machine)) return made;
    return Made::NoOutput;
  }
  HD_CALL Made lower_variant(const VariantTask& task, vm::WarpProgram& program) {
    ops_.clear();
    places_of_ops_.clear();
    constants_of_ops_.clear();
    program = {};
    const vm::LoweringInput input{.instructions = instructions_.data(),
                                  .constants = constants_.data(),
                                  .functions = functions_.data(),
                                  .slot_types = task.slot_types.data(),
                                  .result_types = task.result_types.data(),
                                  .result_begins = task.result_begins.data(),
                                  .function_count = static_cast<u32>(functions_.size())};
    switch (
        lowering_.run(input, task.entry, {&ops_, &places_of_ops_, &constants_of_ops_}, program)) {
      case vm::Lowered::Done: return Made::Done;
      case vm::Lowered::NoRoom: return Made::NoRoom;
      case vm::Lowered::TooLarge: break;
    }
    return Made::Left;
  }

  // False: there is no room.
  template <class Machine>
  HD_CALL bool copy_out(const VariantTask& task, vm::WarpProgram& program, const Machine& machine) {
    const u64 ops_at = machine.fetch_add(task.counts->ops, ops_.size());
    const u64 constants_at = machine.fetch_add(task.counts->constants, constants_of_ops_.size());
    if (ops_at + ops_.size() > task.most_ops ||
        constants_at + constants_of_ops_.size() > task.most_constants)
      return false;
    for (size_t k = 0; k < ops_.size(); ++k) {
      task.ops[ops_at + k] = ops_[k];
      task.places[ops_at + k] = places_of_ops_[k];
    }
    for (size_t k = 0; k < constants_of_ops_.size(); ++k)
      task.constants[constants_at + k] = constants_of_ops_[k];
    program.ops_begin = static_cast<u32>(ops_at);
    program.constants_begin = static_cast<u32>(constants_at);
    return true;
  }

  Rows<NumberFrame> number_frames_;
  Rows<DecisionFrame> decision_frames_;
  Rows<u32> decisions_;
  DecodedRows<Bounded> variant_;
  Rows<Instruction> instructions_;
  Rows<u32> places_;
  Rows<u64> constants_;
  Rows<Function> functions_;
  Rows<vm::WarpOp> ops_;
  Rows<u32> places_of_ops_;
  Rows<u64> constants_of_ops_;
  Binding<Bounded> binding_;
  vm::Lowering<Bounded> lowering_;
};

}  // namespace komuz::engine
