// SPDX-License-Identifier: Apache-2.0
// Cheaper code for candidates that run long: with the same values, traps and ticks, by proof. The engine does not know how it is
// found (neural/tier does). It says what a program has taken so far and what is still to come, and goes on with what it gets:
//
//   as it is   ▓▓▓▓▓▓▓▓▓▓▓▓           slices of cases
//   find()                 ░░░        by the thread that runs the candidate
//   cheaper                   ▓▓▓▓▓▓▓▓▓▓▓▓
//
// It is the batch machine's alone: what becomes native is the code as it is (tiered_machine.h).
//
// Traps of cheaper code have other places, and maybe other depths. Nobody sees these: a case whose trap is shown runs again,
// alone, on the code as it is (engine/run/case_runner.h).
#pragma once
#include <memory>
#include <stop_token>
#include <string_view>

#include "lang/code.h"

namespace komuz::engine {

// A program that is running, or about to.
struct RunToCome {
  CodeView code;  // checked
  u32 function = 0;
  f64 waiting_ns = 0;  // that its cases to come are expected to take on the batch machine
  f64 asked_ns = 0;    // the most that it has been asked about before
};

// Which way a program goes, and what is expected of it.
struct CheaperWay {
  u32 reason = 0;       // a row of the source's own table
  u32 windows = 0;      // parts of the code that were looked at
  u32 cheaper = 0;      // of these, that have got cheaper
  f64 saved_share = 0;  // of the time, as far as code tells
  // What was expected of cheaper code before anybody looked, and what looking has taken.
  f64 gain_ns = 0, cost_ns = 0;
};

struct CheaperAnswer {
  // Checked, with the functions of the code in the same order, and behind their windows the same instructions. Null: the
  // program goes on as it is.
  std::shared_ptr<const Code> code;
  CheaperWay way;
};

// What became of a program in a run.
struct CheaperUse {
  bool was_run = false;    // by a machine that may take cheaper code
  bool was_asked = false;  // `way` says something
  bool is_cheaper = false;
  bool was_left = false;   // the cheaper code was slower
  bool was_wrong = false;  // it trapped otherwise: all cases ran again
  CheaperWay way;
  // On the code as it is, and on cheaper code. Times are of the processor.
  u64 cases = 0, cheaper_cases = 0;
  u64 ticks = 0, cheaper_ticks = 0;
  f64 ns = 0, cheaper_ns = 0;
};

class CheaperCode {
 public:
  virtual ~CheaperCode() = default;

  // Is each program asked about before its first case, whatever that costs?
  [[nodiscard]] virtual bool is_for_all() const = 0;
  // Programs with less to come are not asked about, which costs them nothing: nanoseconds.
  [[nodiscard]] virtual f64 notice_ns() const = 0;
  // May be called by several threads at once. A stop ends it soon, and what it then gives does not matter.
  [[nodiscard]] virtual CheaperAnswer find(const RunToCome& run, const std::stop_token& stop) = 0;
  // Cheaper code has been seen to trap otherwise than the code: nothing of it counts, and this source must not be used again.
  virtual void note_fault(const RunToCome& run) = 0;
  // Told of each program that was run, in input order, by one thread.
  virtual void tell(std::string_view id, const CheaperUse& use) = 0;
};

}  // namespace komuz::engine
