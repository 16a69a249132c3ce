// SPDX-License-Identifier: Apache-2.0
// Sums and products as wholes: what stands in them several times is put together, and numbers meet, however deep
// they nest.
//
//   (n + x / y * 4.0 - (n - s - s)) * 0.75   ->   x / y * 3.0 + s * 1.5
//
// A sum is a list of terms with a factor each, and a number. A product is a list of factors above and below a line,
// and a number.
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

#include "services/simplify/rules.h"

namespace komuz::services {
namespace {

constexpr size_t kMostParts = 64;
// A factor that is this share of what it is the difference of is nothing but rounding.
constexpr f64 kCancelled = 1e-13;

f64 number_of(u64 cell) { return std::bit_cast<f64>(cell); }

}  // namespace

struct Rewriter::Sum {
  struct Term {
    u32 node = kNone;
    f64 factor = 0, size = 0;  // the size: of all that was added up
  };
  std::vector<Term> terms;
  f64 number = 0;
  u32 occurrences = 0, numbers = 0;  // of terms and of numbers, as they were written
};

struct Rewriter::Product {
  std::vector<u32> above, below;
  f64 number = 1;
  u32 factors = 0, numbers = 0;
};

bool Rewriter::flatten_sum(u32 root, Sum& out) const {
  struct Step {
    u32 node;
    f64 factor;
  };
  std::vector<Step> waiting = {{root, 1}};
  while (!waiting.empty()) {
    const Step step = waiting.back();
    waiting.pop_back();
    const u32 n = inside(draft_, step.node);
    if (n == kNone || draft_[n].is_commented || out.occurrences + out.numbers > kMostParts)
      return false;
    const Fact& fact = facts_[n];
    if (fact.cell) {
      out.number += step.factor * number_of(*fact.cell);
      ++out.numbers;
      continue;
    }
    const u32 left = draft_[n].left, right = draft_[n].right;
    const auto cell_of = [this](u32 k) {
      return k == kNone ? std::nullopt : facts_[inside(draft_, k)].cell;
    };
    switch (draft_.kind(n)) {
      case Node::Add:
      case Node::Sub:
        // The left one is looked at first.
        waiting.push_back({right, draft_.kind(n) == Node::Add ? step.factor : -step.factor});
        waiting.push_back({left, step.factor});
        continue;
      case Node::Neg: waiting.push_back({right, -step.factor}); continue;
      case Node::Mul:
        if (cell_of(left) || cell_of(right)) {
          ++out.numbers;
          const bool is_left = cell_of(left).has_value();
          waiting.push_back({is_left ? right : left,
                             step.factor * number_of(*(is_left ? cell_of(left) : cell_of(right)))});
          continue;
        }
        break;
      case Node::Div:
        if (cell_of(right)) {
          ++out.numbers;
          waiting.push_back({left, step.factor / number_of(*cell_of(right))});
          continue;
        }
        break;
      default: break;
    }
    ++out.occurrences;
    const auto same = std::ranges::find_if(
        out.terms, [&](const Sum::Term& term) { return are_equal_terms(term.node, n); });
    if (same == out.terms.end()) {
      out.terms.push_back({n, step.factor, std::fabs(step.factor)});
    } else {
      same->factor += step.factor;
      same->size += std::fabs(step.factor);
    }
  }
  const auto is_finite = [](const Sum::Term& term) { return std::isfinite(term.size); };
  if (!std::isfinite(out.number) || !std::ranges::all_of(out.terms, is_finite)) return false;
  std::erase_if(out.terms, [](const Sum::Term& term) {
    return std::fabs(term.factor) <= kCancelled * term.size;
  });
  return true;
}

// Factors may stand in any order.
bool Rewriter::are_equal_terms(u32 a, u32 b) const {
  if (are_same(draft_, a, b)) return true;
  Product one, other;
  if (!flatten_product(a, one) || !flatten_product(b, other) || one.number != other.number)
    return false;
  const auto are_equal = [this](const std::vector<u32>& some, std::vector<u32> rest) {
    for (const u32 factor : some) {
      const auto same =
          std::ranges::find_if(rest, [&](u32 k) { return are_same(draft_, factor, k); });
      if (same == rest.end()) return false;
      rest.erase(same);
    }
    return rest.empty();
  };
  return are_equal(one.above, other.above) && are_equal(one.below, other.below);
}

u32 Rewriter::literal(f64 number) {
  const u32 made = draft_.add_literal(Scalar::F64, std::bit_cast<u64>(number));
  if (made != kNone) learn_below(made);
  return made;
}
u32 Rewriter::joined(Node kind, u32 left, u32 right) {
  const u32 made = draft_.add(kind, Scalar::F64, left, right);
  facts_.learn(made);
  return made;
}

// Only the root of a sum is looked at, and only where that makes it shorter.
u32 Rewriter::collected_sum(u32 n) {
  const auto is_linear = [this](u32 k) {
    const Node kind = draft_.kind(k);
    return kind == Node::Add || kind == Node::Sub;
  };
  u32 above = draft_[n].parent;
  while (draft_.kind(above) == Node::Paren && draft_[above].is_value) above = draft_[above].parent;
  if (is_linear(above)) return kNone;
  Sum sum;
  if (!flatten_sum(n, sum)) return kNone;
  u32 numbers = sum.number != 0 ? 1 : 0;
  for (const Sum::Term& term : sum.terms) numbers += term.factor != 1 && term.factor != -1 ? 1 : 0;
  if (sum.terms.size() + numbers >= sum.occurrences + sum.numbers) return kNone;
  if (sum.terms.empty()) return literal(sum.number);
  const auto is_leaf = [this](u32 k) {
    return draft_.kind(k) == Node::Name || draft_.kind(k) == Node::Call;
  };
  // A term that is added stands first, if there is one.
  const auto added =
      std::ranges::find_if(sum.terms, [](const Sum::Term& term) { return term.factor > 0; });
  if (added != sum.terms.end()) std::rotate(sum.terms.begin(), added, added + 1);
  u32 made = kNone;
  const bool begins_with_number = added == sum.terms.end() && sum.number > 0;
  if (begins_with_number) made = literal(sum.number);
  for (const Sum::Term& term : sum.terms) {
    const bool is_first = made == kNone;
    const f64 factor = is_first ? term.factor : std::fabs(term.factor);
    u32 part = term.node;
    if (factor == -1)
      part = draft_.add(Node::Neg, Scalar::F64, kNone, part);
    else if (factor != 1 && is_leaf(part))
      part = joined(Node::Mul, literal(factor), part);
    else if (factor != 1)
      part = joined(Node::Mul, part, literal(factor));
    facts_.learn(part);
    made = is_first ? part : joined(term.factor < 0 ? Node::Sub : Node::Add, made, part);
  }
  if (!begins_with_number && sum.number != 0)
    made = joined(sum.number < 0 ? Node::Sub : Node::Add, made, literal(std::fabs(sum.number)));
  return made;
}

bool Rewriter::flatten_product(u32 root, Product& out) const {
  struct Step {
    u32 node;
    bool is_below;
  };
  std::vector<Step> waiting = {{root, false}};
  while (!waiting.empty()) {
    const Step step = waiting.back();
    waiting.pop_back();
    const u32 n = inside(draft_, step.node);
    if (n == kNone || draft_[n].is_commented || out.factors + out.numbers > kMostParts)
      return false;
    if (const std::optional<u64> cell = facts_[n].cell) {
      out.number = step.is_below ? out.number / number_of(*cell) : out.number * number_of(*cell);
      ++out.numbers;
      continue;
    }
    switch (draft_.kind(n)) {
      case Node::Mul:
      case Node::Div:
        waiting.push_back({draft_[n].right, step.is_below != (draft_.kind(n) == Node::Div)});
        waiting.push_back({draft_[n].left, step.is_below});
        continue;
      case Node::Neg:
        out.number = -out.number;
        waiting.push_back({draft_[n].right, step.is_below});
        continue;
      default: break;
    }
    ++out.factors;
    std::vector<u32>& others = step.is_below ? out.above : out.below;
    const auto same =
        std::ranges::find_if(others, [&](u32 other) { return are_same(draft_, other, n); });
    if (same != others.end())
      others.erase(same);
    else
      (step.is_below ? out.below : out.above).push_back(n);
  }
  return std::isfinite(out.number);
}

u32 Rewriter::collected_product(u32 n) {
  u32 above = draft_[n].parent;
  while (draft_.kind(above) == Node::Paren && draft_[above].is_value) above = draft_[above].parent;
  if (draft_.kind(above) == Node::Mul || draft_.kind(above) == Node::Div ||
      draft_.kind(above) == Node::Neg)
    return kNone;
  Product product;
  if (!flatten_product(n, product)) return kNone;
  const size_t factors = product.above.size() + product.below.size();
  const u32 numbers = product.number != 1 && product.number != -1 ? 1 : 0;
  if (factors + numbers >= product.factors + product.numbers) return kNone;
  if (product.number == 0 || factors == 0) return literal(product.number);
  u32 made = kNone;
  for (const u32 factor : product.above)
    made = made == kNone ? factor : joined(Node::Mul, made, factor);
  if (made == kNone) {
    made = literal(product.number);
    product.number = 1;
  }
  for (const u32 factor : product.below) made = joined(Node::Div, made, factor);
  if (product.number == -1) {
    made = draft_.add(Node::Neg, Scalar::F64, kNone, made);
    facts_.learn(made);
  } else if (product.number != 1) {
    made = joined(Node::Mul, made, literal(product.number));
  }
  return made;
}

// A power of a number, whose exponent is an integer.
u32 Rewriter::computed_power(u32 n) {
  const std::optional<u64> base = facts_[inside(draft_, draft_[n].left)].cell;
  const u32 exponent = inside(draft_, draft_[n].right);
  if (!base || draft_.kind(exponent) != Node::Int) return kNone;
  constexpr u32 kMostExponent = 64;
  u32 times = 0;
  const std::string_view digits = draft_[exponent].text;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), times);
  if (error != std::errc() || end != digits.data() + digits.size() || times > kMostExponent)
    return kNone;
  f64 power = 1;
  for (u32 k = 0; k < times; ++k) power *= number_of(*base);
  return std::isfinite(power) ? literal(power) : kNone;
}

// Of floats of 64 bits, which formulas are made of.
u32 Rewriter::collected(u32 n) {
  if (exactness_ != Exactness::ToRounding || draft_[n].type != Scalar::F64 || !draft_[n].is_value)
    return kNone;
  switch (draft_.kind(n)) {
    case Node::Add:
    case Node::Sub: return collected_sum(n);
    case Node::Mul: {
      // `x * 2.0` is `2.0 * x`, as a person writes it.
      const u32 left = inside(draft_, draft_[n].left), right = inside(draft_, draft_[n].right);
      const bool is_leaf = draft_.kind(left) == Node::Name || draft_.kind(left) == Node::Call;
      if (is_leaf && draft_.is_literal(right)) return joined(Node::Mul, right, left);
      [[fallthrough]];
    }
    case Node::Div: {
      if (const u32 sum = collected_sum(n); sum != kNone) return sum;
      return collected_product(n);
    }
    case Node::Neg: return collected_product(n);
    case Node::Pow: return computed_power(n);
    default: return kNone;
  }
}

}  // namespace komuz::services
