// SPDX-License-Identifier: Apache-2.0
// What a call calls, and on what: `f(x, a)` or `x.f(a)`.
#pragma once
#include "frontend_gpu/questions/comma_lists.h"
#include "frontend_gpu/tree/tree.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// The receiver of `x.f(…)`; kNone of `f(…)`.
HD Index call_receiver(const Columns& c, Index call) {
  const Index callee = c.left[call];
  return node_kind(c, callee) == Node::Dot ? c.left[callee] : kNone;
}
// The node that names the function.
HD Index call_name(const Columns& c, Index call) {
  const Index callee = c.left[call];
  return node_kind(c, callee) == Node::Dot ? c.right[callee] : callee;
}

// What a message on a method that there is not (UnknownFunction) holds where the receiver is an array, a list or a slice;
// where it is a number. Its second argument is the type of what the call gets first, as type_brief.h packs it.
inline constexpr u32 kOfElements = 1, kOfNumber = 2;

// A call's arguments from the last to the first, the receiver included.
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
// kNone of a call of none.
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
// The call that a node is an argument of; kNone of what is none.
HD_COLD Index call_of_argument(const Columns& c, Index i) {
  Index above = above_commas(c, i);
  while (above != kNone && node_kind(c, above) == Node::Paren) {
    count_work(c, 1);
    above = above_commas(c, above);
  }
  return above;
}
// Does it stand in the parentheses of a call?
HD_COLD bool is_argument(const Columns& c, Index i) {
  const Index call = call_of_argument(c, i);
  return call != kNone && node_kind(c, call) == Node::Call && i >= c.begin[c.right[call]];
}
HD Index last_argument(const Columns& c, Index call) { return ArgumentsBackwards(c, call).next(); }

}  // namespace komuz::frontend::inline KOMUZ_PASSES
