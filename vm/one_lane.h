// SPDX-License-Identifier: Apache-2.0
// The batch machine on one case. A handler for a tile of lanes goes through vectors and sets of lanes, which takes as
// long for one lane as for eight. A handler for a single lane takes a third or a fourth of that. So the lowered code
// of a job with one case, if it has control, gets such handlers:
//
//   operations of op_eval.h       one value each, in lane 0
//   BreakIfFalse, Break, Else, …  plain jumps: the lane is always active, and nobody waits
//   a trap                        goes to the end of the entry at once
//   few others                    as for lanes; after each a check whether the lane has trapped
//
// Parts that many lanes run for one case (lane_elements.h) stay unchanged, and so do the two ends of their loop,
// where the case waits.
#pragma once
#include <vector>

#include "vm/lane_machine.h"
#include "vm/lowered.h"

namespace komuz::vm {

// The place of an operand: in the frame, or at an address.
enum class OperandPlace : u8 { Any, Frame, Fixed };
// The test at the start of a loop's iterations, alone or with the LIMIT behind it; and the same test at the loop's
// end, from where a jump to it would otherwise be an operation.
enum class LoopTest : u8 { Plain, WithLimit, AtEnd, AtEndWithLimit };

// Handlers of one operation. By LoopTest (0 for other operations), and by the places of operands a and b: anywhere,
// both in the frame, b fixed, a fixed. Null: there is only the handler for anywhere.
struct OneLaneVariants {
  Handler handlers[4][4] = {};
  bool is_test = false;
};

struct OneLaneHandlers {
  HandlerTable table;  // null: as for lanes; handlers of `all_words` are not used
  Handler as_for_lanes;
  Handler limit;
  std::span<const OneLaneVariants> variants;  // variants of the table's handlers
};
const OneLaneHandlers& one_lane_handlers_portable();
const OneLaneHandlers& one_lane_handlers_avx2();

class OneLane {
 public:
  OneLane(const LaneMachine& machine, const OneLaneHandlers& handlers);
  // The program was lowered for one case with the machine's handlers.
  void use(LoweredProgram& program) const;

 private:
  enum class Kind : u8 { Other, Kept, Finish, Merge, LoopEnd, Leave, Test, Continue, Call };
  struct Entry {
    Handler handler = nullptr;
    Handler own = nullptr;                      // for a handler for lanes
    const OneLaneVariants* variants = nullptr;  // for a handler for one lane
    Kind kind = Kind::Other;
  };
  void add(Handler of_lanes, Handler own, Kind kind = Kind::Other);
  void add_all(const HandlerTable& of_lanes, const HandlerTable& own);
  void add_control(const PartingHandlers& of_lanes, const PartingHandlers& own);
  [[nodiscard]] size_t slot_of(Handler handler) const;
  [[nodiscard]] const Entry& find(Handler handler) const { return entries_[slot_of(handler)]; }
  [[nodiscard]] bool keep_elements(LoweredProgram& program) const;
  void place(LoweredOp& op, LoopTest form) const;
  void close_loop(LoweredProgram& program, u32 end) const;

  std::vector<Entry> entries_;  // by `handler`, hashed
  Handler as_for_lanes_, limit_, elements_;
};

}  // namespace komuz::vm
