// SPDX-License-Identifier: Apache-2.0
#include "tests/vm/lane_hash_body.h"

namespace komuz::test {

u64 hash_lanes_portable(Instruction operation, u32 vector_bytes, const OperandCells& cells) {
  return hash_lanes(operation, vector_bytes, cells);
}

}  // namespace komuz::test
