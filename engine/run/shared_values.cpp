// SPDX-License-Identifier: Apache-2.0
#include "engine/run/shared_values.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "lang/op_costs.h"

namespace komuz::engine {
namespace {

// A column of a thousand cases takes about as long to bring from the last level of cache as three sums of it.
constexpr u32 kKeptCost = 3;
constexpr size_t kColumnsBytes = size_t{8} << 20;
constexpr size_t kMostColumns = size_t{1} << 11;
constexpr u32 kOfChunk = 32;  // columns whose memory is taken at once
// Nodes without columns are of use only as names of what stands above them.
constexpr size_t kMostNodes = size_t{1} << 14;
// Cases of a block: the values of a few operations fit the first level of cache.
constexpr u32 kBlock = 512;
constexpr size_t kBlockValues = kBlock * sizeof(u64) / sizeof(vm::BroadcastValue);

u64 hash_of(Instruction code, const std::array<u32, 3>& operands) {
  const u64 first = static_cast<u64>(code.op) | static_cast<u64>(code.type) << 8 |
                    u64{code.a} << 16 | u64{operands[0]} << 32;
  const u64 rest = u64{operands[1]} | u64{operands[2]} << 32;
  return fold_multiply(first ^ 0x9E37'79B9'7F4A'7C15u, rest ^ 0xA076'1D64'78BD'642Fu);
}

}  // namespace

void SharedValues::use(const CasesView& cases) {
  const auto is_same = [](const ArgumentColumn& a, const ArgumentColumn& b) {
    return a.type == b.type && a.data == b.data;
  };
  if (!nodes_.empty() && count_ == cases.count &&
      std::ranges::equal(arguments_, cases.columns, is_same))
    return;
  arguments_.assign(cases.columns.begin(), cases.columns.end());
  count_ = cases.count;
  // With pages of a round number of bytes between them, columns would share the few places of a cache that these have.
  constexpr size_t kApart = 3 * sizeof(vm::BroadcastValue);
  const size_t bytes = (size_t{count_} + 63) / 64 * 64 * sizeof(u64) + kApart;
  most_columns_ = std::min(kColumnsBytes / bytes, kMostColumns);
  if (bytes != column_bytes_) memory_.clear();
  column_bytes_ = bytes;
  forget();
}

void SharedValues::forget() {
  nodes_.clear();
  constants_.clear();
  columns_.clear();
  hand_ = 0;
  slots_.assign(256, {});
  for (u32 slot = 0; slot < arguments_.size(); ++slot) {
    const Scalar type = arguments_[slot].type;
    static_cast<void>(find_or_add(
        {.code = {Op::LoadVar, type, static_cast<u16>(slot), 0}, .operands = {}, .type = type}));
  }
}

bool SharedValues::run(const CodeView& code, u32 function, std::span<u64> values) {
  const Function& f = code.functions[function];
  if (f.result_cells != 1 || f.parameter_slots != arguments_.size()) return false;
  const size_t most = f.code_end - f.code_begin;
  if (most > kMostNodes / 2) return false;
  if (nodes_.size() + most > kMostNodes) collect_garbage();
  if (nodes_.size() + most > kMostNodes) forget();
  const u32 root = root_of(code, f);
  if (root == kNone) return false;
  plan(root);
  compute(root, values);
  return true;
}

// As a machine with a stack, whose cells are nodes.
u32 SharedValues::root_of(const CodeView& code, const Function& f) {
  stack_.clear();
  order_.clear();
  variables_.assign(f.slots, kNone);
  for (u32 slot = 0; slot < f.parameter_slots; ++slot) variables_[slot] = slot;
  for (u32 at = f.code_begin; at < f.code_end; ++at) {
    const Instruction i = code.instructions[at];
    switch (i.op) {
      case Op::LoadVar:
        if (variables_[i.a] == kNone) return kNone;
        push(variables_[i.a]);
        break;
      case Op::LoadConst: push_constant(i.type, code.constants[i.b]); break;
      case Op::StoreVar:
        variables_[i.a] = stack_.back();
        stack_.pop_back();
        break;
      case Op::Return: return at + 1 == f.code_end ? stack_.back() : kNone;
      default:
        if (!push_operation(i)) return kNone;
    }
  }
  return kNone;
}

void SharedValues::push(u32 number) {
  stack_.push_back(number);
  if (is_in_run(number)) return;
  nodes_[number].place = static_cast<u32>(order_.size());
  order_.push_back(number);
}

void SharedValues::push_constant(Scalar type, u64 cell) {
  const Node node{.code = {Op::LoadConst, type, 0, 0},
                  .operands = {static_cast<u32>(cell), static_cast<u32>(cell >> 32), 0},
                  .type = type};
  const u32 number = find_or_add(node);
  if (nodes_[number].column == kNone) {
    nodes_[number].column = static_cast<u32>(constants_.size());
    vm::set_broadcast(constants_.emplace_back(), type, cell);
  }
  push(number);
}

bool SharedValues::push_operation(Instruction i) {
  if (!vm::ColumnMachine::takes(i)) return false;
  const OpForm form = op_row(i.op).form;
  const u32 count = operand_count(form);
  Node node{.code = {i.op, i.type, i.a, 0},
            .operands = {},
            .type = result_type(form, i.type),
            .operand_count = static_cast<u8>(count)};
  stack_.resize(stack_.size() - count);
  for (u32 k = 0; k < count; ++k) node.operands[k] = stack_.data()[stack_.size() + k];
  push(find_or_add(node));
  return true;
}

SharedValues::Slot& SharedValues::slot_of(const Node& node) {
  const u64 hash = hash_of(node.code, node.operands);
  const auto tag = static_cast<u32>(hash >> 32);
  const size_t mask = slots_.size() - 1;
  for (size_t at = hash & mask;; at = (at + 1) & mask) {
    Slot& slot = slots_[at];
    if (slot.node == kNone) slot.tag = tag;
    if (slot.node == kNone || (slot.tag == tag && nodes_[slot.node].code == node.code &&
                               nodes_[slot.node].operands == node.operands))
      return slot;
  }
}

void SharedValues::rebuild_slots(size_t size) {
  slots_.assign(size, {});
  for (u32 number = 0; number < nodes_.size(); ++number) slot_of(nodes_[number]).node = number;
}

u32 SharedValues::find_or_add(const Node& node) {
  if (4 * nodes_.size() >= slots_.size()) rebuild_slots(2 * slots_.size());
  Slot& slot = slot_of(node);
  if (slot.node != kNone) return slot.node;
  slot.node = static_cast<u32>(nodes_.size());
  Node& added = nodes_.emplace_back(node);
  if (added.is_leaf()) return slot.node;
  u32 cost = op_cost(added.code.op, added.code.type);
  for (const u32 number : operands_of(added))
    if (const Node& operand = nodes_[number]; !operand.is_kept) cost += operand.cost;
  added.is_kept = cost >= kKeptCost;
  added.cost = static_cast<u8>(cost);
  return slot.node;
}

// What has a column stays, and what it is made of.
void SharedValues::collect_garbage() {
  ++counts_.collections;
  const std::vector<Node> before = std::exchange(nodes_, {});
  const std::vector<vm::BroadcastValue> constants = std::exchange(constants_, {});
  std::vector<u32> moved_to(before.size(), kNone);
  for (size_t k = before.size(); k-- > 0;) {
    const Node& node = before[k];
    const bool stays = node.code.op == Op::LoadVar || moved_to[k] == kNeeded ||
                       (!node.is_leaf() && node.column != kNone);
    if (!stays) continue;
    moved_to[k] = kNeeded;
    for (const u32 operand : operands_of(node)) moved_to[operand] = kNeeded;
  }
  nodes_.reserve(before.size());
  for (size_t k = 0; k < before.size(); ++k) {
    if (moved_to[k] == kNone) continue;
    const auto number = static_cast<u32>(nodes_.size());
    moved_to[k] = number;
    Node& node = nodes_.emplace_back(before[k]);
    for (u32 o = 0; o < node.operand_count; ++o) node.operands[o] = moved_to[node.operands[o]];
    if (node.code.op == Op::LoadConst) {
      constants_.push_back(constants[node.column]);
      node.column = static_cast<u32>(constants_.size()) - 1;
    }
    if (!node.is_leaf() && node.column != kNone) columns_[node.column].node = number;
  }
  rebuild_slots(slots_.size());
}

// Which operations are computed, and where their values go.
void SharedValues::plan(u32 root) {
  steps_.clear();
  step_of_.assign(order_.size(), kNone);
  step_of(nodes_[root]) = kNeeded;
  for (size_t k = order_.size(); k-- > 0;) {
    if (step_of_[k] != kNeeded) continue;
    const Node& node = nodes_[order_[k]];
    if (node.column != kNone) continue;
    for (const u32 operand : operands_of(node)) step_of(nodes_[operand]) = kNeeded;
  }
  for (size_t k = 0; k < order_.size(); ++k) {
    Node& node = nodes_[order_[k]];
    if (node.is_leaf()) continue;
    ++counts_.operations;
    if (step_of_[k] != kNeeded) continue;
    if (node.column != kNone) {
      columns_[node.column].is_used = true;
      continue;
    }
    ++counts_.computed;
    step_of_[k] = static_cast<u32>(steps_.size());
    steps_.push_back({.node = order_[k]});
    if (node.is_kept && order_[k] != root) node.column = take_column(order_[k]);
  }
  place_temporaries();
}

// kNone: this run needs all of them.
u32 SharedValues::take_column(u32 node) {
  if (columns_.size() < most_columns_) {
    if (columns_.size() == kOfChunk * memory_.size())
      memory_.emplace_back(kOfChunk * column_bytes_, Pages::Small);
    columns_.push_back({node, true});
    return static_cast<u32>(columns_.size()) - 1;
  }
  for (size_t tries = 0; tries < 2 * columns_.size(); ++tries) {
    const u32 number = hand_;
    hand_ = hand_ + 1 == columns_.size() ? 0 : hand_ + 1;
    Column& column = columns_[number];
    if (is_in_run(column.node) || std::exchange(column.is_used, false)) continue;
    ++counts_.evicted;
    nodes_[column.node].column = kNone;
    column = {node, true};
    return number;
  }
  return kNone;
}

// Of what an operation is made of, the steps that others are made of, too, are known by their last use.
void SharedValues::place_temporaries() {
  const auto step_that_made = [this](u32 operand) -> Step* {
    const Node& node = nodes_[operand];
    const u32 step = node.is_leaf() ? kNeeded : step_of(node);
    return step == kNeeded ? nullptr : &steps_[step];
  };
  for (u32 number = 0; number < steps_.size(); ++number)
    for (const u32 operand : operands_of(nodes_[steps_[number].node]))
      if (Step* const made = step_that_made(operand)) made->last_use = number;
  free_temporaries_.clear();
  u32 count = 0;
  for (u32 number = 0; number < steps_.size(); ++number) {
    Step& step = steps_[number];
    const Node& node = nodes_[step.node];
    if (node.column == kNone) {
      if (free_temporaries_.empty()) free_temporaries_.push_back(count++);
      step.temporary = free_temporaries_.back();
      free_temporaries_.pop_back();
    }
    for (const u32 operand : operands_of(node)) {
      Step* const made = step_that_made(operand);
      if (made == nullptr || made->temporary == kNone || made->last_use != number) continue;
      free_temporaries_.push_back(made->temporary);
      made->last_use = kNone;  // it may be both operands
    }
  }
  if (temporaries_.size() < count * kBlockValues) temporaries_.resize(count * kBlockValues);
}

vm::ColumnMachine::Values SharedValues::values_of(u32 number, u32 first) {
  const Node& node = nodes_[number];
  switch (node.code.op) {
    case Op::LoadVar:
      return {static_cast<const char*>(arguments_[node.code.a].data) +
                  size_t{first} * scalar_bytes(node.type),
              false};
    case Op::LoadConst: return {&constants_[node.column], true};
    default: return {made_at(node, first), false};
  }
}

void* SharedValues::made_at(const Node& node, u32 first) {
  if (node.column == kNone)
    return temporaries_.data() + steps_[step_of(node)].temporary * kBlockValues;
  char* const column =
      memory_[node.column / kOfChunk].data() + node.column % kOfChunk * column_bytes_;
  return column + size_t{first} * scalar_bytes(node.type);
}

void SharedValues::compute(u32 root, std::span<u64> values) {
  std::array<vm::ColumnMachine::Values, 3> operands;
  for (u32 first = 0; first < count_; first += kBlock) {
    const u32 rows = std::min(kBlock, count_ - first);
    for (const Step& step : steps_) {
      const Node& node = nodes_[step.node];
      for (u32 o = 0; o < node.operand_count; ++o) operands[o] = values_of(node.operands[o], first);
      machine_.run(node.code, operands, made_at(node, first), rows);
    }
    machine_.to_cells(nodes_[root].type, values_of(root, first), rows, values.data() + first);
  }
}

}  // namespace komuz::engine
