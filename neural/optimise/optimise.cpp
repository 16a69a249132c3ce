// SPDX-License-Identifier: Apache-2.0
#include "neural/optimise/optimise.h"

#include <algorithm>
#include <map>
#include <utility>

#include "engine/support/worker_pool.h"
#include "lang/check/check_code.h"
#include "lang/copy_code.h"
#include "neural/optimise/window_finding.h"
#include "neural/teacher/costs.h"

namespace komuz::neural {
namespace {

// Of each run of a whole function.
constexpr u64 kTicksOfTest = 10'000;

struct Site {
  CodeWindow window;
  LoneWindow lone;
  size_t finding = 0;
};

class Optimiser {
 public:
  Optimiser(const CodeView& code, const OptimiseOptions& options)
      : code_(code),
        options_(options),
        stop_(options.watch == nullptr ? nullptr : &options.watch->stop()) {}

  Optimised run(std::span<const u32> functions) {
    gather(functions);
    look_at_all();
    out_.code = copy_code(code_);
    if (stopped()) {
      out_.is_interrupted = true;
      return std::move(out_);
    }
    // Each one moves the code behind it.
    for (auto site = sites_.rbegin(); site != sites_.rend(); ++site) put(*site);
    std::ranges::reverse(out_.cheaper);
    verify_whole();
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool stopped() const {
    return options_.watch != nullptr && options_.watch->is_stopped();
  }

  void gather(std::span<const u32> functions) {
    std::vector<u32> order(functions.begin(), functions.end());
    std::ranges::sort(order, {}, [&](u32 f) { return code_.functions[f].code_begin; });
    std::map<std::string, size_t> known;
    for (const u32 function : order)
      for (const CodeWindow& window : find_code_windows(code_, function)) {
        Site& site = sites_.emplace_back(window, lone_window(code_, window));
        site.finding = known.emplace(key_of_lone(site.lone.code), known.size()).first->second;
      }
    findings_.resize(known.size());
    lone_.resize(known.size());
    for (const Site& site : sites_) lone_[site.finding] = &site.lone.code;
    out_.windows = sites_.size();
  }

  // What is found for one does not depend on the others.
  void look_at_all() {
    engine::WorkerPool pool(options_.threads);
    pool.run(
        static_cast<u32>(findings_.size()),
        [this](u32, u32 k) {
          if (!stopped()) findings_[k] = look_at_window(lone_[k]->view(), options_, stop_);
        },
        [this](u32 done) {
          if (options_.watch != nullptr) options_.watch->tell(done, findings_.size(), "windows");
        },
        1);
    for (const WindowFinding& finding : findings_) {
      out_.refuted += finding.refuted;
      out_.unproved += finding.unproved;
      if (out_.why.empty()) out_.why = finding.why;
    }
  }

  void put(const Site& site) {
    const WindowFinding& finding = findings_[site.finding];
    if (!finding.better) return;
    const CodeView before = site.lone.code.view(), after = finding.better->code.view();
    put_window(out_.code, site.window, site.lone, after);
    // The RETURN of a lone function is none of the window's.
    const auto count = [](const CodeView& code) {
      return static_cast<u32>(code.instructions.size()) - 1;
    };
    out_.cheaper.push_back({.window = site.window,
                            .cost_before = cost_of_code(before, 0),
                            .cost_after = finding.better->cost,
                            .instructions_before = count(before),
                            .instructions_after = count(after),
                            .author = finding.better->author,
                            .equality = finding.equality,
                            .before = copy_code(before),
                            .after = copy_code(after),
                            .slots = site.lone.slots});
  }

  // Longer code may need larger frames than there are. And what was judged window by window is tested as a whole.
  void verify_whole() {
    if (out_.cheaper.empty()) return;
    if (const CodeError wrong = check_code(out_.code.view(), out_.code.functions)) {
      give_up("the checker refuses the cheaper code: " + std::string(wrong.reason));
      return;
    }
    u32 last = ~0u;
    for (const CheaperWindow& cheaper : out_.cheaper) {
      const u32 function = cheaper.window.function;
      if (std::exchange(last, function) == function) continue;
      EqualityOptions whole;
      whole.fuel = FuelRule::Same;
      whole.uses_solver = false;
      whole.inputs = kFirstInputs;
      whole.ticks = kTicksOfTest;
      whole.stop = stop_;
      const Result<Equality> compared =
          compare({code_, function}, {out_.code.view(), function}, whole);
      if (compared.problem() || compared.value().verdict != Verdict::Refuted) continue;
      give_up("a run of the whole function " + std::string(code_.name(code_.functions[function])) +
              " gives something else, which is a fault of Komuz");
      return;
    }
  }
  void give_up(std::string why) {
    out_.code = copy_code(code_);
    out_.cheaper.clear();
    out_.refusal = std::move(why);
  }

  const CodeView& code_;
  const OptimiseOptions& options_;
  const std::stop_token* stop_;
  std::vector<Site> sites_;
  std::vector<WindowFinding> findings_;
  std::vector<const Code*> lone_;  // of each finding
  Optimised out_;
};

}  // namespace

Optimised optimise(const CodeView& code, std::span<const u32> functions,
                   const OptimiseOptions& options) {
  return Optimiser(code, options).run(functions);
}

}  // namespace komuz::neural
