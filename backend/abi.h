// SPDX-License-Identifier: Apache-2.0
// What komuz_backend.so exports: one table of functions, under the name `komuz_backend`. The library has LLVM in it and
// hides it: nothing else can be seen from outside, and no type of C++'s library crosses.
#pragma once
#include <cstddef>
#include <string_view>

#include "backend/c/c_layout.h"
#include "backend/case_state.h"
#include "backend/effort.h"
#include "backend/settings.h"
#include "backend/source_map.h"
#include "lang/code.h"

namespace komuz::backend {

// Goes up with each change of what crosses that kAbiLayout does not see: what a member or a number means.
inline constexpr u32 kAbiVersion = 7;

// Code of a program (CodeView) as plain columns.
struct AbiCode {
  const Instruction* instructions;
  u64 instruction_count;
  const u64* constants;
  u64 constant_count;
  const Function* functions;
  u64 function_count;
  const u8* types;
  u64 type_count;
  const u8* slot_types;
  u64 slot_type_count;
  const char* names;
  u64 name_bytes;
};

// Takes bytes, in parts.
struct AbiSink {
  void (*write)(void* context, const char* bytes, u64 count);
  void* context;
};

struct AbiRequest {
  AbiCode code;
  u32 function;    // the entry
  u32 effort;      // an Effort
  u32 lanes;       // Shape::lanes
  u32 for_device;  // Shape::for_device: 0 or 1
  // Of compile: LoadedConstants.
  const u32* loaded;
  u64 loaded_count;
  u32 loaded_of;  // a ConstantsOf
  // The processor, as LLVM calls it; "native": this one. Ends with a 0.
  const char* processor;
  // The name that the RunCase gets, which ends with a 0.
  const char* symbol;
  // Of emit: a Form; and functions for C, which then take the place of the RunCase.
  u32 form;
  const CFunction* c_functions;
  u64 c_function_count;
  // The names of files, and a place in them for each instruction and each function; null: nothing is known of places.
  const char* const* files;
  u64 file_count;
  const SourcePlace* places;
  const SourcePlace* function_places;
  u32 has_lines;  // EmitRequest::has_lines: 0 or 1
};

// A program of a module for GPUs.
struct AbiPtxProgram {
  AbiCode code;
  u32 function;        // the entry
  const char* symbol;  // the name of its kernel, which ends with a 0
};
struct AbiPtxRequest {
  const AbiPtxProgram* programs;
  u64 program_count;
  const char* target;  // "sm_75" or "sm_90"; ends with a 0
  u32 effort;          // an Effort
  u32 form;            // a Form: Assembly, which is PTX, or Ir
};
struct AbiSettings {
  u32 maps;                  // a Maps
  const char* cache_folder;  // ends with a 0; "": none
  u32 cache_levels;
};

struct AbiTable {
  u32 version;  // kAbiVersion; first in all versions
  u32 layout;   // kAbiLayout
  // What compiles: "LLVM 19.1.7". The text stays.
  const char* (*about)();
  // Compiles code for this process. Gives 1; or 0, and tells `why` the reason.
  u32 (*compile)(const AbiRequest* request, CompiledCode* out, AbiSink why);
  // Frees the code of `compile`.
  void (*release)(CompiledCode* code);
  // For all code that is compiled from here on.
  void (*configure)(const AbiSettings* settings);
  // What did not work beside compiling, a line each: a map or a cache.
  void (*notes)(AbiSink out);
  CacheUse (*cache_use)();
  // Gives 1, and the bytes to `out`; or 0, and tells `why` the reason.
  u32 (*emit)(const AbiRequest* request, AbiSink out, AbiSink why);
  // The same for GPUs.
  u32 (*emit_ptx)(const AbiPtxRequest* request, AbiSink out, AbiSink why);
  // The names of processors, a line each.
  void (*processors)(AbiSink out);
};

// A hash of all that both sides lay out, and of the tables that their numbers belong to. A library whose hash is
// another one would read and write other memory than is meant.
constexpr u32 layout_of_abi() {
  u32 hash = 2166136261u;  // FNV-1a
  const auto add = [&](std::string_view bytes) {
    for (const char c : bytes) hash = (hash ^ static_cast<u8>(c)) * 16777619u;
    hash *= 16777619u;
  };
  const auto add_number = [&](u64 n) {
    for (u32 k = 0; k < 8; ++k) hash = (hash ^ static_cast<u8>(n >> 8 * k)) * 16777619u;
  };
  for (const u64 n : {sizeof(AbiCode),
                      sizeof(AbiSink),
                      sizeof(AbiRequest),
                      sizeof(AbiPtxProgram),
                      sizeof(AbiPtxRequest),
                      sizeof(AbiSettings),
                      sizeof(AbiTable),
                      sizeof(Instruction),
                      sizeof(Function),
                      sizeof(CellRun),
                      sizeof(CObject),
                      sizeof(CFunction),
                      sizeof(CTrap),
                      sizeof(CaseState),
                      sizeof(LaneState),
                      sizeof(CompiledCode),
                      sizeof(SourcePlace),
                      sizeof(CacheUse),
                      offsetof(CaseState, stop),
                      offsetof(LaneState, stop),
                      offsetof(LaneState, fuel),
                      offsetof(CompiledCode, owner),
                      offsetof(CTrap, place),
                      offsetof(CFunction, symbol),
                      offsetof(CellRun, row_index),
                      offsetof(AbiRequest, places),
                      offsetof(Function, stack_bytes),
                      u64{kMostLanes},
                      kSlice})
    add_number(n);
  for (const auto last : {static_cast<u32>(Effort::Full), static_cast<u32>(Form::Assembly),
                          static_cast<u32>(Maps::Gdb), kOpCount, kScalarCount, kTrapCount})
    add_number(last);
#define OP(Name, mnemonic, form, types, traps, meaning) add(mnemonic);
#include "lang/ops.def"
  return hash;
}
inline constexpr u32 kAbiLayout = layout_of_abi();

inline constexpr char kAbiName[] = "komuz_backend";

}  // namespace komuz::backend
