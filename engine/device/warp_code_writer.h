// SPDX-License-Identifier: Apache-2.0
// The last step of making a variant, in one thread of a device: checked code becomes warp code. It is appended to
// that of earlier variants, in any order. Nothing depends on where the code lies.
#pragma once
#include "engine/device/made_code.h"

namespace komuz::engine {

class WarpCodeWriter {
 public:
  struct Room {
    u32 ops = 0, constants = 0;
    vm::Lowering<Bounded>::Room lowering;
  };
  HD WarpCodeWriter(RowsMemory& memory, const Room& room)
      : ops_(memory.take<vm::WarpOp>(room.ops)),
        places_(memory.take<u32>(room.ops)),
        constants_(memory.take<u64>(room.constants)),
        lowering_(memory, room.lowering) {}
  [[nodiscard]] static size_t bytes(const Room& room) {
    return RowsMemory::bytes<vm::WarpOp>(room.ops) + RowsMemory::bytes<u32>(room.ops) +
           RowsMemory::bytes<u64>(room.constants) + vm::Lowering<Bounded>::bytes(room.lowering);
  }

  // Fills in `program`, except types_begin.
  template <class Machine>
  [[nodiscard]] HD Made write(const vm::LoweringInput& code, u32 entry, const CodeOutput& out,
                              vm::WarpProgram& program, const Machine& machine) {
    const Made made = lower(code, entry, program);
    if (made != Made::Done || copy_out(out, program, machine)) return made;
    return Made::NoOutput;
  }

 private:
  HD_COLD Made lower(const vm::LoweringInput& code, u32 entry, vm::WarpProgram& program) {
    ops_.clear();
    places_.clear();
    constants_.clear();
    program = {};
    switch (lowering_.run(code, entry, {&ops_, &places_, &constants_}, program)) {
      case vm::Lowered::Done: return Made::Done;
      case vm::Lowered::NoRoom: return Made::NoRoom;
      case vm::Lowered::TooLarge: break;
    }
    return Made::Left;
  }

  // False: there is no room.
  template <class Machine>
  HD_CALL bool copy_out(const CodeOutput& out, vm::WarpProgram& program, const Machine& machine) {
    const u64 ops_at = machine.fetch_add(out.counts->ops, ops_.size());
    const u64 constants_at = machine.fetch_add(out.counts->constants, constants_.size());
    if (ops_at + ops_.size() > out.most_ops ||
        constants_at + constants_.size() > out.most_constants)
      return false;
    for (size_t k = 0; k < ops_.size(); ++k) {
      out.ops[ops_at + k] = ops_[k];
      out.places[ops_at + k] = places_[k];
    }
    for (size_t k = 0; k < constants_.size(); ++k) out.constants[constants_at + k] = constants_[k];
    program.ops_begin = static_cast<u32>(ops_at);
    program.constants_begin = static_cast<u32>(constants_at);
    return true;
  }

  Rows<vm::WarpOp> ops_;
  Rows<u32> places_;  // of each operation
  Rows<u64> constants_;
  vm::Lowering<Bounded> lowering_;
};

}  // namespace komuz::engine
