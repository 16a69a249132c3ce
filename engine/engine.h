// SPDX-License-Identifier: Apache-2.0
// The door of the engine: candidates and cases in, scores and a ranking out.
//
//   in    candidates.h   sources of programs: lists, JSONL streams, chains of them
//         cases_table.h  cases as they stand in a CSV or JSONL file
//         device.h       where programs are compiled and run: the CPU or a GPU
//         evaluate.h     options, stop token, progress and result sinks
//   out   results.h      rows, failures and diagnostics, ranked
//         report.h       the same as JSON
// Faces that run one program also use signature.h (which function is the entry), value_text.h (arguments and results
// as text), slice_cases.h and slice_entry.h (entries that take slices), and run_tests.h. Who wants native code for what
// runs long gives a NativeTier (native_tier.h).
//
// The engine owns memory and threads. It does not print, parse a command line, open files, or know which processor
// runs a pass. frontend_gpu compiles the programs, and vm runs them.
#pragma once
#include "base/problem.h"
#include "engine/candidates/candidates.h"
#include "engine/candidates/load_modules.h"
#include "engine/cases/cases_table.h"
#include "engine/cases/signature.h"
#include "engine/cases/slice_cases.h"
#include "engine/cases/slice_entry.h"
#include "engine/cases/suite.h"
#include "engine/device.h"
#include "engine/results/report.h"
#include "engine/results/results.h"
#include "engine/results/score.h"
#include "engine/run/evaluate.h"
#include "engine/support/shown.h"
#include "engine/testing/run_tests.h"
#include "engine/values/value_text.h"
