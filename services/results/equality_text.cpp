// SPDX-License-Identifier: Apache-2.0
#include "services/results/equality_text.h"

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/counts.h"
#include "engine/results/failure_list.h"
#include "engine/values/value_text.h"
#include "services/counterexample.h"
#include "services/display_text.h"
#include "services/results/arguments_json.h"
#include "services/results/proof_text.h"

namespace komuz::services {
namespace {

using engine::ValueStyle;
using neural::Equality;
using neural::Evidence;
using neural::Verdict;

std::string_view result_type(const EqualityQuestion& q) {
  return q.a.code.result_type(q.a.code.functions[q.a.function]);
}
std::vector<ParameterValue> arguments(const EqualityQuestion& q, const Equality& e,
                                      ValueStyle style) {
  return named_arguments(q.a.code, q.a.function, e.types, e.arguments, style);
}

std::string shown(std::string text) {
  if (text.size() > engine::kMostValueBytes) text = std::string(engine::beginning_of(text)) + "…";
  return text;
}

// "7", "trap OVERFLOW"; with the ticks if the outcomes are the same but for those.
std::string outcome_text(const EqualityQuestion& q, const Equality& e,
                         const neural::Outcome& outcome) {
  std::string text;
  if (outcome.trap != Trap::None)
    text = "trap " + std::string(trap_name(outcome.trap));
  else
    engine::print_value(text, result_type(q), outcome.value, ValueStyle::Text);
  text = shown(std::move(text));
  if (e.a.trap == e.b.trap && e.a.value == e.b.value)
    text += " in " + counted(outcome.ticks, "tick");
  return text;
}

// The test that `a` passes; empty if there is no source to paste it into, or if it is too long to be read.
std::string passed_test(const EqualityQuestion& q, const Equality& e) {
  const bool is_of_ticks = e.a.trap == e.b.trap && e.a.value == e.b.value;
  if (q.a_source.empty() || is_of_ticks || e.a.trap == Trap::Fuel) return "";
  std::string test = outcome_test(q.a_source, q.a.code.name(q.a.code.functions[q.a.function]),
                                  arguments(q, e, ValueStyle::Source),
                                  {e.a.trap, result_type(q), e.a.value}, q.library);
  return test.size() <= engine::kMostValueBytes ? test : std::string();
}

// A share in percent, rounded up to two digits: "0.03".
std::string percent(f64 share) {
  if (share >= 1) return "100";
  const f64 value = 100 * share;
  const int digits = std::max(0, 1 - static_cast<int>(std::floor(std::log10(value))));
  const f64 unit = std::pow(10.0, -digits);
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", digits, std::ceil(value / unit) * unit);
  return text;
}

std::string_view fuel_name(neural::FuelRule rule) {
  return neural::kFuelRuleNames[static_cast<u8>(rule)];
}
std::string of_inputs(const Equality& e) {
  return e.slice_elements == 0
             ? "inputs"
             : "inputs with slices of at most " + counted(e.slice_elements, "element");
}

std::string no_proof_text(const Equality& e) {
  return e.why.empty() ? std::string() : "  no proof: " + e.why + "\n";
}

}  // namespace

std::string equality_text(const EqualityQuestion& q, const Equality& e, const RenderStyle& style) {
  const Palette& p = palette(style);
  const std::string a = printable(q.a_name, ~0u), b = printable(q.b_name, ~0u);
  const auto head = [&](std::string_view colour, std::string_view word) {
    return std::string(colour) + std::string(word) + std::string(p.plain) + b + ": ";
  };
  switch (e.verdict) {
    case Verdict::Proved:
      return head(p.note, "proved   ") + "equal to " + a + " for all inputs: " + evidence_text(e) +
             "\n";
    case Verdict::Refuted: {
      std::string text = head(p.error, "REFUTED  ") + outcome_text(q, e, e.b) + ", but " + a +
                         " gives " + outcome_text(q, e, e.a) + "\n";
      text += "  with";
      std::string_view before = " ";
      for (const ParameterValue& value : arguments(q, e, ValueStyle::Text)) {
        text += std::string(before) + value.name + " = " + shown(value.value);
        before = ", ";
      }
      text += e.arguments.empty() ? " no arguments\n" : "\n";
      if (const std::string test = passed_test(q, e); !test.empty())
        text += "  as a test, which " + a + " passes:\n" + test;
      return text;
    }
    case Verdict::Interrupted: return head(p.warning, "stopped  ") + "nothing is known\n";
    case Verdict::Unknown:
      return head(p.warning, "unknown  ") + "none of " + counted(e.open, "guided input") +
             " could be compared with " + a +
             ": one of the two ran out of ticks on each; give more by --ticks\n" + no_proof_text(e);
    case Verdict::Tested: break;
  }
  char confidence[32];
  std::snprintf(confidence, sizeof confidence, "%g", 100 * q.options.confidence);
  std::string text = head(p.warning, "tested   ") + "0 of " + grouped(e.inputs) + " guided " +
                     of_inputs(e) + " (seed " + std::to_string(q.options.seed) +
                     ") showed a difference from " + a + "\n";
  text += "  with " + std::string(confidence) + " % confidence they differ on fewer than " +
          percent(e.bound) + " % of such inputs; nothing is claimed of others\n";
  if (e.alike != 0)
    text += "  " + grouped(e.alike) + " of them say little: both functions give " +
            (e.alike_in == Trap::None ? "NaN" : "trap " + std::string(trap_name(e.alike_in))) +
            " on them\n";
  if (e.open != 0)
    text += "  " + counted(e.open, "input") +
            " more, on which one of them ran out of ticks, were not compared" +
            (e.open > e.inputs ? "; give more by --ticks\n" : "\n");
  return text + no_proof_text(e);
}

nlohmann::ordered_json equality_json(const EqualityQuestion& q, const Equality& e) {
  nlohmann::ordered_json object;
  object["a"] = q.a_name;
  object["b"] = q.b_name;
  object["entry"] = q.b.code.name(q.b.code.functions[q.b.function]);
  object["verdict"] = neural::kVerdictNames[static_cast<u8>(e.verdict)];
  object["evidence"] = neural::kEvidenceNames[static_cast<u8>(e.evidence)];
  object["fuel"] = fuel_name(q.options.fuel);
  object["method"] = nullptr;
  if (!e.method.empty()) object["method"] = e.method;
  object["no_proof"] = nullptr;
  if (!e.why.empty()) object["no_proof"] = e.why;
  object["inputs"] = e.inputs;
  object["open"] = e.open;
  object["slice_elements"] = nullptr;
  if (e.slice_elements != 0) object["slice_elements"] = e.slice_elements;
  if (e.verdict == Verdict::Tested) {
    object["seed"] = q.options.seed;
    object["confidence"] = q.options.confidence;
    object["bound"] = e.bound;
    object["alike"] = nullptr;
    if (e.alike != 0)
      object["alike"] = {
          {"inputs", e.alike},
          {"end", e.alike_in == Trap::None ? "NaN" : trap_name(e.alike_in)},
      };
  }
  if (e.verdict != Verdict::Refuted) return object;
  add_arguments(object, arguments(q, e, ValueStyle::Json));
  for (const auto& [name, outcome] : {std::pair("outcome_a", &e.a), {"outcome_b", &e.b}}) {
    auto& shown_outcome = object[name];
    if (outcome->trap == Trap::None) {
      std::string value;
      engine::print_value(value, result_type(q), outcome->value, ValueStyle::Json);
      shown_outcome["value"] = nlohmann::ordered_json::parse(value, nullptr, false);
    } else {
      shown_outcome["trap"] = trap_name(outcome->trap);
    }
    shown_outcome["fuel"] = outcome->ticks;
  }
  object["test"] = nullptr;
  if (std::string test = passed_test(q, e); !test.empty()) object["test"] = std::move(test);
  return object;
}

nlohmann::ordered_json refused_comparison_json(std::string_view a_name, std::string_view b_name,
                                               std::string_view why) {
  return {{"a", a_name}, {"b", b_name}, {"verdict", "refused"}, {"no_proof", why}};
}

}  // namespace komuz::services
