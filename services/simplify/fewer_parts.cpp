// SPDX-License-Identifier: Apache-2.0
#include "services/simplify/fewer_parts.h"

#include <bit>

#include "services/simplify/draft.h"
#include "services/simplify/simplify.h"

namespace komuz::services {
namespace {

// What stays of a node, in its place.
enum class Stays : u8 { Left, Right, Argument };
struct Cut {
  u32 node = kNone;
  Stays stays = Stays::Left;
};

// The only argument of a call of f64 -> f64; kNone: it is none.
u32 argument_of(const Draft& draft, u32 call) {
  const u32 paren = draft[call].right;
  if (draft.kind(paren) != Node::Paren) return kNone;
  const u32 argument = draft[paren].right;
  const bool is_value = argument != kNone && draft[argument].is_value;
  return is_value && draft[argument].type == Scalar::F64 ? argument : kNone;
}

std::vector<Cut> cuts_of(const Draft& draft) {
  std::vector<u32> below;
  for (const u32 body : draft.bodies()) draft.list_below(body, below);
  std::vector<Cut> out;
  for (const u32 n : below) {
    if (draft[n].type != Scalar::F64) continue;
    const u32 left = draft[n].left, right = draft[n].right;
    switch (draft.kind(n)) {
      case Node::Add:
      case Node::Sub:
      case Node::Mul:
      case Node::Div:
        if (!draft.is_literal(right)) out.push_back({n, Stays::Left});
        if (!draft.is_literal(left)) out.push_back({n, Stays::Right});
        break;
      case Node::Pow: out.push_back({n, Stays::Left}); break;
      case Node::Call:
        if (argument_of(draft, n) != kNone) out.push_back({n, Stays::Argument});
        break;
      default: break;
    }
  }
  return out;
}

std::string cut_text(const Analysis& analysis, Cut cut) {
  Draft draft(analysis);
  const u32 n = cut.node, right = draft[n].right;
  switch (cut.stays) {
    case Stays::Left: draft.replace(n, draft[n].left); break;
    case Stays::Argument: draft.replace(n, argument_of(draft, n)); break;
    case Stays::Right:
      // A divisor keeps dividing, and what was taken away stays so.
      if (draft.kind(n) == Node::Div)
        draft.replace(draft[n].left, draft.add_literal(Scalar::F64, std::bit_cast<u64>(1.0)));
      else
        draft.replace(n, draft.kind(n) == Node::Sub
                             ? draft.add(Node::Neg, Scalar::F64, kNone, right)
                             : right);
      break;
  }
  return draft.text();
}

}  // namespace

std::vector<std::string> with_fewer_parts(std::string_view program) {
  std::vector<std::string> out;
  Analysis analysis;
  analysis.read(program);
  if (!analysis.is_sound()) return out;
  for (const Cut cut : cuts_of(Draft(analysis)))
    out.push_back(simplified_text(cut_text(analysis, cut), nullptr, Exactness::ToRounding));
  return out;
}

}  // namespace komuz::services
