// SPDX-License-Identifier: Apache-2.0
// The modules that candidates name, as long as they are needed: those of the epoch's candidates until it ends, those of other shards
// no longer than to learn the signature, and those that were there before for the whole run.
#pragma once
#include <string>
#include <string_view>

#include "engine/candidates/evaluate_options.h"
#include "engine/candidates/load_modules.h"

namespace komuz::engine {

class CandidateModules {
 public:
  // Those of a sketch are there.
  explicit CandidateModules(const EvaluateOptions& options)
      : modules_(options.programs.sketch == nullptr ? options.programs.modules : nullptr) {
    if (modules_ != nullptr) lasting_ = needed_ = modules_->library().size();
  }

  // Those of earlier epochs are not needed any more, and go where they are many.
  void begin_epoch() {
    keep_few(lasting_);
    keep();
  }
  // The same of those of candidates that are not evaluated here.
  void forget_others() { keep_few(needed_); }
  // Those that are there now are needed until the epoch ends, at least.
  void keep() {
    if (modules_ != nullptr) needed_ = modules_->library().size();
  }
  // Loads what a text names. An error: a module has changed while candidates use it.
  [[nodiscard]] Problem load(std::string_view source) {
    if (modules_ == nullptr) return {};
    modules_->load(source);
    const std::string& changed = modules_->changed();
    if (changed.empty()) return {};
    return input_problem({}, "the module `" + changed + "` has changed since candidates used it",
                         "evaluate again");
  }
  // What is wrong with a module that has a candidate's name; empty: nothing.
  [[nodiscard]] std::string problem_of(std::string_view id) const {
    return modules_ == nullptr ? std::string() : modules_->problem_of(id);
  }

 private:
  void keep_few(u32 modules) {
    if (modules_ != nullptr) static_cast<void>(modules_->keep_few(modules));
  }

  ModuleLoader* modules_;  // null: candidates name none
  // So many of the first were there before any candidate, and so many are needed by those of the epoch.
  u32 lasting_ = 0, needed_ = 0;
};

}  // namespace komuz::engine
