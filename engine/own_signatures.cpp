// SPDX-License-Identifier: Apache-2.0
#include "engine/own_signatures.h"

#include <algorithm>

namespace komuz::engine {

OwnSignatures::OwnSignatures(const CasesTable& cases, const CasesTable* held_out) : cases_(cases) {
  if (held_out != nullptr) held_out_.emplace(*held_out);
}

void OwnSignatures::allow(const CaseArguments& arguments) {
  room_ = std::max(room_, TypedColumns::room_of(arguments));
  forget();  // what others have taken that do not fit
}

std::shared_ptr<const OwnSignatures::Match> OwnSignatures::find(const Signature& signature,
                                                                const std::stop_token& stop) {
  const std::string text = signature.text();
  const std::lock_guard lock(mutex_);
  if (const auto known = known_.find(text); known != known_.end()) return known->second;
  if (known_.size() == kMostKnown || bytes() > kept_ + kMostBytes) forget();
  std::shared_ptr<const Match> found = match(signature, stop);
  if (stop.stop_requested()) return nullptr;
  return known_.emplace(text, std::move(found)).first->second;
}

std::shared_ptr<const OwnSignatures::Match> OwnSignatures::match(const Signature& signature,
                                                                 const std::stop_token& stop) {
  const TypedColumns::Limits limits{room_, stop};
  auto out = std::make_shared<Match>();
  if (const MaybeError error = cases_.take(signature, limits, out->arguments))
    out->problem = error->text();
  if (!held_out_ || !out->problem.empty()) return out;
  if (const MaybeError error = held_out_->take(signature, limits, out->held_out))
    out->held_out_problem = error->text();
  return out;
}

size_t OwnSignatures::bytes() const {
  return cases_.bytes() + (held_out_ ? held_out_->bytes() : 0);
}

// Columns of the suite and of candidates that run now stay.
void OwnSignatures::forget() {
  known_.clear();
  cases_.forget_unused();
  if (held_out_) held_out_->forget_unused();
  kept_ = bytes();
}

void keep_arguments(const CaseArguments& arguments, Failure& failure) {
  failure.signature = arguments.signature.text();
  failure.argument_types = arguments.case_types;
  failure.arguments.clear();
  for (u32 slot = 0; slot < arguments.argument_types.size(); ++slot)
    if (const u64 cell = arguments.argument_cell(slot, failure.case_index); cell != 0)
      failure.arguments.push_back({slot, cell});
}

}  // namespace komuz::engine
