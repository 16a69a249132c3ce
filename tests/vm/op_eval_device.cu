// SPDX-License-Identifier: Apache-2.0
// Every operation at every type as device code: op_eval.h must compile for CUDA as it stands.
#include "lang/eval_cells.h"

__global__ void evaluate_all(const komuz::Instruction* instructions, const komuz::u64* operands,
                             komuz::EvaluatedCell* outcomes) {
  const komuz::u32 lane = threadIdx.x + blockIdx.x * blockDim.x;
  outcomes[lane] = komuz::eval_cells(instructions[lane], operands + 3 * lane);
}
