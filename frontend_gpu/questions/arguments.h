// SPDX-License-Identifier: Apache-2.0
// What a call calls, and with which arguments: `f(x, a)` or `x.f(a)`.
#pragma once
#include "frontend_gpu/questions/comma_lists.h"
#include "frontend_gpu/tree/tree.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// The receiver of `x.f(…)`; kNone for `f(…)`.
HD Index call_receiver(const Columns& c, Index call) {
  const Index callee = c.left[call];
  return node_kind(c, callee) == Node::Dot ? c.left[callee] : kNone;
}
// The node that names the function.
HD Index call_name(const Columns& c, Index call) {
  const Index callee = c.left[call];
  return node_kind(c, callee) == Node::Dot ? c.right[callee] : callee;
}

// The first value in the message on an unknown method (UnknownFunction), where the receiver is an array, a list or
// a slice, or where it is a number. The second value is the type of the first argument, packed by type_brief.h.
inline constexpr u32 kOfElements = 1, kOfNumber = 2;

// Goes through a call's arguments from the last to the first, the receiver included.
class ArgumentsBackwards {
 public:
  HD ArgumentsBackwards(const Columns& c, Index call)
      : elements_(c, c.right[call]), receiver_(call_receiver(c, call)) {}
  HD Index next() {
    if (const Index e = elements_.next(); e != kNone) return e;
    const Index receiver = receiver_;
    receiver_ = kNone;
    return receiver;
  }

 private:
  ElementsBackwards elements_;
  Index receiver_;
};
HD u32 count_arguments(const Columns& c, Index call) {
  return count_elements(c, c.right[call]) + (call_receiver(c, call) != kNone);
}
// The first argument; kNone: the call has none.
HD Index first_argument(const Columns& c, Index call) {
  ArgumentsBackwards arguments(c, call);
  Index first = kNone;
  for (Index e = arguments.next(); e != kNone; e = arguments.next()) first = e;
  return first;
}
HD Index argument_at(const Columns& c, Index call, u32 number, u32 count) {
  ArgumentsBackwards arguments(c, call);
  Index argument = arguments.next();
  for (u32 k = count - 1; k > number; --k) argument = arguments.next();
  return argument;
}
// The call whose argument a node is; kNone: there is none.
HD_COLD Index call_of_argument(const Columns& c, Index i) {
  Index above = above_commas(c, i);
  while (above != kNone && node_kind(c, above) == Node::Paren) {
    count_work(c, 1);
    above = above_commas(c, above);
  }
  return above;
}
// True if the node stands in the parentheses of a call.
HD_COLD bool is_argument(const Columns& c, Index i) {
  const Index call = call_of_argument(c, i);
  return call != kNone && node_kind(c, call) == Node::Call && i >= c.begin[c.right[call]];
}
HD Index last_argument(const Columns& c, Index call) { return ArgumentsBackwards(c, call).next(); }

}  // namespace komuz::frontend::inline KOMUZ_PASSES
