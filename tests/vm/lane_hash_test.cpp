// SPDX-License-Identifier: Apache-2.0
// Every operation does the same to scalars and to vectors of every width, at every instruction set of this processor.
#include "tests/vm/lane_hash.h"

#include <gtest/gtest.h>

#include "tests/vm/all_operations.h"
#include "tests/vm/edge_values.h"

namespace komuz::test {
namespace {

struct InstructionSet {
  const char* name;
  LaneHasher hash;
  bool is_supported;
};

// The same hash by eval_cells, which op_eval_test.cpp compares with the oracle.
u64 hash_cells(Instruction i, const OperandCells& cells) {
  u64 hash = 0;
  for (u32 n = 0; n < cells.count; ++n) {
    const u64 x[3] = {cells.operands[0][n], cells.operands[1][n], cells.operands[2][n]};
    const EvaluatedCell e = eval_cells(i, x);
    hash = add_outcome(hash, e.value, e.trap);
  }
  return hash;
}

TEST(LaneHash, EqualForAllWidthsAndInstructionSets) {
  const InstructionSet sets[] = {
      {"portable", hash_lanes_portable, true},
      {"avx2", hash_lanes_avx2, __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")},
      {"avx512", hash_lanes_avx512,
       __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")},
  };
  constexpr u32 kCount = 2048;
  for (Instruction i : all_operations()) {
    std::vector<u64> columns[3];
    OperandCells cells = {{}, kCount};
    for (u32 n = 0; n < 3; ++n) {
      EdgeStream stream(operand_type(i, n), 100 + n);
      for (u32 row = 0; row < kCount; ++row) columns[n].push_back(stream.next());
      cells.operands[n] = columns[n].data();
    }
    const u64 expected = hash_cells(i, cells);
    for (const InstructionSet& set : sets) {
      if (!set.is_supported) continue;
      for (u32 vector_bytes : {0u, 16u, 32u, 64u}) {
        EXPECT_EQ(set.hash(i, vector_bytes, cells), expected)
            << operation_text(i) << " at " << set.name << ", " << vector_bytes << " bytes";
      }
    }
  }
}

}  // namespace
}  // namespace komuz::test
