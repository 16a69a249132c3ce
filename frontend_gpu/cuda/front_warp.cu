// SPDX-License-Identifier: Apache-2.0
// The first passes on warps, one program each, over columns in global memory: source to a tree with names. The passes
// behind them do not compile for a device yet, because of what they look up: kBuiltins and kOwnCode, functions of
// lang/builtins.h and lang/ops.h that are for the host, and the slow path of float literals.
#include "base/group/coop.h"
#include "base/group/warp_machine.cuh"
#include "frontend_gpu/layout.h"
#include "frontend_gpu/lex.h"
#include "frontend_gpu/names.h"
#include "frontend_gpu/shape.h"
#include "frontend_gpu/tree.h"

namespace komuz::frontend {

using WarpGroup = CoopGroup<WarpMachine>;

// What a warp needs of its program.
struct WarpProgram {
  Columns columns;
  CoopScratch scratch;
  u32 token_limit;
  HashSum identity;
};

__device__ inline WarpProgram* program_of_warp(WarpProgram* programs, u32 n) {
  const u32 number = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  return number < n ? programs + number : nullptr;
}

// Source to tokens; none for a program that has more than its limit.
__global__ void lex_warps(WarpProgram* programs, const Tables* t, u32 n) {
  WarpProgram* const p = program_of_warp(programs, n);
  if (p == nullptr) return;
  Columns c = p->columns;
  WarpGroup g(WarpMachine{}, p->scratch);
  if (!find_tokens(g, c, p->token_limit)) c.tokens = 0;
  const HashSum identity = classify_tokens(g, c, *t);
  g.once([&] {
    p->columns = c;
    p->identity = identity;
  });
}

// Tokens to a tree with names.
__global__ void parse_warps(WarpProgram* programs, const Tables* t, u32 n) {
  WarpProgram* const p = program_of_warp(programs, n);
  if (p == nullptr) return;
  Columns c = p->columns;
  WarpGroup g(WarpMachine{}, p->scratch);
  place_tokens(g, c, *t);
  match_brackets(g, c);
  build_tree(g, c, *t);
  check_shape(g, c, *t);
  resolve_names(g, c, *t);
  g.once([&] { p->columns = c; });
}

}  // namespace komuz::frontend
