// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/asserted.h"

#include <algorithm>

#include "frontend_gpu/types/put_type_codes.h"

namespace komuz::frontend {
namespace {

Index last_condition(const Columns& c, Index condition) {
  while (condition != kNone &&
         (node_kind(c, condition) == Node::AndThen || node_kind(c, condition) == Node::Paren))
    condition = c.right[condition];
  return condition;
}

}  // namespace

std::vector<AssertedComparison> list_asserted(const Columns& c) {
  std::vector<AssertedComparison> out;
  for (Index i = 0; i < c.nodes; ++i) {
    if (node_kind(c, i) != Node::Assert && node_kind(c, i) != Node::Example) continue;
    const Index compares = last_condition(c, c.right[i]);
    if (compares == kNone || c.left[compares] == kNone) continue;
    const Op op = node_row(node_kind(c, compares)).op;
    if (op != Op::Eq && op != Op::Ne) continue;
    const TypeId type = settled(TypeId{c.type[c.left[compares]]});
    if (!is_value(type) || is_scalar(type)) continue;
    AssertedComparison& found = out.emplace_back();
    found.place = c.token_start[c.token[i]];
    found.op = op;
    put_type_codes(c, type, [&](u8 byte) { found.type_codes += static_cast<char>(byte); });
  }
  std::ranges::sort(out, {}, &AssertedComparison::place);
  return out;
}

}  // namespace komuz::frontend
