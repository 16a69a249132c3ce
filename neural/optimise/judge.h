// SPDX-License-Identifier: Apache-2.0
// Judges proposals: code that may take the place of a lone function (neural/windows/windows.h), from whoever made it.
// Tests refute in microseconds, and a proof decides:
//
//   proposals ──▶ cheaper ones ──▶ guided inputs, all at once ──▶ the cheapest first: fresh inputs, then proof ──▶ choice
//
// Arguments that the solver finds join the inputs, so that they refute the proposals that are still to come.
#pragma once
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "lang/code.h"
#include "neural/equal/equality.h"

namespace komuz::neural {

// Who made code.
enum class Author : u8 {
  Rules,    // rewriting by proved rules
  Teacher,  // enumeration of short code
  Model,
};
inline constexpr std::string_view kAuthorNames[] = {"rules", "teacher", "model"};

struct Proposal {
  Code code;  // checked: one function, with the parameters and the result of the reference
  Author author = Author::Rules;
  u64 cost = 0;  // as the reference's (neural/teacher/costs.h)
};

struct JudgeOptions {
  u32 inputs = 64;  // that all proposals are run on
  u64 seed = 0;     // of the inputs
  u64 resources = kProofResources;
  bool proves_by_terms_alone = false;  // as in EqualityOptions
  // The most that a proposal without a proof may differ by, as a share of guided inputs, with `confidence` over all
  // attempts; 0: only what is proved is chosen.
  f64 risk = 0;
  f64 confidence = 0.95;
  const std::stop_token* stop = nullptr;
};

struct Judgement {
  std::optional<u32> choice;  // a proposal
  Equality equality;          // what is known of the choice
  u32 refuted = 0;            // cheaper proposals, by inputs or by the solver
  u32 unproved = 0;           // cheaper ones that no input refuted, and that were not chosen
  std::string why;            // there is no proof of the first of these: a sentence
};

// `reference` is checked and has no ticks; `cost`: what it costs. Of equally cheap proposals the shorter one is tried
// first, then the first one.
[[nodiscard]] Judgement judge(const CodeView& reference, u64 cost,
                              std::span<const Proposal> proposals, const JudgeOptions& options);

// So many inputs without a difference give a bound of at most `risk`.
[[nodiscard]] u64 inputs_for(f64 risk, f64 confidence);

}  // namespace komuz::neural
