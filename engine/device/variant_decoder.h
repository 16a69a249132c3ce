// SPDX-License-Identifier: Apache-2.0
// Decodes a variant's number or decisions into the content of each hole, in one thread of a device: the first step of
// making a variant.
#pragma once
#include "engine/device/variant_task.h"

namespace komuz::engine {

class VariantDecoder {
 public:
  struct Room {
    u32 nesting = 0;  // of stages
    u32 decided = 0, instances = 0;
  };
  HD VariantDecoder(RowsMemory& memory, const Room& room)
      : number_frames_(memory.take<NumberFrame>(room.nesting)),
        decision_frames_(memory.take<DecisionFrame>(room.nesting)),
        decisions_(memory.take<u32>(room.decided)),
        variant_{memory.take<Instance>(room.instances), memory.take<u32>(room.decided)} {}
  [[nodiscard]] static size_t bytes(const Room& room) {
    return RowsMemory::bytes<NumberFrame>(room.nesting) +
           RowsMemory::bytes<DecisionFrame>(room.nesting) +
           2 * RowsMemory::bytes<u32>(room.decided) + RowsMemory::bytes<Instance>(room.instances);
  }

  [[nodiscard]] HD_COLD Made decode_number(const VariantTables& tables, u64 number) {
    const Walked walked = unrank(tables, number, number_frames_, decisions_);
    if (walked != Walked::Done) return made_of(walked);
    return decode_list(tables, {decisions_.data(), decisions_.size()});
  }
  [[nodiscard]] HD_COLD Made decode_list(const VariantTables& tables,
                                         std::span<const u32> decisions) {
    return made_of(decode(tables, decisions, decision_frames_, variant_));
  }
  [[nodiscard]] HD Made decode_of_stretch(const VariantTables& tables,
                                          const VariantStretch& stretch, u32 variant) {
    return stretch.decisions.words == nullptr
               ? decode_number(tables, stretch.numbers.at(stretch.first_row + variant))
               : decode_list(tables, stretch.decisions[variant]);
  }

  // The last variant that is Done.
  [[nodiscard]] HD const DecodedRows<Bounded>& variant() const { return variant_; }

  [[nodiscard]] HD static Made made_of(Walked walked) {
    if (walked == Walked::Done) return Made::Done;
    return walked == Walked::NoRoom ? Made::NoRoom : Made::Left;
  }

 private:
  Rows<NumberFrame> number_frames_;
  Rows<DecisionFrame> decision_frames_;
  Rows<u32> decisions_;
  DecodedRows<Bounded> variant_;
};

}  // namespace komuz::engine
