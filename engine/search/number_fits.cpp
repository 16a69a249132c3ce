// SPDX-License-Identifier: Apache-2.0
#include "engine/search/number_fits.h"

#include "engine/sketch/sketch_program.h"

namespace komuz::engine {

void NumberFits::see(const Results& results) {
  constexpr u32 kSome = 256, kAll = 4096;
  if (has_seen_ || !results.typed) return;
  has_seen_ = true;
  if (!FitCases::takes(results.suite)) return;
  Code code;
  Binder binder(sketch_);
  Decisions any;
  const auto least = [] { return u64{0}; };
  if (!sketch_.plan.draw(DrawKind::Narrow, least, any) || !binder.bind(any, code)) return;
  const EntryChoice choice = signature_ ? choose_entry(code.view(), entry_, *signature_)
                                        : choose_entry(code.view(), entry_);
  if (!choice.refusal.empty()) return;
  function_ = static_cast<u32>(choice.function);
  const Function& f = code.functions[function_];
  if (f.parameter_slots != results.suite.argument_types.size()) return;
  for (u32 slot = 0; slot < f.parameter_slots; ++slot)
    if (static_cast<Scalar>(code.slot_types[f.slots_begin + slot]) !=
        results.suite.argument_types[slot])
      return;
  some_ = std::make_unique<FitCases>(results.suite, kSome);
  all_ = std::make_unique<FitCases>(results.suite, kAll);
}

void NumberFits::use_workers(u32 workers) {
  while (workers_.size() < workers)
    workers_.push_back(std::make_unique<NumberFit>(sketch_, function_, fits_line_));
}

void NumberFits::fit(u32 worker, Decisions& decisions) {
  constexpr u32 kMostLooks = 5;
  static_cast<void>(workers_[worker]->fit(*some_, kMostLooks, decisions));
}

bool NumberFits::fit_all(Decisions& decisions) {
  constexpr u32 kMostLooks = 10;
  use_workers(1);
  static_cast<void>(workers_[0]->fit(*all_, kMostLooks, decisions));
  return workers_[0]->has_slopes();
}

}  // namespace komuz::engine
