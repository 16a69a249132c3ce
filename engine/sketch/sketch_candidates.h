// SPDX-License-Identifier: Apache-2.0
// The variants of a sketch as candidates: all of them, or a sample. Their ids are the names of the variants.
#pragma once
#include <unordered_set>

#include "engine/candidates/candidates.h"
#include "engine/sketch/variant_numbers.h"
#include "engine/sketch/variants.h"

namespace komuz::engine {

// For example "#123".
[[nodiscard]] std::string variant_name(u64 number);
// The same; for a sketch with 2^64 variants or more "#[3,0,17]", the decisions in order. A constant that is any number is written
// as that number, "#[3,0,2.5]", and always in a list.
[[nodiscard]] std::string variant_name(const VariantPlan& plan, const Decisions& decisions);
// Reads either form, also without the `#`. The number alone has ones for constants that are any number.
Problem read_variant_name(const VariantPlan& plan, std::string_view text, Decisions& decisions);

// The decisions of a candidate that is a variant of the plan. False: there is no such variant.
[[nodiscard]] bool decisions_of(const VariantPlan& plan, const Candidate& candidate,
                                Decisions& out);

// Appends a variant to the batch, which keeps its decisions and its name.
void add_variant(CandidateBatch& batch, std::string_view source, const VariantPlan& plan,
                 const Decisions& decisions);

// The choice of variants: all of them in order, or `samples` distinct ones drawn by a seed. A sample takes one
// variant from each of equal parts of all numbers, in order. If there are more variants than numbers, variants are
// drawn one after the other; from the first that would be too large on, they are drawn in a way that makes small
// ones.
struct VariantChoice {
  std::optional<u64> samples;
  u64 seed = 0;
};

class SketchCandidates final : public CandidateSource {
 public:
  // `source` and `plan` outlive it. All variants of a sketch that has too many to count are endless.
  SketchCandidates(std::string_view source, const VariantPlan& plan, const VariantChoice& choice);

  void read(CandidateBatch& batch, size_t most) override;
  void set_stop(const std::stop_token& stop) override { stop_ = stop; }
  [[nodiscard]] std::optional<u64> total() const override { return numbers_.count; }
  [[nodiscard]] const VariantNumbers* numbers() const override {
    return has_numbers_ ? &numbers_ : nullptr;
  }

 private:
  enum class Chosen : u8 { Variant, TooLarge, None };
  [[nodiscard]] Chosen choose(Decisions& out);
  [[nodiscard]] Chosen draw_new(Decisions& out);

  std::string_view source_;
  const VariantPlan& plan_;
  VariantChoice choice_;
  const bool has_numbers_;  // each variant is identified by a number
  VariantNumbers numbers_;
  std::stop_token stop_;
  u64 next_ = 0;
  u64 number_ = 0;                        // of the variant chosen last, if there are numbers
  u64 drawn_ = 0;                         // random numbers
  bool finds_too_large_ = false;          // when all variants are drawn with equal probability
  std::unordered_set<std::string> seen_;  // what has been drawn, if numbers do not tell
  Decisions decisions_;
};

}  // namespace komuz::engine
