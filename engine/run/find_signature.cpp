// SPDX-License-Identifier: Apache-2.0
#include "engine/run/find_signature.h"

#include <algorithm>

#include "base/characters.h"
#include "engine/results/score.h"
#include "engine/values/value_text.h"

namespace komuz::engine {
namespace {

// True for the type of a number.
bool is_number(std::string_view type) {
  const Scalar scalar = type.size() == 1 ? static_cast<Scalar>(type[0]) : Scalar::None;
  return is_integer(scalar) || is_float(scalar);
}

// Why the expected numbers have no r2; null if they have one.
const char* no_spread_text(ExpectedSpread::Kind kind) {
  switch (kind) {
    case ExpectedSpread::Kind::Varies: return nullptr;
    case ExpectedSpread::Kind::NoNumbers: return "no case expects a number";
    case ExpectedSpread::Kind::Equal: return "cases expect the same number";
    case ExpectedSpread::Kind::Rounded:
      return "the numbers that cases expect differ by no more than rounding";
    case ExpectedSpread::Kind::NotFinite: return "expected numbers are not finite";
  }
  return nullptr;
}

// Classes are 0 and 1, or −1 and 1.
Problem check_classes(const Suite& suite, const std::string& file, const std::string& score) {
  std::optional<f64> first;  // of the first class
  for (u32 i = 0; i < suite.count; ++i) {
    if (suite.expected_traps[i] != Trap::None) continue;
    const f64 number = cell_as_f64(suite.result_types[0], suite.expected_cell(0, i));
    if (number == 1) continue;
    if ((number == 0 || number == -1) && first.value_or(number) == number) {
      first = number;
      continue;
    }
    std::string text;
    print_scalar(text, suite.result_types[0], suite.expected_cell(0, i), ValueStyle::Text);
    return input_problem({file, suite.lines[i]},
                         "the " + score + " takes cases that expect one of two classes, and " +
                             (first ? "`" + text + "` is a third one" : "`" + text + "` is none"),
                         "write classes as 0 and 1, as -1 and 1 or as `false` and `true`");
  }
  return {};
}

std::string_view run_word(RunWord word) { return word == RunWord::Line ? "line" : "entry"; }

}  // namespace

void refuse_result(const Signature& signature, const EvaluateOptions& options,
                   CandidateResult& out) {
  refuse("its entry is " + bounded(signature.text()) + ", but --signature says that it gives " +
             bounded(type_text(options.programs.result_type, RecordText::Name)),
         out);
}

Problem SignatureFinder::make_scored_suite(TypedColumns& cases, const Signature& signature,
                                           const ScoreScale* scale, Suite& out) const {
  const std::string word(run_word(options_.programs.word));
  const std::string given =
      "the " + word + " gives " + type_text(signature.result_type, RecordText::Name);
  if (is_value_score(options_.ranking.score) && !is_number(signature.result_type))
    return input_problem({}, given + ", which is no number to rank by", "let it give an f64");
  const std::string score = "score `" + std::string(score_name(options_.ranking.score)) + "`";
  if (options_.ranking.score != ScoreKind::Exact && has_variable_parts(signature.result_type))
    return input_problem({},
                         "the " + score +
                             " takes results that are numbers, or tuples, records or arrays of "
                             "them; " +
                             given,
                         "use `exact`, or let the " + word + " give the number to compare");
  if (expects_classes(options_.ranking.score) && !is_number(signature.result_type))
    return input_problem({},
                         "the " + score +
                             " takes results that are one number, which says by its sign which "
                             "class it is; " +
                             given,
                         "use `exact`, or let the " + word + " give an f64");
  if (!cases.table().weights.empty() && !adds_errors(options_.ranking.score))
    return input_problem(
        {cases.table().file},
        "weights are for scores that add up errors, and the " + score + " has none",
        "use `squared`, or leave the weights out");
  if (compares_with_mean(options_.ranking.score) && !is_number(signature.result_type))
    return input_problem({}, "the " + score + " takes results that are one number; " + given,
                         "use `squared`, or let the " + word + " give the number to compare");
  const ExpectedForm form =
      expects_classes(options_.ranking.score) ? ExpectedForm::Classes : ExpectedForm::Values;
  if (Problem error = make_suite(cases, signature, out, stop_, form)) return error;
  const std::string& file = cases.table().file;
  if (form == ExpectedForm::Classes)
    if (Problem error = check_classes(out, file, score)) return error;
  if (!out.weights.empty() && std::ranges::none_of(out.weights, [](f64 one) { return one > 0; }))
    return input_problem({file}, "all weights of cases are 0", "give some case a weight above 0");
  out.scale = scale != nullptr ? *scale
                               : scale_of(out, options_.ranking.score, options_.ranking.tolerance,
                                          options_.ranking.measure);
  if (!compares_with_mean(options_.ranking.score)) return {};
  const char* const why = no_spread_text(spread_of(out, out.scale->unit).kind);
  if (why == nullptr) return {};
  const bool is_held_out = scale != nullptr, is_one = out.count == 1;
  const std::string where =
      is_one        ? is_held_out ? "on the one case that is held out" : "on one case"
      : is_held_out ? std::string("on the cases that are held out, where ") + why
                    : std::string("where ") + why;
  const std::string compared = is_one ? ", as it compares with the mean of several" : "";
  return input_problem(
      {cases.table().file}, "there is no " + score + " " + where + compared,
      is_held_out ? std::string("use `squared`, or hold out ") + (is_one ? "more" : "others")
                  : "use `squared`, or other cases");
}

Problem SignatureFinder::use_stated() {
  Problem error =
      make_scored_suite(own_.columns(), *options_.programs.signature, nullptr, results_.suite)
          .then([&] { return set(*options_.programs.signature); });
  if (error.is(ProblemKind::Stop)) return error;
  return std::move(error).with_note(options_.programs.harness == kNoModule
                                        ? " [the signature is that of --signature]"
                                        : " [the signature is that of the harness's `" +
                                              options_.programs.entry + "`]");
}

// Held-out cases may lack a column of some candidate, who is told so if it is the best. Expected values have to fit
// all candidates.
Problem SignatureFinder::make_held_out(const Signature& signature) {
  // Held-out cases may have tolerances where the others have none: this scale's floors do not include the size.
  const ScoreScale scale =
      scale_of(results_.suite, options_.ranking.score, 1, options_.ranking.measure);
  Suite& suite = results_.held_out->suite;
  Problem error = make_scored_suite(own_.held_out_columns(), signature, &scale, suite);
  const bool is_only_one = options_.programs.signature || options_.programs.sketch != nullptr;
  if (!error || error.is(ProblemKind::Stop) || is_only_one) return error;
  const Signature of_none = read_signature("() -> " + type_text(signature.result_type)).value();
  Problem of_all = make_scored_suite(own_.held_out_columns(), of_none, &scale, suite);
  return of_all.is(ProblemKind::Stop) ? of_all : of_all ? error : Problem();
}

Problem SignatureFinder::set(const Signature& signature) {
  results_.typed = true;
  results_.signature = signature.text();
  results_.scale = *results_.suite.scale;
  own_.allow(results_.suite);
  return options_.ranking.held_out == nullptr ? Problem() : make_held_out(signature);
}

Problem SignatureFinder::take(const Signature& signature, std::string_view id,
                              CandidateResult& out) {
  if (!options_.programs.result_type.empty() &&
      signature.result_type != options_.programs.result_type) {
    refuse_result(signature, options_, out);
    return {};
  }
  std::string text = signature.text();
  auto known = std::ranges::find(unfit_, text, &Unfit::signature);
  if (known == unfit_.end()) {
    Suite suite;
    Problem error = make_scored_suite(own_.columns(), signature, nullptr, suite);
    if (!error) {
      results_.suite = std::move(suite);
      return set(signature);
    }
    if (error.is(ProblemKind::Stop)) return error;
    std::string reason = error.text();
    // All variants have the same signature. Which of them comes first depends on the device.
    if (options_.programs.word == RunWord::Entry)
      error = std::move(error).with_note(options_.programs.sketch != nullptr
                                             ? " [the signature is that of the sketch]"
                                             : " [the signature is that of the candidate " +
                                                   shown(id) + "]");
    else if (!error.place().file.empty())  // otherwise the error is about the line's own content
      error = std::move(error).with_note(" [the line gives " +
                                         type_text(signature.result_type, RecordText::Name) + "]");
    unfit_.push_back({std::move(text), std::move(reason), std::move(error)});
    known = unfit_.end() - 1;
  }
  refuse("the cases do not fit its " + std::string(run_word(options_.programs.word)) + ": " +
             known->reason,
         out);
  return unfit_.size() < kMostUnfit ? Problem() : first_unfit();
}

Problem SignatureFinder::first_unfit() const {
  return unfit_.empty() ? Problem() : unfit_.front().error;
}

}  // namespace komuz::engine
