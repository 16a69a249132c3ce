// SPDX-License-Identifier: Apache-2.0
// Candidates and cases in, a ranking out: compile, run, score, rank.
//
// The candidates are cut into epochs in input order. Within an epoch threads take programs as they come; the
// calling thread commits rows in input order, as far as the first ones are done, so the result's bytes do not
// depend on the number of threads. A program with the tokens of an earlier one is not compiled again (but where
// threads come to the later one first), nor is it sent to a device: the table of identities holds 31 to 42 bytes
// for each distinct program of the whole input, another 11 to 21 for each behaviour, so the representative is
// always the smallest input number, however long the stream. Of the sources only one epoch is in memory. Where the
// options do not state a signature, the first candidate that compiles, has an entry and fits the cases gives it;
// the cases are typed for it. Candidates that give the same type and have other parameters take the columns of these names
// (own_signatures.h); others are refused. Where no candidate fits the cases, or
// they do not fit the stated signature, that is an error. Of variants of a sketch a device finds the best by itself, where
// these are all that is asked for (device_sweep.h, device_search.h).
#pragma once
#include <stop_token>

#include "engine/candidates/evaluate_options.h"

namespace komuz::engine {

// An error concerns the cases, which do not fit the entry's signature, or the device. What is wrong with a
// candidate is in its row. When `stop` is requested, the rows of the candidates before the first unfinished one are
// the result, ranked, with `complete` false. So they are, though nobody asked for it, where a device that ranks candidates has no
// memory for more of them, or there is no number for more.
[[nodiscard]] MaybeError evaluate(CandidateSource& candidates, const CasesTable& cases,
                                  const EvaluateOptions& options, Results& out,
                                  ResultSink* sink = nullptr, ProgressSink* progress = nullptr,
                                  std::stop_token stop = {});

}  // namespace komuz::engine
