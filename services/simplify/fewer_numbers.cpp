// SPDX-License-Identifier: Apache-2.0
#include "services/simplify/fewer_numbers.h"

#include <bit>
#include <cmath>
#include <optional>

#include "engine/values/value_text.h"
#include "services/simplify/draft.h"
#include "services/simplify/simplify.h"

namespace komuz::services {
namespace {

bool is_sum(Node kind) { return kind == Node::Add || kind == Node::Sub; }
bool is_product(Node kind) { return kind == Node::Mul || kind == Node::Div; }

// An operation of a draft, and the side of it that may go.
struct Place {
  u32 node = kNone;
  bool is_left = false;
  bool is_intercept = false;  // of a quotient, which gets another form without it
};

// A draft from which one operand goes.
class NumberDraft {
 public:
  explicit NumberDraft(const Analysis& analysis) : draft_(analysis) {}

  [[nodiscard]] std::vector<Place> places() const {
    std::vector<u32> below;
    for (const u32 body : draft_.bodies()) draft_.list_below(body, below);
    std::vector<Place> out;
    for (const u32 n : below)
      for (const bool is_left : {true, false}) {
        if (may_go({n, is_left})) out.push_back({n, is_left});
        if (is_intercept({n, is_left})) out.push_back({n, is_left, true});
      }
    return out;
  }
  // Empty: its numbers do not fit an f64, or another place says the same better.
  [[nodiscard]] std::string without(Place place) {
    const u32 n = place.node;
    const u32 gone = operand(place), left = operand({n, !place.is_left});
    const Node own = draft_.kind(n);
    if (place.is_intercept) {
      const u32 name = name_in(draft_[left].right);
      draft_.replace(draft_[left].left, draft_.copy_leaf(name, left));
      draft_.replace(n, draft_.add(Node::Mul, Scalar::F64, left, gone));
      return draft_.text();
    }
    if (own == Node::Div && place.is_left) {
      draft_.replace(gone, draft_.add_literal(Scalar::F64, std::bit_cast<u64>(1.0)));
      return draft_.text();
    }
    if (is_product(own)) {
      const f64 by = own == Node::Div ? 1 / value_of(gone) : value_of(gone);
      const bool is_scaled = scale(left, by);
      // A number of the sum goes instead: `x / (a + x) * b`, and not `x / (a + b * x)`.
      if (is_scaled && !is_sum(draft_.kind(left)) && !has_factor(left)) return {};
      if (!is_scaled && !pass_on(n, by)) changes_.clear();
    }
    for (const Change& change : changes_) {
      const f64 value = value_of(change.node) * change.by;
      if (!std::isfinite(value)) return {};
      std::string text;
      engine::print_scalar(text, Scalar::F64, std::bit_cast<u64>(value),
                           engine::ValueStyle::Source);
      draft_.rename(change.node, std::signbit(value) ? "(" + text + ")" : text);
    }
    const bool is_negated = own == Node::Sub && place.is_left;
    draft_.replace(n, is_negated ? draft_.add(Node::Neg, Scalar::F64, kNone, left) : left);
    return draft_.text();
  }

 private:
  struct Change {
    u32 node = kNone;  // a literal without its sign
    f64 by = 1;
  };

