// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/optimise/free_numbers.h"

#include <algorithm>
#include <optional>

#include "base/hash.h"
#include "frontend_gpu/code/sinks.h"
#include "frontend_gpu/optimise/number_row.h"
#include "frontend_gpu/optimise/scalar_operation.h"
#include "frontend_gpu/tree/lists.h"

namespace komuz::frontend {
namespace {

// So many operations are compared with one another.
constexpr size_t kMostOperations = 64;

bool is_number(Node kind) { return kind == Node::Int || kind == Node::Float; }
// True for literals, and what has become one.
bool is_value(const Columns& c, Index i) { return code_row(c.role[i]).literal != 0; }

// Adds what no value may be, of an operand of this operation beside one that is not known. False: other values may make
// other code, too. What NumberValue::reduce (number_values.h) does to an operation because of its operand's value has to
// be excluded here.
bool add_rule(const Columns& c, Index operation, u32 operand, FreeNumber& number) {
  const Node kind = node_kind(c, operation);
  const NumberRow& row = number_row(role_of(kind));
  number.neutral =
      static_cast<u16>(number.neutral | (operand == 0 ? row.neutral_left : row.neutral_right));
  switch (kind) {
    case Node::Add:
    case Node::Sub:
    case Node::Mul:
    case Node::AddWrap:
    case Node::SubWrap:
    case Node::MulWrap:
    case Node::Lt:
    case Node::Le:
    case Node::Gt:
    case Node::Ge:
    case Node::Call: return true;
    case Node::Div: number.divides = number.divides || operand == 1; return is_float(number.type);
    default: return false;
  }
}

bool is_operand(const Columns& c, Index loaded, FreeNumber& number) {
  const Index above = operation_above(c, loaded);
  if (above == kNone || !is_own_operation(c, above)) return false;
  const u32 operands = scalar_operation(c, above).operands;
  u32 own = operands;
  bool is_any_unknown = false;
  for (u32 k = 0; k < operands; ++k) {
    const Index operand = operand_of(c, above, k, operands);
    if (operand == loaded) own = k;
    is_any_unknown = is_any_unknown || !is_value(c, operand);
  }
  return own != operands && is_any_unknown && add_rule(c, above, own, number);
}

// True if the value only goes to a variable that changes, to a parameter, or to the end of a block.
bool is_passed_on(const Columns& c, Index loaded) {
  Index child = loaded, above = parent_of(c, child);
  while (above != kNone && c.role[above] == Role::Group) {
    child = above;
    above = parent_of(c, child);
  }
  if (above == kNone) return false;
  if (is_argument(c, child)) {
    const Index call = call_of_argument(c, child);
    const Index ref = c.ref[call_name(c, call)];
    return c.role[call] == role_of(Node::Call) && ref < kBuiltinRef &&
           c.bind_kind[ref] == BindKind::Function;
  }
  if (c.right[above] != child) return false;
  if (c.role[above] == Role::Binding) {
    const Index name = name_bound_by(c, above);
    return name != kNone && c.bind_kind[c.ref[name]] == BindKind::Var;
  }
  if (c.role[above] == Role::FirstArm) return true;
  const Node kind = node_kind(c, above);
  if (c.role[above] != role_of(kind)) return false;
  return node_row(kind).node_class == NodeClass::Update || kind == Node::Block ||
         kind == Node::Body || kind == Node::Else || kind == Node::Semi;
}

// The variable of a `let` that binds just this value, and has been left out since; kNone: there is none.
u32 bound_to(const Columns& c, Index value) {
  Index child = value, above = parent_of(c, child);
  while (above != kNone && node_kind(c, above) == Node::Paren) {
    child = above;
    above = parent_of(c, child);
  }
  if (above == kNone || node_kind(c, above) != Node::Assign || c.role[above] != Role::Gone)
    return kNone;
  Index name = c.left[above];
  if (name != kNone && node_kind(c, name) == Node::Colon) name = c.left[name];
  if (c.right[above] != child || name == kNone || node_kind(c, name) != Node::Name) return kNone;
  const u32 b = c.ref[name];
  return b < c.binds && c.bind_node[b] == name && c.bind_kind[b] == BindKind::Let ? b : kNone;
}

bool may_be_shared(const Columns& c, Index i) {
  const Node kind = node_kind(c, i);
  if (kind == Node::Call) return is_scalar_builtin(c, i);
  if (kind == Node::Pow) return true;
  const NumberRow& row = number_row(role_of(kind));
  return row.operation != 0 && c.end[i] - c.begin[i] >= row.expensive_nodes;
}

u64 mixed(u64 a, u64 b) {
  return fold_multiply(a ^ 0xA076'1D64'78BD'642Fu, b ^ 0xE703'7ED1'A0B4'28DBu);
}

}  // namespace

void FreeNumbers::find(const Columns& c) {
  all_.clear();
  loads_.clear();
  other_values_.clear();
  must_differ_ = false;
  // What is shared may depend on several numbers.
  const Role* const roles = c.role;
  if (std::find(roles, roles + c.nodes, Role::Shared) != roles + c.nodes) return;
  if (!find_alike(c)) return;
  for (Index i = 0; i < c.nodes && all_.size() < kMost; ++i)
    if (is_number(node_kind(c, i))) take(c, i);
  // A variable that is a number has one value wherever it is loaded.
  if (must_differ_ && loads_.size() != all_.size()) return all_.clear();
  for (Index i = 0; i < c.nodes; ++i)
    if (is_value(c, i) && c.tails[i] == 0 && std::ranges::find(loads_, i) == loads_.end())
      other_values_.push_back(c.cell[i]);
}

void FreeNumbers::take(const Columns& c, Index literal) {
  const Index before = literal == 0 ? literal : literal - 1;
  FreeNumber number;
  number.literal = literal;
  number.is_negated = node_kind(c, before) == Node::Neg && c.right[before] == literal;
  const Index value = number.is_negated ? before : literal;
  if (!is_scalar(c.type[value])) return;
  number.type = as_scalar(c.type[value]);
  number.cell = c.cell[value];
  number.first_load = static_cast<u32>(loads_.size());
  const auto add_load = [&](Index i) {
    loads_.push_back(i);
    ++number.loads;
    return is_value(c, i) && c.tails[i] == 0 && c.cell[i] == number.cell &&
           (is_operand(c, i, number) || is_passed_on(c, i));
  };
  bool is_free = true;
  if (c.role[value] != Role::Gone) {
    is_free = add_load(value);
  } else if (const u32 b = bound_to(c, value); b != kNone) {
    for (u32 u = 0; u < c.uses && is_free; ++u)
      if (c.ref[c.use_node[u]] == b) is_free = add_load(c.use_node[u]);
  }
  if (is_free && number.loads != 0)
    all_.push_back(number);
  else
    loads_.resize(number.first_load);
}

FreeNumbers::Shape FreeNumbers::shape_of(const Columns& c, Index i) const {
  const Index left = c.left[i], right = c.right[i];
  if (c.role[i] == Role::Group && right != kNone) return shapes_[right];
  // The operand that is left has been known to be no number.
  if (c.role[i] == Role::Neutral) return shapes_[c.role[left] == Role::Gone ? right : left];
  if (is_value(c, i)) {
    if ((c.tails[i] & kFactors) == 0) return {mixed(c.type[i], 0), 1};
    return {mixed(c.type[i],
                  integer_literal(node_text(c, i), node_length(c, i), Scalar::U32, false).cell),
            0};
  }
  const u64 name = node_kind(c, i) == Node::Name ? u64{c.ref[i]} << 32 : 0;
  const Shape none, &first = left == kNone ? none : shapes_[left],
                    &second = right == kNone ? none : shapes_[right];
  return {mixed(mixed(name | u64{c.type[i]} << 8 | c.kind[i], first.hash), second.hash),
          first.numbers + second.numbers};
}

// Finds operations that are equal but for the values of their numbers. False: some have no numbers, and may be shared,
// which hangs on the hashes of all values; or there are too many to be compared.
bool FreeNumbers::find_alike(const Columns& c) {
  shapes_.resize(c.nodes);
  operations_.clear();
  for (u32 r = 0; r < c.nodes; ++r) {
    const Index i = c.order[r];
    const Shape own = shapes_[i] = shape_of(c, i);
    if (is_idle(c.role[i]) || c.role[i] == Role::Gone || is_value(c, i) || !may_be_shared(c, i))
      continue;
    if (operations_.size() == kMostOperations) return false;
    for (const Index other : operations_) {
      if (shapes_[other].hash != own.hash) continue;
      if (own.numbers == 0) return false;
      must_differ_ = true;
    }
    operations_.push_back(i);
  }
  return true;
}

}  // namespace komuz::frontend
