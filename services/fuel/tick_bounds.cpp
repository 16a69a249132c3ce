// SPDX-License-Identifier: Apache-2.0
#include "services/fuel/tick_bounds.h"

#include <algorithm>

#include "services/fuel/number_ranges.h"

namespace komuz::services {
namespace {

// No run has more fuel.
constexpr u64 kMostTicks = u64{1} << 62;
u64 plus(u64 a, u64 b) { return std::min(kMostTicks, a + b); }
u64 times(u64 a, u64 b) {
  u64 out = 0;
  return __builtin_mul_overflow(a, b, &out) ? kMostTicks : std::min(kMostTicks, out);
}

class FunctionTicks {
 public:
  FunctionTicks(const CodeView& code, u32 number, const std::vector<TickBound>& known)
      : code_(code),
        function_(code.functions[number]),
        number_(number),
        known_(known),
        ranges_(code, function_),
        body_(code.instructions.subspan(function_.code_begin,
                                        function_.code_end - function_.code_begin)) {}

  TickBound find() {
    const u64 ticks = longest([&](u32 i) { return ticks_of(i); });
    if (function_.cycle != 0 && is_alone()) {
      // A frame that calls itself once at most: as many frames as may live are all that there are.
      const u64 calls = longest([&](u32 i) { return u64{calls_itself(body_[i])}; });
      if (calls <= 1) {
        settle(times(function_.rec, plus(ticks, 1)));
        return std::move(out_);
      }
    }
    out_.is_recursive = function_.cycle != 0;
    settle(plus(ticks, 1));
    return std::move(out_);
  }

 private:
  void settle(u64 most) {
    if (most >= kMostTicks && is_bounded()) out_.places.push_back(function_.place);
    if (is_bounded()) out_.most = most;
  }
  [[nodiscard]] bool is_bounded() const {
    return out_.places.empty() && out_.callees.empty() && !out_.is_recursive;
  }
  // No other function is in its circle.
  [[nodiscard]] bool is_alone() const {
    return std::ranges::count(code_.functions, function_.cycle, &Function::cycle) == 1;
  }
  [[nodiscard]] bool calls_itself(const Instruction& at) const {
    return at.op == Op::Call && at.a == number_;
  }
  void depend_on(u32 place) {
    if (std::ranges::find(out_.places, place) == out_.places.end()) out_.places.push_back(place);
  }

  // Of the instruction alone.
  u64 ticks_of(u32 i) {
    const Instruction& at = body_[i];
    if (at.op == Op::Tick) return 1;
    if (at.op == Op::Ticks) {
      const NumberRange number = ranges_.top_at(i);
      if (number.hi != NumberRange::kMost)
        return number.hi > 0 ? std::min(kMostTicks, static_cast<u64>(number.hi)) : 0;
      depend_on(number.place);
    }
    if (at.op != Op::Call || calls_itself(at)) return 0;
    if (const std::optional<u64> most = known_[at.a].most) return *most;
    const bool is_in_circle =
        function_.cycle != 0 && code_.functions[at.a].cycle == function_.cycle;
    if (!is_in_circle && std::ranges::find(out_.callees, at.a) == out_.callees.end())
      out_.callees.push_back(at.a);
    return 0;
  }

  // The most of a path from the first instruction to the end. What is left from an instruction on follows from those behind it, as
  // jumps go forward but for loops; what is left of a round of a loop ends at its END, and wherever the loop is left.
  template <class Weigh>
  u64 longest(Weigh weigh) {
    const auto size = static_cast<u32>(body_.size());
    std::vector<u64> left(size + 1, 0);
    std::vector<u64> behind;  // of the open loops, the innermost last
    for (u32 i = size; i-- > 0;) {
      const Instruction& at = body_[i];
      switch (at.op) {
        case Op::End:
          behind.push_back(left[i + 1]);
          left[i] = 0;
          break;
        case Op::Loop: {
          left[i] = plus(behind.back(), of_loop(i, left));
          behind.pop_back();
          break;
        }
        case Op::Break:
        case Op::Continue:
        case Op::Return:
        case Op::TrapNow: left[i] = 0; break;
        case Op::Jump: left[i] = left[at.b]; break;
        case Op::JumpIfFalse:
        case Op::JumpIfFalseOrPop:
        case Op::JumpIfTrueOrPop: left[i] = std::max(left[i + 1], left[at.b]); break;
        default: left[i] = plus(left[i + 1], weigh(i)); break;
      }
    }
    return left[0];
  }
  // All rounds, and what is done before the last one is not begun.
  u64 of_loop(u32 loop, const std::vector<u64>& left) {
    const u64 round = left[loop + 1];
    if (round == 0) return 0;
    const NumberRange rounds = ranges_.rounds(loop);
    if (rounds.hi == NumberRange::kMost) {
      depend_on(rounds.place);
      return 0;
    }
    u32 check = loop + 1;
    while (check < body_[loop].b && body_[check].op != Op::Limit && body_[check].op != Op::ForNext)
      ++check;
    return plus(times(static_cast<u64>(rounds.hi), round), round - std::min(round, left[check]));
  }

  const CodeView& code_;
  const Function& function_;
  u32 number_;
  const std::vector<TickBound>& known_;
  NumberRanges ranges_;
  std::span<const Instruction> body_;
  TickBound out_;
};

}  // namespace

std::vector<TickBound> tick_bounds(const CodeView& code) {
  std::vector<TickBound> bounds(code.functions.size());
  // A function may call one that stands behind it; each round finds more.
  for (bool finds = true; finds;) {
    finds = false;
    for (u32 f = 0; f < bounds.size(); ++f) {
      if (bounds[f].most) continue;
      bounds[f] = FunctionTicks(code, f, bounds).find();
      finds = finds || bounds[f].most.has_value();
    }
  }
  return bounds;
}

}  // namespace komuz::services