  [[nodiscard]] u32 operand(Place place) const {
    return place.is_left ? draft_[place.node].left : draft_[place.node].right;
  }
  [[nodiscard]] bool is_number(u32 n) const {
    return draft_.is_literal(n) && draft_[n].type == Scalar::F64;
  }
  [[nodiscard]] f64 value_of(u32 number) const {
    const bool is_negative = draft_.kind(number) == Node::Neg;
    u64 bits = 0;
    static_cast<void>(engine::parse_scalar(Scalar::F64,
                                           draft_[is_negative ? draft_[number].right : number].text,
                                           engine::ValueStyle::Text, bits));
    const f64 value = std::bit_cast<f64>(bits);
    return is_negative ? -value : value;
  }
  [[nodiscard]] bool may_go(Place place) const {
    const Node own = draft_.kind(place.node);
    if (draft_[place.node].type != Scalar::F64) return false;
    if (is_sum(own)) return has_factor(operand(place));
    // `c / x` is no shorter as `1 / x`.
    if (own == Node::Div && place.is_left)
      return is_summand(operand(place), draft_[place.node].right);
    // By 0 nothing is divided.
    return is_product(own) && is_number(operand(place)) && value_of(operand(place)) != 0;
  }
  // True for a name in a sum of it and a number.
  [[nodiscard]] bool is_summand(u32 name, u32 sum) const {
    const u32 other = name_in(sum);
    return draft_.kind(name) == Node::Name && other != kNone &&
           draft_[other].text == draft_[name].text;
  }
  // The name of a sum of a name and a number; kNone: it is none.
  [[nodiscard]] u32 name_in(u32 sum) const {
    if (!is_sum(draft_.kind(sum))) return kNone;
    const u32 left = draft_[sum].left, right = draft_[sum].right;
    if (draft_.kind(left) == Node::Name && is_number(right)) return left;
    return is_number(left) && draft_.kind(right) == Node::Name ? right : kNone;
  }
  // True for `a` in `a - b / (x + c)`.
  [[nodiscard]] bool is_intercept(Place place) const {
    if (!is_sum(draft_.kind(place.node)) || !is_number(operand(place))) return false;
    const u32 other = operand({place.node, !place.is_left});
    return draft_.kind(other) == Node::Div && draft_[other].type == Scalar::F64 &&
           is_number(draft_[other].left) && name_in(draft_[other].right) != kNone;
  }
  // True for a number, and for a product with one; where sums count, too, for these and products with one.
  enum class Factors : u8 { Numbers, AlsoSums };
  [[nodiscard]] bool has_factor(u32 root, Factors factors = Factors::Numbers) const {
    std::vector<u32> waiting = {root};
    while (!waiting.empty()) {
      const u32 n = waiting.back();
      waiting.pop_back();
      if (is_number(n) || (factors == Factors::AlsoSums && is_sum(draft_.kind(n)))) return true;
      if (is_product(draft_.kind(n))) waiting.push_back(draft_[n].left);
      if (is_product(draft_.kind(n)) || draft_.kind(n) == Node::Neg)
        waiting.push_back(draft_[n].right);
    }
    return false;
  }

  // Multiplies what a node gives, by its numbers. False: it has none that do this, and nothing changes.
  bool scale(u32 root, f64 factor) {
    const size_t before = changes_.size();
    std::vector<Change> waiting = {{root, factor}};
    while (!waiting.empty()) {
      const auto [n, by] = waiting.back();
      waiting.pop_back();
      const Node own = draft_.kind(n);
      const u32 left = draft_[n].left, right = draft_[n].right;
      if (own == Node::Float) {
        changes_.push_back({n, by});
      } else if (own == Node::Neg) {
        waiting.push_back({right, by});
      } else if (is_sum(own)) {
        waiting.push_back({left, by});
        waiting.push_back({right, by});
      } else if (is_product(own)) {
        const f64 by_right = own == Node::Div ? 1 / by : by;
        const bool is_left =
            has_factor(left) || (!has_factor(right) && has_factor(left, Factors::AlsoSums));
        waiting.push_back(is_left ? Change{left, by} : Change{right, by_right});
      } else {
        changes_.resize(before);
        return false;
      }
    }
    return true;
  }
  // Node n lacks a factor: it goes up until it meets a number that takes it. False: it meets none.
  bool pass_on(u32 n, f64 by) {
    for (u32 above = draft_[n].parent; above != kNone; n = above, above = draft_[n].parent) {
      const Node outer = draft_.kind(above);
      const bool is_left = draft_[above].left == n;
      if (is_sum(outer)) {
        if (!scale(operand({above, !is_left}), 1 / by)) return false;
      } else if (is_product(outer)) {
        const bool divides = outer == Node::Div;
        if (scale(operand({above, !is_left}), divides ? 1 / by : by)) return true;
        if (divides && !is_left) by = 1 / by;
      } else if (outer != Node::Neg) {
        return false;
      }
    }
    return false;
  }

  Draft draft_;
  std::vector<Change> changes_;
};

}  // namespace

std::vector<std::string> with_fewer_numbers(std::string_view program) {
  std::vector<std::string> out;
  Analysis analysis;
  analysis.read(program);
  if (!analysis.is_sound()) return out;
  for (const Place place : NumberDraft(analysis).places()) {
    const std::string text = NumberDraft(analysis).without(place);
    if (!text.empty()) out.push_back(simplified_text(text, nullptr, Exactness::ToRounding));
  }
  return out;
}

}  // namespace komuz::services
