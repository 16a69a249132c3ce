// SPDX-License-Identifier: Apache-2.0
// Cheaper code (engine/native/cheaper_code.h) of one program after the other, for one thread: when somebody is asked for it, whether
// it stays, and what is told of it in the end. How programs are run is the business of others (case_runner.h).
#pragma once
#include <memory>
#include <stop_token>

#include "engine/candidates/evaluate_options.h"
#include "engine/native/cheaper_code.h"
#include "engine/native/job_clock.h"
#include "lang/code.h"

namespace komuz::engine {

class CheaperRun {
 public:
  // Only the batch machine takes cheaper code.
  explicit CheaperRun(const EvaluateOptions& options) : source_(source_of(options.machines)) {}

  // What the batch machine runs from here on; null: the code as it is.
  [[nodiscard]] const Code* code() const { return code_.get(); }

  // A program is about to run, whose code stays in place until end(). It is expected to take as long as those before it.
  struct Program {
    const CodeView& code;
    u32 function = 0;
    bool is_one_slice = false;  // all of its cases run at once
    bool was_set_aside = false;
  };
  void begin(const Program& program, const std::stop_token& stop);
  // Around each run of cases.
  void start() {
    if (is_timed_) clock_.start();
  }
  void stop() { slice_ns_ = is_timed_ ? static_cast<f64>(clock_.stop()) : 0; }
  // So many cases and ticks that was. What ran natively is nothing of cheaper code.
  void count(u32 cases, u64 ticks, bool was_native);
  // So many cases wait: looks at which code they are to run on.
  void look(u32 waiting, const std::stop_token& stop);
  // Its code was wrong: it runs again, as it is.
  void drop();
  void end(CheaperUse& out);

 private:
  [[nodiscard]] static CheaperCode* source_of(const MachineOptions& machines);
  void ask(f64 waiting_ns, const std::stop_token& stop);
  [[nodiscard]] bool is_slower() const;

  CheaperCode* const source_;  // null: there is none
  JobClock clock_;
  f64 usual_ns_ = 0, last_ns_ = 0;  // of a program as it is, among those timed last
  u32 programs_ = 0;
  // Of the present program:
  CodeView as_it_is_;
  u32 function_ = 0;
  std::shared_ptr<const Code> code_;
  CheaperUse use_;
  bool is_timed_ = false;
  f64 slice_ns_ = 0;  // that the last run of cases took
  f64 asked_ns_ = 0;  // the most that was waiting when somebody was asked
};

}  // namespace komuz::engine
