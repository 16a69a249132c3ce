// SPDX-License-Identifier: Apache-2.0
#include "cli/evaluation/evaluation_sinks.h"

#include "base/counts.h"
#include "engine/results/report.h"

namespace komuz::cli {

namespace {

// Rows on the front, or with a behaviour of their own, are known only at the end, so lines for more failed candidates
// are kept.
size_t kept_failures(services::TableRows rows) {
  return rows == services::TableRows::Best ? 3 : 100;
}

}  // namespace

RowSink::RowSink(const services::EvaluationRequest& request, Stream& out)
    : request_(request),
      out_(out),
      ranks_(out),
      problems_(out.style().width, kept_failures(request.table_rows)) {}

void RowSink::on_result(const engine::Results& results, u32 row) {
  const engine::ResultRow& r = results.rows[row];
  if (request_.streams()) {
    line_.clear();
    engine::write_row_json(line_, results, row);
    line_ += '\n';
    out_.write(line_);
    out_.flush();
    ranks_.on_row(results, row);
  }
  if (request_.options.programs.sketch == nullptr) {
    equal_ids_.add(results.id(row));
    warnings_.add(results, row);
  }
  any_scored_ = any_scored_ || r.scored;
  problems_.add(results, row, [&](u32 of) { return engine::findings_of(results, of); });
}

void RowSink::answer_ranks(services::CandidateInput& input) {
  if (request_.streams())
    input.answer_ranks([this](const engine::RankRequest& request) -> std::string {
      if (request.is_distinct && request_.options.ranking.ends_at_failure)
        return "with `--first-failure` it is not known which programs do the same";
      ranks_.ask(request);
      return {};
    });
}

void BarSink::on_progress(u64 done, std::optional<u64> total) {
  // All parts have about equally many candidates.
  bar_.update({done, total, input_.fraction_of(done * parts_), "candidates"});
}

}  // namespace komuz::cli
