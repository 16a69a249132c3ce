// SPDX-License-Identifier: Apache-2.0
#include "neural/equal/equality.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "base/counts.h"
#include "engine/cases/signature.h"
#include "engine/testing/guides.h"
#include "engine/testing/shrink.h"
#include "neural/equal/all_values.h"
#include "neural/equal/paired_run.h"
#include "neural/equal/same_code.h"

namespace komuz::neural {
namespace {

using engine::PropertyEntry;

// The first batch is small: most wrong candidates need no more.
constexpr u32 kFirstBatch = 64;

// The NaN of a result that is one float, or several of one type. Nothing of others.
std::optional<u64> nan_of(std::string_view result_type) {
  const engine::ValueShape shape(result_type);
  Scalar type = Scalar::None;
  for (const engine::ShapeNode& node : shape.nodes) {
    if (node.code == kTupleCode || node.code == kRecordCode || node.code == kArrayCode) continue;
    if (!node.is_scalar() || !is_float(node.scalar())) return {};
    if (type != Scalar::None && type != node.scalar()) return {};
    type = node.scalar();
  }
  if (type == Scalar::None) return {};
  return type == Scalar::F32 ? kCanonicalNan32 : kCanonicalNan64;
}

std::string with_elements(u32 elements) {
  return "slices of at most " + counted(elements, "element");
}

// The question once slices are lists.
class Comparison {
 public:
  Comparison(const PropertyEntry& a, const PropertyEntry& b, const EqualityOptions& options)
      : a_(a),
        b_(b),
        options_(options),
        shape_(a.types()),
        sampler_(shape_, {}),
        columns_(a.slot_types()),
        cells_(a.slot_types().size()),
        pair_(a, b, options.fuel, options.ticks, options.native, options.stop),
        nan_(nan_of(a.code().result_type(a.code().functions[a.function()]))) {
    engine::add_guides(a.code(), a.function(), guides_);
    engine::add_guides(b.code(), b.function(), guides_);
    engine::settle_guides(guides_);
  }

  Equality run() {
    out_.slice_elements = a_.slice_elements();
    const u64 values = count_values(shape_, kMostValues + 1);
    const u64 first = std::min<u64>(kFirstInputs, options_.inputs);
    if (is_decided(run_guided(0, first))) return std::move(out_);
    if (values <= kMostValues) {
      if (is_decided(run_all())) return std::move(out_);
    } else if (options_.uses_solver && is_decided(ask_solver())) {
      return std::move(out_);
    }
    if (is_decided(run_guided(first, options_.inputs))) return std::move(out_);
    if (out_.inputs == 0) out_.verdict = Verdict::Unknown;
    out_.bound = difference_bound(out_.inputs, options_.confidence);
    const auto* most = std::ranges::max_element(ends_);
    if (*most > out_.inputs / 2) {
      out_.alike = *most;
      out_.alike_in = static_cast<Trap>(most - std::begin(ends_));
    }
    return std::move(out_);
  }

 private:
  enum class Step : u8 { Decided, GoesOn };

  [[nodiscard]] bool stopped() const {
    return options_.stop != nullptr && options_.stop->stop_requested();
  }
  bool is_decided(Step step) {
    if (!stopped()) return step == Step::Decided;
    if (out_.verdict != Verdict::Refuted) out_.verdict = Verdict::Interrupted;
    return true;
  }

  // Guided inputs [first, end).
  Step run_guided(u64 first, u64 end) {
    const u64 most = engine::sample_batch(cells_.size());
    for (u64 at = first; at < end && !stopped();) {
      const u64 count = std::min(end - at, at == 0 ? std::min<u64>(kFirstBatch, most) : most);
      columns_.clear();
      for (u64 k = 0; k < count; ++k) {
        sampler_.sample_guided(guides_, options_.seed, at + k, cells_);
        columns_.add(cells_);
      }
      pair_.run(columns_, end - at - count);
      if (stopped()) break;
      if (const std::optional<u32> differs = first_difference()) {
        sampler_.sample_guided(guides_, options_.seed, at + *differs, cells_);
        return refute();
      }
      at += count;
    }
    return Step::GoesOn;
  }

