// SPDX-License-Identifier: Apache-2.0
#include "engine/compared_text.h"

#include "engine/value_text.h"
#include "lang/nodes.h"

namespace komuz::engine {

std::optional<ComparedText> compared_text(const std::optional<vm::Comparison>& compared) {
  if (!compared) return std::nullopt;
  ComparedText text;
  for (const NodeRow& row : kNodeRows)
    if (row.node_class == NodeClass::Compare && row.op == compared->op) text.op = row.spelling;
  print_scalar(text.left, compared->type, compared->left, ValueStyle::Source);
  print_scalar(text.right, compared->type, compared->right, ValueStyle::Source);
  return text;
}

}  // namespace komuz::engine
