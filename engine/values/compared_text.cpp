// SPDX-License-Identifier: Apache-2.0
#include "engine/values/compared_text.h"

#include <algorithm>

#include "base/characters.h"
#include "engine/values/value_text.h"
#include "lang/nodes.h"
#include "lang/type_codes.h"

namespace komuz::engine {
namespace {

std::string_view spelling_of(Op op) {
  for (const NodeRow& row : kNodeRows)
    if (row.node_class == NodeClass::Compare && row.op == op) return row.spelling;
  return {};
}

std::string part_from(std::string_view text, size_t begin) {
  constexpr size_t kMost = 60;
  size_t end = character_start(text, std::min(text.size(), begin + kMost));
  const size_t comma = text.rfind(", ", end);
  if (end != text.size() && comma != std::string_view::npos && comma > begin) end = comma + 2;
  return (begin == 0 ? "" : "…") + std::string(text.substr(begin, end - begin)) +
         (end == text.size() ? "" : "…");
}

std::optional<ComparedText> compared_values(
    std::span<const u64> cells, u32 place, std::span<const frontend::AssertedComparison> asserted) {
  const auto found =
      std::ranges::lower_bound(asserted, place, {}, &frontend::AssertedComparison::place);
  if (found == asserted.end() || found->place != place) return std::nullopt;
  const size_t count = count_cells(found->type_codes);
  if (cells.size() != 2 * count) return std::nullopt;
  const ValueFormat format(found->type_codes);
  ComparedText text{.left = {}, .op = spelling_of(found->op), .right = {}};
  format.print(text.left, cells.first(count), ValueStyle::Source);
  format.print(text.right, cells.last(count), ValueStyle::Source);
  return text;
}

}  // namespace

std::string ComparedText::brief() const {
  constexpr size_t kLong = 160;
  const std::string between = " " + std::string(op) + " ";
  if (left.size() + right.size() <= kLong) return left + between + right;
  constexpr size_t kBefore = 20;
  const auto differ = std::ranges::mismatch(left, right).in1;
  const auto same = static_cast<size_t>(differ - left.begin());
  size_t begin = same <= 2 * kBefore ? 0 : character_start(left, same - kBefore);
  const size_t comma = left.find(", ", begin);
  if (begin != 0 && comma < same) begin = comma + 2;
  return part_from(left, begin) + between + part_from(right, begin);
}

std::optional<ComparedText> compared_text(const std::optional<vm::Comparison>& compared, u32 place,
                                          std::span<const frontend::AssertedComparison> asserted) {
  if (!compared) return std::nullopt;
  if (compared->type == Scalar::None) return compared_values(compared->cells, place, asserted);
  ComparedText text;
  text.op = spelling_of(compared->op);
  print_scalar(text.left, compared->type, compared->left, ValueStyle::Source);
  print_scalar(text.right, compared->type, compared->right, ValueStyle::Source);
  return text;
}

}  // namespace komuz::engine
