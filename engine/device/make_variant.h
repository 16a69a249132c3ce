// SPDX-License-Identifier: Apache-2.0
// Turns a variant of a sketch, given by its number or its decisions, into warp code, in one thread of a device. The
// steps are those that the host takes with VariantPlan, Binder, identity_of and WarpLowering; the lists lie in the
// thread's own memory. The code is appended to that of earlier variants, in any order. Nothing depends on where the
// code lies.
#pragma once
#include "engine/device/variant_decoder.h"
#include "engine/device/warp_code_writer.h"
#include "engine/sketch/bound_identity.h"

namespace komuz::engine {

class VariantWorkspace {
 public:
  HD_CALL VariantWorkspace(const VariantTask& task, u8* memory)
      : VariantWorkspace(task, RowsMemory(memory)) {}

  [[nodiscard]] static size_t bytes(const VariantTask& task) {
    const VariantRoom& room = task.room;
    const auto functions = static_cast<u32>(task.bind.headers.size());
    return VariantDecoder::bytes(decoder_room(task)) +
           RowsMemory::bytes<Instruction>(room.instructions) +
           RowsMemory::bytes<u32>(room.instructions) + RowsMemory::bytes<u64>(room.constants) +
           RowsMemory::bytes<Function>(functions) + Binding<Bounded>::bytes(room.binding) +
           WarpCodeWriter::bytes(room.code);
  }

  // A variant of the list. `machine` adds to the counts of all threads.
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
    MadeVariant made{};
    ClaimedSlot claimed{};
    Made state = decoder_.decode_of_stretch(task.variants, stretch, variant);
    if (state == Made::Done) state = bind_variant(task, made);
    if (state == Made::Done) {
      claimed = claim(stretch.known, made.identity_low, made.identity_high,
                      stretch.first_row + variant, machine);
      stretch.slots[variant] = claimed.slot;
      if (!claimed.is_new) return;
      state = write_code(task, made.program, machine);
    }
    if (state != Made::Done)
      count_left(*task.code.counts, state, machine);
    else
      stretch.add(made.program, claimed.slot, made.bytes, *task.code.counts, machine);
  }

 private:
  HD VariantWorkspace(const VariantTask& task, RowsMemory memory)
      : decoder_(memory, decoder_room(task)),
        instructions_(memory.take<Instruction>(task.room.instructions)),
        places_(memory.take<u32>(task.room.instructions)),
        constants_(memory.take<u64>(task.room.constants)),
        functions_(memory.take<Function>(static_cast<u32>(task.bind.headers.size()))),
        binding_(memory, task.room.binding),
        writer_(memory, task.room.code) {}

  HD static VariantDecoder::Room decoder_room(const VariantTask& task) {
    return {task.variants.nesting, task.room.decided, task.room.instances};
  }
  HD Made decode_listed(const VariantTask& task, u32 variant) {
    const u64 number = task.numbers[variant];
    if (number != VariantTask::kNoNumber) return decoder_.decode_number(task.variants, number);
    const u32 begin = task.decision_begins[variant], end = task.decision_begins[variant + 1];
    return decoder_.decode_list(task.variants, {task.decisions + begin, end - begin});
  }

  HD_COLD Made bind_variant(const VariantTask& task, MadeVariant& made) {
    const std::span<const Function> headers = task.bind.headers;
    functions_.clear();
    for (size_t k = 0; k < headers.size(); ++k) functions_.push_back(headers[k]);
    const BoundRows<Bounded> bound{instructions_, places_, constants_, functions_};
    if (binding_.bind(task.bind, decoder_.variant(), bound) == Binding<Bounded>::kNoRoom)
      return Made::NoRoom;
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
    const vm::LoweringInput input{.instructions = instructions_.data(),
                                  .constants = constants_.data(),
                                  .functions = functions_.data(),
                                  .slot_types = task.slot_types.data(),
                                  .result_types = task.result_types.data(),
                                  .result_begins = task.result_begins.data(),
                                  .function_count = static_cast<u32>(functions_.size())};
    return writer_.write(input, task.entry, task.code, program, machine);
  }

  VariantDecoder decoder_;
  Rows<Instruction> instructions_;
  Rows<u32> places_;
  Rows<u64> constants_;
  Rows<Function> functions_;
  Binding<Bounded> binding_;
  WarpCodeWriter writer_;
};

}  // namespace komuz::engine
