// SPDX-License-Identifier: Apache-2.0
// Random values of any type as cells, laid out as lang/layout.h describes.
#include <algorithm>

#include "gen/gen.h"
#include "gen/scope.h"
#include "gen/values.h"

namespace komuz::gen {

namespace {

struct Block {
  Scalar scalar = Scalar::None;
  std::vector<u64> cells;
};
using Blocks = std::vector<Block>;

void append(Blocks& to, Blocks from) {
  for (Block& block : from) to.push_back(std::move(block));
}

Blocks random_value(Random& random, const TypeCode& type);

// `count` elements, then zeros up to the capacity.
Blocks random_elements(Random& random, const TypeCode& held, u32 count, u32 capacity) {
  Blocks out;
  for_each_block(held, [&](LayoutBlock block) { out.push_back({block.scalar, {}}); });
  std::vector<size_t> cells;
  for_each_block(held, [&](LayoutBlock block) { cells.push_back(block.cells); });
  for (u32 k = 0; k < count; ++k) {
    const Blocks element = random_value(random, held);
    for (size_t b = 0; b < out.size(); ++b)
      out[b].cells.insert(out[b].cells.end(), element[b].cells.begin(), element[b].cells.end());
  }
  for (size_t b = 0; b < out.size(); ++b) out[b].cells.resize(cells[b] * capacity);
  return out;
}

Blocks random_alternative(Random& random, const TypeCode& type) {
  const std::vector<Alternative> alternatives = alternatives_of(type);
  // None is alternative 0 of an Option.
  const u32 chosen = random.below(alternatives.size());
  const u32 number = is_option_code(type) ? 1 - chosen : chosen;
  Blocks out, fields;
  for (const TypeCode& field : alternatives[chosen].types)
    append(fields, random_value(random, field));
  for_each_block(type, [&](LayoutBlock layout) {
    Block block{layout.scalar, {}};
    if (out.empty()) {
      block.cells = {number};
    } else {
      for (const Block& field : fields)
        if (field.scalar == layout.scalar)
          block.cells.insert(block.cells.end(), field.cells.begin(), field.cells.end());
      block.cells.resize(layout.cells);
    }
    out.push_back(std::move(block));
  });
  return out;
}

Blocks random_value(Random& random, const TypeCode& type) {
  if (is_scalar_code(type)) return {{scalar_of(type), {random_cell(random, scalar_of(type))}}};
  if (has_alternatives(type)) return random_alternative(random, type);
  const u32 capacity = capacity_of(type);
  if (is_array_code(type)) return random_elements(random, held_of(type), capacity, capacity);
  Blocks out;
  if (is_list_code(type)) {
    const u32 length = random.below(capacity + 1);
    out = {{Scalar::I64, {length}}};
    append(out, random_elements(random, held_of(type), length, capacity));
    return out;
  }
  for (const TypeCode& element : elements_of(type)) append(out, random_value(random, element));
  return out;
}

}  // namespace

std::vector<std::vector<u64>> generate_values(u64 seed, std::string_view types, u32 count) {
  Random random(seed);
  std::vector<std::vector<u64>> rows(count);
  for (std::vector<u64>& row : rows)
    for (size_t at = 0; at < types.size();) {
      const size_t end = skip_type(types, at);
      for (const Block& block : random_value(random, TypeCode(types.substr(at, end - at))))
        row.insert(row.end(), block.cells.begin(), block.cells.end());
      at = end;
    }
  return rows;
}

}  // namespace komuz::gen
