// SPDX-License-Identifier: Apache-2.0
// Lowering in lists that end, as on a device: the same code as in vectors where it has room, and elsewhere nothing
// behind their ends.
#include "vm/cuda/lowering.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "lang/check_code.h"
#include "tests/vm/random_code.h"
#include "tests/vm/sample_programs.h"
#include "vm/cuda/lower_warp.h"

namespace komuz {
namespace {

using test::GeneratedCode;
using vm::Lowered;

// Lists of so many elements, each with some bytes behind it that nobody may touch.
class BoundedLowering {
 public:
  BoundedLowering(const vm::Lowering<Bounded>::Room& room, u32 ops, u32 constants)
      : scratch_(room_bytes(room) + kGuard, kMark),
        ops_bytes_(ops * sizeof(vm::WarpOp) + kGuard, kMark),
        places_bytes_(ops * sizeof(u32) + kGuard, kMark),
        constants_bytes_(constants * sizeof(u64) + kGuard, kMark),
        ops_(rows<vm::WarpOp>(ops_bytes_, ops)),
        places_(rows<u32>(places_bytes_, ops)),
        constants_(rows<u64>(constants_bytes_, constants)),
        memory_(scratch_.data()),
        lowering_(memory_, room) {}

  Lowered run(const Code& code, u32 entry) {
    vm::ResultTypes results;
    vm::list_result_types(code.view(), results);
    const vm::LoweringInput input{code.instructions.data(),
                                  code.constants.data(),
                                  code.functions.data(),
                                  code.slot_types.data(),
                                  results.types.data(),
                                  results.begins.data(),
                                  static_cast<u32>(code.functions.size())};
    return lowering_.run(input, entry, {&ops_, &places_, &constants_}, program_);
  }
  [[nodiscard]] bool is_same(vm::WarpBatch& batch) const {
    const auto is_equal = [](const auto& own, const auto& column) {
      return own.size() == column.size() &&
             std::memcmp(own.data(), column.data(), own.size() * sizeof column[0]) == 0;
    };
    return is_equal(ops_, batch.ops) && is_equal(places_, batch.places) &&
           is_equal(constants_, batch.constants) &&
           std::memcmp(&program_, &batch.programs[0], sizeof program_) == 0;
  }
  [[nodiscard]] bool is_inside() const {
    return std::ranges::all_of(
        std::array{&scratch_, &ops_bytes_, &places_bytes_, &constants_bytes_},
        [](const auto* bytes) {
          return std::all_of(bytes->end() - kGuard, bytes->end(), [](u8 b) { return b == kMark; });
        });
  }

 private:
  static constexpr u8 kMark = 0xA5;
  static constexpr i64 kGuard = 512;

  static size_t room_bytes(const vm::Lowering<Bounded>::Room& room) {
    return vm::Lowering<Bounded>::bytes(room);
  }
  template <class T>
  static Rows<T> rows(std::vector<u8>& bytes, u32 count) {
    return {reinterpret_cast<T*>(bytes.data()), count};
  }

  std::vector<u8> scratch_, ops_bytes_, places_bytes_, constants_bytes_;
  Rows<vm::WarpOp> ops_;
  Rows<u32> places_;
  Rows<u64> constants_;
  RowsMemory memory_;
  vm::Lowering<Bounded> lowering_;
  vm::WarpProgram program_;
};

vm::Lowering<Bounded>::Room room_of(u32 size) {
  return {.functions = size, .calls = size, .stack = size, .regions = size};
}

// Of programs that fit warp code. Returns in how many rooms there was too little of it.
u32 expect_same(const Code& code, u32 entry) {
  vm::WarpBatch batch;
  vm::WarpLowering lowering;
  EXPECT_TRUE(lowering.add(code.view(), entry, batch));
  u32 too_small = 0;
  for (u32 size = 1; size < 100'000; size += size / 3 + 1) {
    BoundedLowering bounded(room_of(size), size, size);
    const Lowered lowered = bounded.run(code, entry);
    EXPECT_TRUE(bounded.is_inside()) << size;
    if (lowered == Lowered::Done) {
      EXPECT_TRUE(bounded.is_same(batch)) << size;
      return too_small;
    }
    EXPECT_EQ(lowered, Lowered::NoRoom) << size;
    ++too_small;
  }
  ADD_FAILURE() << "it never had room";
  return too_small;
}

TEST(Lowering, InListsThatEndItIsTheSame) {
  Code collatz = test::collatz();
  ASSERT_EQ(check_code(collatz.view(), collatz.functions).reason, "");
  EXPECT_GT(expect_same(collatz, 0), 0u);
  test::CodeBuilder gcd = test::gcd(40);
  ASSERT_EQ(check_code(gcd.code.view(), gcd.code.functions).reason, "");
  EXPECT_GT(expect_same(gcd.code, 0), 0u);
  for (u64 seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    for (const test::ProgramKind kind : {test::ProgramKind::Any, test::ProgramKind::Loops}) {
      GeneratedCode program = test::generate_code(seed, 20 + static_cast<u32>(seed), kind);
      ASSERT_EQ(check_code(program.code.view(), program.code.functions).reason, "");
      EXPECT_GT(expect_same(program.code, program.entry), 0u);
    }
  }
}

TEST(Lowering, FramesThatItCannotNumberAreTooLarge) {
  test::CodeBuilder b;
  b.function("wide", {Scalar::I64}, {Scalar::I64});
  for (u32 k = 0; k < 65'534; ++k) b.variable(Scalar::I64);
  b.load(0).load(0).op(Op::Mul).load(0).load(0).op(Op::Mul).op(Op::Add).end_function();
  ASSERT_EQ(check_code(b.code.view(), b.code.functions, 1u << 30).reason, "");
  BoundedLowering bounded(room_of(100), 100, 100);
  EXPECT_EQ(bounded.run(b.code, 0), Lowered::TooLarge);
  EXPECT_TRUE(bounded.is_inside());
}

}  // namespace
}  // namespace komuz