  // Each value of the types.
  Step run_all() {
    AllValues values(sampler_);
    // The bound is of guided inputs alone.
    const u64 guided = std::exchange(out_.inputs, 0), guided_open = std::exchange(out_.open, 0);
    const auto guided_ends = ends_;
    for (bool has_more = true; has_more && !stopped();) {
      columns_.clear();
      rows_.clear();
      while (columns_.count() < engine::sample_batch(cells_.size())) {
        has_more = values.next(cells_);
        if (!has_more) break;
        columns_.add(cells_);
        rows_.insert(rows_.end(), cells_.begin(), cells_.end());
      }
      if (columns_.count() == 0) break;
      pair_.run(columns_, engine::TieredMachine::kUnknown);
      if (stopped()) break;
      if (const std::optional<u32> differs = first_difference()) {
        const auto row = std::span(rows_).subspan(*differs * cells_.size(), cells_.size());
        sampler_.adopt(row, cells_);
        return refute();
      }
    }
    if (out_.open == 0 && prove(Evidence::AllInputs) == Step::Decided) return Step::Decided;
    if (out_.open != 0)
      out_.why = "on " + counted(out_.open, "input") + " of " + grouped(out_.inputs + out_.open) +
                 " one of them ran out of ticks";
    out_.inputs = guided;
    out_.open = guided_open;
    ends_ = guided_ends;
    return Step::GoesOn;
  }

  Step ask_solver() {
    const ProofQuestion question{
        a_.code(),          a_.function(),         b_.code(), b_.function(), options_.fuel,
        options_.resources, options_.time_limit_ms};
    const ProofAnswer answer = prove(question);
    if (answer.proof == Proof::Proved) {
      out_.method = answer.method;
      return prove(Evidence::Solver);
    }
    if (answer.arguments.size() != cells_.size() || stopped()) return Step::GoesOn;
    sampler_.adopt(answer.arguments, cells_);
    columns_.clear();
    columns_.add(cells_);
    pair_.run(columns_, 0);
    if (stopped()) return Step::GoesOn;
    if (pair_.verdict(0) == CaseVerdict::Differs) return refute();
    out_.why =
        "on the arguments that the solver found one of them ran out of ticks; give more by --ticks";
    return Step::GoesOn;
  }

  // What is not known, and why, goes to the outcome.
  ProofAnswer prove(const ProofQuestion& question) {
    if (options_.proves_by_terms_alone) {
      out_.why = "no solver was asked";
      return prove_by_terms(question, options_.stop);
    }
    const Result<const Prover*> prover = open_prover();
    ProofAnswer answer = prover.problem() ? prove_by_terms(question, options_.stop)
                                          : prover.value()->prove(question, options_.stop);
    out_.why = prover.problem() ? prover.problem().text() : answer.why;
    return answer;
  }

  Step prove(Evidence evidence) {
    if (out_.slice_elements != 0) {
      out_.why = "it is proved for " + with_elements(out_.slice_elements) +
                 ", and nothing is known of longer ones";
      out_.method.clear();
      return Step::GoesOn;
    }
    out_.verdict = Verdict::Proved;
    out_.evidence = evidence;
    out_.why.clear();
    return Step::Decided;
  }

  // In the batch that was run. Counts what has been compared.
  [[nodiscard]] std::optional<u32> first_difference() {
    for (u32 row = 0; row < columns_.count(); ++row) {
      switch (pair_.verdict(row)) {
        case CaseVerdict::Same:
          ++out_.inputs;
          count_end(row);
          break;
        case CaseVerdict::Open: ++out_.open; break;
        case CaseVerdict::Differs: ++out_.inputs; return row;
      }
    }
    return {};
  }

  void count_end(u32 row) {
    const Trap trap = pair_.of_a().traps[row];
    const std::span<const u64> values = pair_.of_a().values;
    bool is_counted = trap != Trap::None || nan_;
    if (trap == Trap::None)
      for (size_t at = row; at < values.size() && is_counted; at += columns_.count())
        is_counted = values[at] == nan_;
    ends_[static_cast<u8>(trap)] += is_counted;
  }

