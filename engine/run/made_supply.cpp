// SPDX-License-Identifier: Apache-2.0
#include "engine/run/made_supply.h"

#include "engine/run/device_team.h"

namespace komuz::engine {

MadeSupply::MadeSupply(const SupplyContext& context)
    : WorkerSupply(context), variants_(context.devices.size()) {}

Problem MadeSupply::make(u32 first, const Suite& suite) {
  Epoch& epoch = context_.epoch;
  for (VariantMaker::List& variants : variants_) variants.clear();
  for (u32 i = first; i < epoch.size(); ++i) {
    const Candidate& candidate = epoch.candidate(i);
    EpochSlot& slot = epoch.slot(i);
    if (slot.result.done || !candidate.is_variant()) continue;
    if (!makes_all(candidate, suite)) return {};
    VariantMaker::List& variants = variants_[context_.devices.device_of(i)];
    slot.on_device = variants.size();
    if (candidate.number != Candidate::kNoNumber)
      variants.add(candidate.number);
    else
      variants.add(candidate.decisions);
  }
  return context_.devices.at_once([this](u32 device) -> Problem {
    const VariantMaker::List& variants = variants_[device];
    return variants.size() == 0 ? Problem{}
                                : context_.devices.runner(device).make_variants(variants);
  });
}

bool MadeSupply::makes_all(const Candidate& variant, const Suite& suite) {
  if (makes_all_) return *makes_all_;
  CandidateRunner& runner = context_.workers.first();
  CandidateResult unused;
  makes_all_ = runner.take(variant, suite, context_.workers.stop, unused);
  // What one of them can make all can.
  for (u32 device = 0; device < context_.devices.size() && *makes_all_; ++device)
    makes_all_ = context_.devices.runner(device).use_variants(runner.code(), runner.entry(), suite);
  return *makes_all_;
}

bool MadeSupply::supply(u32 worker, u32 i) {
  EpochSlot& slot = context_.epoch.slot(i);
  if (slot.on_device == kNone) return WorkerSupply::supply(worker, i);
  DeviceRunner& device = context_.devices.runner(context_.devices.device_of(i));
  const MadeVariant& made = device.made()[slot.on_device];
  if (made.made != Made::Done) return WorkerSupply::supply(worker, i);
  if (context_.epoch.is_duplicate({made.identity_low, made.identity_high}, i)) return false;
  slot.result.row.code_bytes = made.bytes;
  device.enqueue_made(worker, made, context_.epoch.candidate(i), slot.result);
  return false;
}

}  // namespace komuz::engine
