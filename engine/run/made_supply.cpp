// SPDX-License-Identifier: Apache-2.0
#include "engine/run/made_supply.h"

#include "engine/run/device_runner.h"

namespace komuz::engine {

Problem MadeSupply::make(u32 first, const Suite& suite) {
  Epoch& epoch = context_.epoch;
  variants_.clear();
  for (u32 i = first; i < epoch.size(); ++i) {
    const Candidate& candidate = epoch.candidate(i);
    EpochSlot& slot = epoch.slot(i);
    if (slot.result.done || !candidate.is_variant()) continue;
    if (!makes_all(candidate, suite)) return {};
    slot.on_device = variants_.size();
    if (candidate.number != Candidate::kNoNumber)
      variants_.add(candidate.number);
    else
      variants_.add(candidate.decisions);
  }
  return variants_.size() == 0 ? Problem{} : context_.device->make_variants(variants_);
}

bool MadeSupply::makes_all(const Candidate& variant, const Suite& suite) {
  if (makes_all_) return *makes_all_;
  CandidateRunner& runner = context_.workers.first();
  CandidateResult unused;
  makes_all_ = runner.take(variant, suite, context_.workers.stop, unused) &&
               context_.device->use_variants(runner.code(), runner.entry(), suite);
  return *makes_all_;
}

bool MadeSupply::supply(u32 worker, u32 i) {
  EpochSlot& slot = context_.epoch.slot(i);
  if (slot.on_device == kNone) return WorkerSupply::supply(worker, i);
  const MadeVariant& made = context_.device->made()[slot.on_device];
  if (made.made != Made::Done) return WorkerSupply::supply(worker, i);
  if (context_.epoch.is_duplicate({made.identity_low, made.identity_high}, i)) return false;
  slot.result.row.code_bytes = made.bytes;
  context_.device->enqueue_made(worker, made, context_.epoch.candidate(i), slot.result);
  return false;
}

}  // namespace komuz::engine
