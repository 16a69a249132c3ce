// SPDX-License-Identifier: Apache-2.0
#include "cli/evaluation_sinks.h"

#include <algorithm>

#include "base/counts.h"
#include "cli/eval_text.h"
#include "engine/report.h"

namespace komuz::cli {

void RowSink::on_result(const engine::Results& results, u32 row) {
  const engine::ResultRow& r = results.rows[row];
  if (request_.streams()) {
    line_.clear();
    engine::write_row_json(line_, results, row);
    line_ += '\n';
    out_.write(line_);
    out_.flush();
  }
  ++rows_;
  any_scored_ = any_scored_ || r.scored;
  if (r.status == engine::Status::Ok || r.status == engine::Status::Unscored) return;
  (engine::was_run(r) ? failures_ : not_run_).add(results, row);
}

std::string RowSink::problems() const {
  std::string text = not_run_.lines;
  if (not_run_.count > not_run_.shown)
    text += "… and " + grouped(not_run_.count - not_run_.shown) +
            " more that did not run; --json OUT names them all\n";
  if (rows_ <= request_.top) text += failures_.lines;
  return text;
}

void RowSink::Problems::add(const engine::Results& results, u32 row) {
  ++count;
  const engine::ResultRow& r = results.rows[row];
  if (shown == kShownProblems || r.duplicate_of != engine::kNone) return;
  if (r.status == engine::Status::CompileError && r.diagnostics > 0) {
    const std::string_view code = results.diagnostics[r.diagnostics_begin].code;
    if (std::ranges::find(codes, code) != codes.end()) return;
    codes.push_back(code);
  }
  ++shown;
  lines += problem_line(results, row) + "\n";
}

void BarSink::on_progress(u64 done, std::optional<u64> total) {
  double fraction = input_.fraction();
  std::string text = grouped(done);
  if (total && *total > 0) {
    fraction = static_cast<double>(done) / static_cast<double>(*total);
    text += " of " + grouped(*total);
  }
  bar_.update(fraction, text + " candidates");
}

}  // namespace komuz::cli
