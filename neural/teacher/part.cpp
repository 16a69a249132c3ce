// SPDX-License-Identifier: Apache-2.0
#include "neural/teacher/part.h"

#include <algorithm>

#include "engine/testing/guides.h"
#include "engine/testing/property_entry.h"
#include "engine/testing/value_sampler.h"
#include "lang/check/check_code.h"
#include "neural/teacher/write_code.h"

namespace komuz::neural {
namespace {

constexpr u32 kMostOperations = 12;

}  // namespace

std::optional<Part> Part::below(const ValueGraph& graph, u32 node) {
  // Values at which the part ends; the topmost one is opened as long as there are few.
  std::vector<u32> edge = {node};
  std::vector<bool> is_inside(node + 1, false);
  const auto count_inputs = [&](const std::vector<u32>& values) {
    return std::ranges::count_if(values, [&](u32 n) { return !graph[n].is_constant(); });
  };
  u32 operations = 0;
  for (;;) {
    // Values that may trap have to be opened.
    u32 best = 0;
    bool is_needed = false, is_found = false;
    for (const u32 n : edge) {
      if (graph[n].is_leaf()) continue;
      const bool traps = graph[n].traps != 0 || n == node;
      if (is_found && (is_needed > traps || (is_needed == traps && n < best))) continue;
      best = n;
      is_needed = traps;
      is_found = true;
    }
    if (!is_found) break;
    if (graph[best].kind == ValueKind::Let) {
      if (is_needed) return {};
      break;
    }
    std::vector<u32> opened = edge;
    std::erase(opened, best);
    for (u32 k = 0; k < graph[best].operands; ++k) {
      const u32 operand = graph[best].operand[k];
      if (std::ranges::find(opened, operand) == opened.end()) opened.push_back(operand);
    }
    if (count_inputs(opened) > kMostInputs || operations == kMostOperations) {
      if (is_needed) return {};
      break;
    }
    edge = std::move(opened);
    is_inside[best] = true;
    ++operations;
  }
  if (operations < 2) return {};
  Part part;
  std::vector<u32> made(node + 1);
  for (u32 n = 0; n <= node; ++n) {
    const ValueNode& value = graph[n];
    if (is_inside[n]) {
      std::array<u32, 3> operands = {};
      for (u32 k = 0; k < value.operands; ++k) operands[k] = made[value.operand[k]];
      const auto given = std::span<const u32>(operands).first(value.operands);
      made[n] = value.kind == ValueKind::Operation ? part.graph_.operation(value.instruction, given)
                                                   : part.graph_.choice(value.kind, given);
    } else if (std::ranges::find(edge, n) != edge.end()) {
      if (value.is_constant()) {
        made[n] = part.graph_.constant(value.type, value.cell);
        continue;
      }
      made[n] = part.graph_.input(static_cast<u16>(part.types_.size()), value.type);
      part.types_.push_back(value.type);
      part.nodes_.push_back(n);
    }
  }
  part.root_ = made[node];
  return part;
}

Code Part::code_of(const ValueGraph& graph, u32 node) const {
  constexpr std::string_view kName = "part";
  Code like, out;
  Function f;
  like.names = kName;
  f.name_end = static_cast<u32>(kName.size());
  like.types = {kTupleCode, static_cast<u8>(types_.size())};
  for (const Scalar type : types_) {
    like.types.push_back(static_cast<u8>(type));
    like.slot_types.push_back(static_cast<u8>(type));
    like.parameter_names.push_back({0, f.name_end});
  }
  like.types.push_back(static_cast<u8>(graph[node].type));
  f.parameter_slots = f.slots = static_cast<u16>(types_.size());
  f.result_cells = 1;
  f.is_public = true;
  like.functions.push_back(f);
  CodeWriter writer(graph);
  if (!writer.write(like.view(), node, out) || check_code(out.view(), out.functions)) out.clear();
  return out;
}

std::vector<std::vector<u64>> guided_rows(const CodeView& code, u32 count) {
  const engine::PropertyEntry entry(code, 0);
  const engine::ValueShape shape(entry.types());
  engine::ValueSampler sampler(shape, {});
  engine::Guides guides;
  engine::add_guides(code, 0, guides);
  engine::settle_guides(guides);
  std::vector<std::vector<u64>> rows(count, std::vector<u64>(entry.slot_types().size()));
  for (u32 k = 0; k < count; ++k) sampler.sample_guided(guides, 0, k, rows[k]);
  return rows;
}

}  // namespace komuz::neural
