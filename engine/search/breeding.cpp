// SPDX-License-Identifier: Apache-2.0
#include "engine/search/breeding.h"

#include <numeric>

#include "engine/search/constant_tuner.h"
#include "engine/search/number_fits.h"

namespace komuz::engine {

Breeding::Breeding(const VariantPlan& plan, u64 seed, u32 threads, std::stop_token stop,
                   const WayWeights* weights, std::shared_ptr<NumberFits> fits,
                   std::shared_ptr<const std::vector<Decisions>> starts)
    : seed_(seed),
      stop_(std::move(stop)),
      pool_(threads),
      plan_(plan),
      fits_(std::move(fits)),
      starts_(std::move(starts)) {
  if (weights != nullptr) way_weights_ = weights_of_ways(plan, *weights);
  for (u32 k = 0; k < pool_.size(); ++k) variations_.emplace_back(plan).way_weights = way_weights_;
}

void Breeding::propose(size_t count, std::vector<Decisions>& out, const Make& make) {
  out.resize(count);
  proposals_.assign(count, {});
  std::vector<u32> left(count);
  std::iota(left.begin(), left.end(), 0u);
  while (!left.empty() && !stop_.stop_requested()) {
    make_all(left, out, make);
    // In their order, so that the first of two equal proposals stays.
    std::erase_if(left, [&](u32 k) {
      if (stop_.stop_requested()) return false;
      return proposals_[k].gives_up || is_new(proposals_[k]);
    });
  }
  if (fits_ && fits_->can_fit()) fit_all(out);
  ++generation_;
}

bool Breeding::is_new(Proposal& proposal) {
  // From other numbers a fit may come to another end.
  constexpr u32 kMostFits = 2;
  // Where there are few structures, others of their numbers are looked at as they are.
  constexpr u32 kManyAttempts = 8;
  if (!fits_ || !fits_->can_fit()) return seen_.add(proposal.hash);
  if (u32& fits = fitted_[proposal.structure]; fits < kMostFits) {
    ++fits;
    return proposal.is_fitted = true;
  }
  return proposal.attempts >= kManyAttempts && seen_.add(proposal.hash);
}

void Breeding::fit_all(std::vector<Decisions>& out) {
  fits_->use_workers(pool_.size());
  pool_.run(static_cast<u32>(out.size()), [&](u32 worker, u32 number) {
    if (!stop_.stop_requested() && proposals_[number].is_fitted) fits_->fit(worker, out[number]);
  });
}

void Breeding::make_all(const std::vector<u32>& numbers, std::vector<Decisions>& out,
                        const Make& make) {
  const auto make_one = [&](u32 worker, u32 at) {
    if (stop_.stop_requested()) return;
    const u32 number = numbers[at];
    Proposal& own = proposals_[number];
    Variation& variation = variations_[worker];
    variation.random = own.attempts == 0 ? chance_of(seed_, generation_, number) : own.random;
    const bool is_first = own.attempts == 0;
    own.gives_up = !make({worker, variation, number, own.attempts++}, out[number]);
    if (is_first && generation_ == 0 && starts_ && number < starts_->size())
      out[number] = (*starts_)[number];
    own.random = variation.random;
    if (own.gives_up) return;
    own.hash = hash_of_decisions(out[number]);
    if (fits_ && fits_->can_fit()) own.structure = structure_hash(plan_, out[number]);
  };
  // Waking a thread takes longer than making this many.
  constexpr size_t kFew = 32;
  const auto count = static_cast<u32>(numbers.size());
  if (count > kFew) return pool_.run(count, make_one);
  for (u32 at = 0; at < count; ++at) make_one(0, at);
}

}  // namespace komuz::engine
