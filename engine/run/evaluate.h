// SPDX-License-Identifier: Apache-2.0
// Candidates and cases in, a ranking out: compile, run, score, rank.
//
// Candidates are cut into epochs in input order. So many are read, then compiled and run by all threads, then become rows:
//
//   read_epoch        one thread    candidates of this shard (read_epoch.h); modules that they name (candidate_modules.h)
//   take_from_log     one thread    what the log has of them is not evaluated again (engine/log/run_log.h)
//   supply.prepare    a device      compiles those whose programs no earlier candidate has, in one batch (program_supply.h)
//   run_programs      all threads   a candidate at a time: its program is supplied, run and scored; the result waits in its slot (epoch.h)
//     supply.make     a device      before that, and once the cases have types: makes variants of a sketch
//     commit          the caller    while others work, slots become rows, up to the first that is not done
//   set_aside.run     all threads   candidates that take long, block by block (set_aside.h)
//   end_epoch         the caller    the other rows; the log is written
//
// What decides a byte of the result is done by the calling thread and in input order: which candidate is the first with a program
// (representative), which gave the signature, which rows there are when a stop comes. Threads only fill slots, and each slot's
// content follows from its candidate alone; so the bytes do not depend on how many threads there are, nor on which is faster.
//
// A program with the tokens of an earlier one is not compiled again (but where threads come to the later one first), nor sent to a
// device. The table of identities holds 31 to 42 bytes for each distinct program of the whole input, another 11 to 21 for each
// behaviour, so the representative is always the smallest input number, however long the stream. Of the sources only one epoch is in memory.
//
// Where the options do not state a signature, the first candidate that compiles, has an entry and fits the cases gives it. Until then
// the cases have no types, and candidates are run one after the other. Candidates that give the same type and have other parameters take
// the columns of these names (own_signatures.h); others are refused. Where no candidate fits the cases, or they do not fit the stated
// signature, that is an error.
//
// A candidate's program comes in one of five ways, which program_supply.h lists; the run has chosen before the first epoch who
// supplies them. Where only the best variants of a sketch are asked for there are no epochs: a device makes, runs and ranks all of
// them by itself (device_ranking.h).
#pragma once
#include <stop_token>

#include "engine/candidates/evaluate_options.h"

namespace komuz::engine {

// An error concerns the options, which contradict each other, the cases, which do not fit the entry's signature, or the device. What is wrong with a
// candidate is in its row. When `stop` is requested, the rows of the candidates before the first unfinished one are
// the result, ranked, with `complete` false. So they are, though nobody asked for it, where a device that ranks candidates has no
// memory for more of them, or there is no number for more.
[[nodiscard]] Problem evaluate(CandidateSource& candidates, const CasesTable& cases,
                               const EvaluateOptions& options, Results& out,
                               ResultSink* sink = nullptr, ProgressSink* progress = nullptr,
                               std::stop_token stop = {});

}  // namespace komuz::engine