  // By the value that the sampler has made last.
  Step refute() {
    u64 ticks = 0;
    const auto differs = [&](engine::CaseColumns& cases, std::vector<bool>& fails) {
      fails.assign(cases.count(), false);
      if (ticks > kShrinkTicks) return;
      pair_.run(cases, engine::TieredMachine::kUnknown);
      for (u32 row = 0; row < cases.count(); ++row) {
        fails[row] = pair_.verdict(row) == CaseVerdict::Differs;
        ticks += std::min(pair_.of_a().fuel[row], kShrinkTicks) +
                 std::min(pair_.of_b().fuel[row], kShrinkTicks);
      }
    };
    engine::Shrinker shrinker(sampler_, a_.slot_types(), differs, options_.stop);
    const engine::Choices simplest = shrinker.shrink(sampler_.choices());
    sampler_.replay(simplest.numbers, cells_);
    // By themselves, as whoever looks at them will run them.
    if (!show_outcomes()) {
      out_.why = "one input differs beside others and not by itself, which is a fault of Komuz";
      return Step::GoesOn;
    }
    out_.verdict = Verdict::Refuted;
    out_.evidence = Evidence::Inputs;
    out_.why.clear();
    out_.types = a_.types();
    out_.arguments = cells_;
    return Step::Decided;
  }
  // Do they differ? Also after a stop, which would make outcomes meaningless.
  [[nodiscard]] bool show_outcomes() {
    columns_.clear();
    columns_.add(cells_);
    PairedRun last(a_, b_, options_.fuel, options_.ticks, nullptr, nullptr);
    last.run(columns_, 0);
    for (const auto& [from, to] : {std::pair(&last.of_a(), &out_.a), {&last.of_b(), &out_.b}})
      *to = {from->values, from->traps[0], from->fuel[0]};
    return last.verdict(0) == CaseVerdict::Differs;
  }

  const PropertyEntry &a_, &b_;
  const EqualityOptions& options_;
  engine::ValueShape shape_;
  engine::ValueSampler sampler_;
  engine::Guides guides_;
  engine::CaseColumns columns_;
  std::vector<u64> cells_, rows_;
  PairedRun pair_;
  const std::optional<u64> nan_;
  std::array<u64, kTrapCount> ends_{};  // of guided inputs, by trap; None: those that are NaN
  Equality out_;
};

std::string types_text(const ComparedFunction& f) {
  return engine::signature_of(f.code, f.code.functions[f.function]).text();
}

}  // namespace

f64 difference_bound(u64 inputs, f64 confidence) {
  if (inputs == 0) return 1;
  return -std::expm1(std::log1p(-confidence) / static_cast<f64>(inputs));
}

Result<Equality> compare(const ComparedFunction& a, const ComparedFunction& b,
                         const EqualityOptions& options) {
  const Function &f = a.code.functions[a.function], &g = b.code.functions[b.function];
  if (a.code.parameter_types(f) != b.code.parameter_types(g) ||
      a.code.result_type(f) != b.code.result_type(g))
    return Problem(
        ProblemKind::Option, {},
        "the functions have different types: `" + types_text(a) + "` and `" + types_text(b) + "`",
        "compare functions with equal parameters and results");
  if (is_same_code(a.code, a.function, b.code, b.function)) {
    Equality same;
    same.verdict = Verdict::Proved;
    same.evidence = Evidence::SameCode;
    return same;
  }
  std::optional<PropertyEntry> of_a, of_b;
  of_a.emplace(a.code, a.function);
  of_b.emplace(b.code, b.function);
  // Both take slices of as many elements.
  const u32 elements = std::min(of_a->slice_elements(), of_b->slice_elements());
  if (of_a->fits() && of_b->fits() && elements != 0) {
    if (of_a->slice_elements() != elements) of_a.emplace(a.code, a.function, elements);
    if (of_b->slice_elements() != elements) of_b.emplace(b.code, b.function, elements);
  }
  if (!of_a->fits() || !of_b->fits())
    return Problem(
        ProblemKind::Option, {},
        "the functions cannot be run: slices of even one element do not fit into a frame",
        "make what the function keeps smaller");
  return Comparison(*of_a, *of_b, options).run();
}

}  // namespace komuz::neural
