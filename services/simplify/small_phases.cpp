// SPDX-License-Identifier: Apache-2.0
#include "services/simplify/small_phases.h"

#include <bit>
#include <cmath>
#include <numbers>
#include <vector>

#include "engine/values/value_text.h"
#include "services/simplify/draft.h"
#include "services/simplify/simplify.h"

namespace komuz::services {
namespace {

constexpr f64 kPeriod = 2 * std::numbers::pi;

// True for a call of `sin` or `cos` of the language.
bool is_wave(const Draft& draft, u32 n) {
  if (draft.kind(n) != Node::Call || draft[n].type != Scalar::F64) return false;
  const u32 name = draft[n].left;
  return draft.kind(name) == Node::Name && draft[name].ref >= kBuiltinRef &&
         (draft[name].text == "sin" || draft[name].text == "cos");
}

// Numbers that are summands of the argument.
void list_phases(const Draft& draft, u32 call, std::vector<u32>& out) {
  std::vector<u32> waiting = {draft[call].right};
  while (!waiting.empty()) {
    const u32 n = waiting.back();
    waiting.pop_back();
    switch (draft.kind(n)) {
      case Node::Add:
      case Node::Sub:
        waiting.push_back(draft[n].left);
        waiting.push_back(draft[n].right);
        break;
      case Node::Paren:
      case Node::Neg: waiting.push_back(draft[n].right); break;
      case Node::Float: out.push_back(n); break;
      default: break;
    }
  }
}

}  // namespace

std::string with_small_phases(std::string_view program) {
  Analysis analysis;
  analysis.read(program);
  if (!analysis.is_sound()) return {};
  Draft draft(analysis);
  std::vector<u32> below, phases;
  for (const u32 body : draft.bodies()) draft.list_below(body, below);
  for (const u32 n : below)
    if (is_wave(draft, n)) list_phases(draft, n, phases);
  bool has_changed = false;
  for (const u32 phase : phases) {
    u64 bits = 0;
    static_cast<void>(
        engine::parse_scalar(Scalar::F64, draft[phase].text, engine::ValueStyle::Text, bits));
    const f64 value = std::bit_cast<f64>(bits);
    const f64 small = std::remainder(value, kPeriod);
    if (!(std::fabs(value) > std::numbers::pi) || !std::isfinite(small)) continue;
    std::string text;
    engine::print_scalar(text, Scalar::F64, std::bit_cast<u64>(small), engine::ValueStyle::Source);
    draft.rename(phase, std::signbit(small) ? "(" + text + ")" : text);
    has_changed = true;
  }
  if (!has_changed) return {};
  return simplified_text(draft.text(), nullptr, Exactness::ToRounding);
}

}  // namespace komuz::services
