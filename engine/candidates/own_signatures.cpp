// SPDX-License-Identifier: Apache-2.0
#include "engine/candidates/own_signatures.h"

#include <algorithm>

#include "engine/results/case_arguments.h"

namespace komuz::engine {

OwnSignatures::OwnSignatures(const CasesTable& cases, const CasesTable* held_out) : cases_(cases) {
  if (held_out != nullptr) held_out_.emplace(*held_out);
}

void OwnSignatures::allow(const CaseArguments& arguments) {
  room_ = std::max(room_, TypedColumns::room_of(arguments));
  forget();  // what others have taken that do not fit
}

std::shared_ptr<const OwnSignatures::Match> OwnSignatures::look_up(const std::string& text) {
  const std::lock_guard lock(mutex_);
  const auto known = known_.find(text);
  return known != known_.end() ? known->second : nullptr;
}

// The columns of a signature, and suggestions for names that are no columns, are found in parallel.
std::shared_ptr<const OwnSignatures::Match> OwnSignatures::find(const Signature& signature,
                                                                const std::stop_token& stop) {
  const std::string text = signature.text();
  if (std::shared_ptr<const Match> known = look_up(text)) return known;
  Matched matched = match(signature);
  const std::lock_guard lock(mutex_);
  if (const auto known = known_.find(text); known != known_.end()) return known->second;
  if (known_.size() == kMostKnown || bytes() > kept_ + kMostBytes) forget();
  std::shared_ptr<const Match> found = take(signature, std::move(matched), stop);
  if (stop.stop_requested()) return nullptr;
  known_bytes_ += text.capacity() + found->bytes();
  return known_.emplace(text, std::move(found)).first->second;
}

OwnSignatures::Matched OwnSignatures::match(const Signature& signature) const {
  Matched out;
  if (const Problem error = cases_.match(signature, out.sources)) out.problem = error.text();
  if (!held_out_ || !out.problem.empty()) return out;
  if (const Problem error = held_out_->match(signature, out.held_out))
    out.held_out_problem = error.text();
  return out;
}

std::shared_ptr<const OwnSignatures::Match> OwnSignatures::take(const Signature& signature,
                                                                Matched matched,
                                                                const std::stop_token& stop) {
  const TypedColumns::Limits limits{room_, stop};
  auto out = std::make_shared<Match>();
  out->problem = std::move(matched.problem);
  out->held_out_problem = std::move(matched.held_out_problem);
  out->arguments.signature =
      signature;  // a later request for the same signature needs no comparison
  if (!out->problem.empty()) return out;
  if (const Problem error = cases_.take(signature, matched.sources, limits, out->arguments))
    out->problem = error.text();
  if (!held_out_ || !out->problem.empty() || !out->held_out_problem.empty()) return out;
  if (const Problem error = held_out_->take(signature, matched.held_out, limits, out->held_out))
    out->held_out_problem = error.text();
  return out;
}

size_t OwnSignatures::Match::bytes() const {
  return sizeof *this + problem.capacity() + held_out_problem.capacity() + arguments.bytes() +
         held_out.bytes();
}

size_t OwnSignatures::bytes() const {
  return known_bytes_ + cases_.bytes() + (held_out_ ? held_out_->bytes() : 0);
}

// Keeps the columns of the suite, and those of candidates that are running.
void OwnSignatures::forget() {
  known_.clear();
  known_bytes_ = 0;
  cases_.forget_unused();
  if (held_out_) held_out_->forget_unused();
  kept_ = bytes();
}

void ArgumentKeeper::keep(const CaseArguments& arguments, Failure& failure) {
  std::string signature = arguments.signature.text();
  if (case_index_ != failure.case_index || signature_ != signature) {
    case_index_ = failure.case_index;
    signature_ = std::move(signature);
    kept_.clear();
    for_each_argument(arguments, case_index_,
                      [&](std::string_view, std::string_view type, std::span<const u64> cells) {
                        kept_.emplace_back().keep(type, cells);
                      });
  }
  failure.signature = signature_;
  failure.argument_types = arguments.case_types;
  failure.arguments = kept_;
}

}  // namespace komuz::engine
