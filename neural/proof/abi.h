// SPDX-License-Identifier: Apache-2.0
// What komuz_prover.so exports: one table of functions, under the name `komuz_prover`. The library knows terms and Z3. Nothing else can be
// seen from outside, and no type of C++'s library crosses.
#pragma once
#include "neural/proof/terms/terms.h"

namespace komuz::neural {

// Goes up with each change of this header, of TermRow, of FunctionRow, of TermOp or of the bytecode's operations.
inline constexpr u32 kProverVersion = 1;

enum class Decision : u32 { Impossible, Possible, Unknown };

// Can all claims be true at once?
struct AbiClaims {
  const TermRow* rows;
  u64 row_count;
  const Term* arguments;  // of functions (Terms::arguments)
  const FunctionRow* functions;
  u64 function_count;
  const Term* claims;  // bools
  u64 claim_count;
  u64 resources;      // Z3's rlimit
  u32 time_limit_ms;  // 0: none
  u32 reserved;
  // Asked now and then by another thread: a number other than 0 ends the work. Null: it goes on.
  u32 (*is_stopped)(void* context);
  void* context;
};
struct AbiDecision {
  Decision decision;
  u32 reserved;
  u64 resources;  // that were taken
  // Of Possible: a value for each variable of the rows, in order. The caller has room for all.
  u64* variables;
  char why[120];  // of Unknown: in words; ends with a 0
};

struct AbiProver {
  u32 version;  // kProverVersion; first in all versions
  u32 reserved;
  const char* (*about)();  // "Z3 4.8.12". The text stays
  void (*decide)(const AbiClaims* claims, AbiDecision* out);
};

inline constexpr char kProverName[] = "komuz_prover";

}  // namespace komuz::neural
