// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/sketch_candidates.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>

#include "base/counts.h"
#include "engine/sketch/grid/real_points.h"
#include "engine/values/value_text.h"

namespace komuz::engine {

namespace {

constexpr const char* kTooLarge = "has more than 65,536 decisions";
static_assert(kMostDecisions == 65'536);

std::string decision_text(const VariantPlan& plan, u32 number) {
  const Decision& decision = plan.decision(number);
  if (decision.space != kNoSpace)
    return "an expression of `" + plan.sketch().spaces[decision.space].name + "`";
  const std::string& name = plan.sketch().holes[decision.holes[0]].name;
  if (!name.empty()) return "`?" + name + "`";
  if (decision.is_real) return "a constant";
  return decision.form == HoleForm::Grid ? "a grid" : "a choice";
}

// What does not fit in the list, and what would.
std::string fault_text(const VariantPlan& plan, const Decisions& decisions,
                       const ListFault& fault) {
  if (fault.ways == 0)
    return "has " + counted(decisions.size(), "number") + ", and this variant has " +
           counted(fault.at, "decision");
  const std::string what =
      "number " + grouped(fault.at + 1) + " is of " + decision_text(plan, fault.decision);
  const std::string range = plan.decision(fault.decision).is_real ? "any number"
                            : fault.ways == 1                     ? "only 0"
                                              : "0 to " + grouped(u64{fault.ways} - 1);
  if (fault.at == decisions.size()) return "ends too soon: " + what + ", " + range;
  const std::string found = ", and not " + grouped(decisions[fault.at]);
  if (decisions[fault.at] >= fault.ways) return "does not fit: " + what + ", " + range + found;
  return "does not fit: " + what + found + ", which leads to no variant";
}

}  // namespace

namespace {

// The places in a list of decisions that are any number. Empty if these are no decisions of the sketch.
std::vector<size_t> real_places(const VariantPlan& plan, const Decisions& decisions) {
  std::vector<size_t> places;
  if (!plan.has_reals()) return places;
  std::vector<DecisionStretch> stretches;
  plan.list_stretches(decisions, stretches);
  for (const DecisionStretch& stretch : stretches)
    if (plan.decision(stretch.decision).is_real) places.push_back(stretch.begin);
  return places;
}

}  // namespace

std::string variant_name(u64 number) { return "#" + std::to_string(number); }

std::string variant_name(const VariantPlan& plan, const Decisions& decisions) {
  if (plan.count().is_exact && !plan.has_reals())
    if (const auto number = plan.rank(decisions)) return variant_name(*number);
  const std::vector<size_t> reals = real_places(plan, decisions);
  size_t next_real = 0;
  std::string text = "#[";
  text.reserve(2 * decisions.size() + 2);  // most are of one digit
  for (size_t k = 0; k < decisions.size(); ++k) {
    char digits[16];
    if (k != 0) text += ',';
    if (next_real < reals.size() && reals[next_real] == k) {
      ++next_real;
      print_scalar(text, Scalar::F64, real_cell(decisions[k], Scalar::F64), ValueStyle::Text);
      continue;
    }
    text.append(digits, std::to_chars(digits, digits + sizeof digits, decisions[k]).ptr);
  }
  text += ']';
  return text;
}

Problem read_variant_name(const VariantPlan& plan, std::string_view text, Decisions& decisions) {
  const std::string shown = "`" + std::string(text) + "`";
  if (text.starts_with('#')) text.remove_prefix(1);
  const auto number = [&](std::string_view digits, auto& value) {
    const auto [end, problem] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return problem == std::errc() && end == digits.data() + digits.size();
  };
  decisions.clear();
  if (text.starts_with('[') && text.ends_with(']')) {
    text = text.substr(1, text.size() - 2);
    std::vector<f64> numbers;
    for (bool goes_on = !text.empty(); goes_on;) {
      const size_t comma = text.find(',');
      const std::string_view word = text.substr(0, comma);
      f64& value = numbers.emplace_back();
      u32& decision = decisions.emplace_back();
      if (number(word, decision)) {
        value = decision;
      } else if (plan.has_reals() && number(word, value) && std::isfinite(value)) {
        decision = nearest_real_point(value);
      } else {
        return input_problem(shown +
                             " is no list of decisions; they are numbers, as in `#[3,0,17]`");
      }
      goes_on = comma != std::string_view::npos;
      text.remove_prefix(goes_on ? comma + 1 : text.size());
    }
    for (const size_t place : real_places(plan, decisions))
      decisions[place] = nearest_real_point(numbers[place]);
    if (const auto fault = plan.find_fault(decisions))
      return input_problem(shown + " " + fault_text(plan, decisions, *fault) +
                           "; `komuz sketch`, and `:variants` in a session, show the decisions");
    return {};
  }
  u64 wanted = 0;
  const bool is_number = number(text, wanted);
  const bool is_beyond =
      !is_number && !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  if (!is_number && !is_beyond)
    return input_problem(shown + " is no variant; write its number, as in `#123`" +
                         (text.starts_with('[') ? ", or its decisions, as in `#[3,0,17]`" : ""));
  if (is_beyond && !plan.count().is_exact)
    return input_problem(
        "numbers of variants are below 2^64, and " + shown +
        " is not; other variants are written as their decisions, as in `#[3,0,17]`");
  if (plan.count().is_exact && (is_beyond || wanted >= plan.count().exact)) {
    const std::string there = plan.count().exact == 0
                                  ? "none; a space needs an alternative without its own name"
                                  : count_text(plan.count()) + ", from #0 on";
    return input_problem("there is no variant " + shown + ": the sketch has " + there);
  }
  if (!plan.unrank(wanted, decisions))
    return input_problem(shown + " is a variant that " + kTooLarge);
  return {};
}

namespace {

void add_named(CandidateBatch& batch, std::string_view source, std::string_view name,
               const Decisions& decisions) {
  const size_t bytes = decisions.size() * sizeof(u32);
  const std::span<char> room = batch.allocate(bytes + alignof(u32));
  void* at = room.data();
  size_t left = room.size();
  u32* const kept = static_cast<u32*>(std::align(alignof(u32), bytes, at, left));
  std::ranges::copy(decisions, kept);
  batch.rows.push_back({batch.keep(name), source, {}, {kept, decisions.size()}});
}

}  // namespace

bool decisions_of(const VariantPlan& plan, const Candidate& candidate, Decisions& out) {
  if (candidate.number != Candidate::kNoNumber) return plan.unrank(candidate.number, out);
  out.assign(candidate.decisions.begin(), candidate.decisions.end());
  return true;
}

void add_variant(CandidateBatch& batch, std::string_view source, const VariantPlan& plan,
                 const Decisions& decisions) {
  add_named(batch, source, variant_name(plan, decisions), decisions);
}

SketchCandidates::SketchCandidates(std::string_view source, const VariantPlan& plan,
                                   const VariantChoice& choice)
    : source_(source),
      plan_(plan),
      choice_(choice),
      has_numbers_(plan.count().is_exact && !plan.has_reals() &&
                   plan.most_decisions() <= kMostDecisions),
      numbers_{plan.count().exact, plan.count().exact, choice.seed} {
  if (choice_.samples && *choice_.samples < numbers_.count) numbers_.count = *choice_.samples;
}

void SketchCandidates::read(CandidateBatch& batch, size_t most) {
  for (; most > 0 && batch.text_bytes() < kMaxBatchText && !stop_.stop_requested(); --most) {
    const Chosen chosen = choose(decisions_);
    if (chosen == Chosen::None) return;
    if (chosen == Chosen::TooLarge) {
      batch.rows.push_back({batch.keep("draw " + std::to_string(next_)),
                            {},
                            batch.keep(std::string("the variant ") + kTooLarge),
                            {}});
      continue;
    }
    // A variant that was drawn by its number need not be ranked.
    if (has_numbers_)
      batch.rows.push_back({batch.keep(variant_name(number_)), source_, {}, {}, number_});
    else if (plan_.count().is_exact && !plan_.has_reals())
      add_named(batch, source_, variant_name(number_), decisions_);
    else
      add_variant(batch, source_, plan_, decisions_);
  }
}

SketchCandidates::Chosen SketchCandidates::choose(Decisions& out) {
  if (next_ == numbers_.count) return Chosen::None;
  const u64 place = next_++;
  if (choice_.samples && !plan_.count().is_exact) return draw_new(out);
  number_ = numbers_.at(place);
  if (has_numbers_) return Chosen::Variant;
  return plan_.unrank(number_, out) ? Chosen::Variant : Chosen::TooLarge;
}
// If nearly all draws were seen before, there are no more to find. In a space that nests deeply nearly all variants
// are too large, and a single draw of one takes as long as thousands of others.
SketchCandidates::Chosen SketchCandidates::draw_new(Decisions& out) {
  constexpr u32 kTries = 1000;
  for (u32 k = 0; k < kTries && !stop_.stop_requested(); ++k) {
    const auto random = [&] { return random_number(choice_.seed, drawn_++); };
    if (finds_too_large_ || !plan_.draw(DrawKind::Variants, random, out)) {
      finds_too_large_ = true;
      if (!plan_.draw(DrawKind::Ways, random, out) && !plan_.draw(DrawKind::Narrow, random, out))
        continue;
    }
    const std::string key(reinterpret_cast<const char*>(out.data()), out.size() * sizeof(u32));
    if (seen_.insert(key).second) return Chosen::Variant;
  }
  next_ = numbers_.count;
  return Chosen::None;
}

}  // namespace komuz::engine
