// SPDX-License-Identifier: Apache-2.0
// Lowering in lists of limited length, as on a device: the same code as in vectors if there is room, and otherwise no
// write behind their ends.
#include "vm/cuda/lowering.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "lang/check/check_code.h"
#include "tests/lang/row_marks.h"
#include "tests/vm/random_code.h"
#include "tests/vm/sample_programs.h"
#include "vm/cuda/lower_warp.h"

namespace komuz {
namespace {

using test::GeneratedCode;
using vm::Lowered;

// How long each list may become.
struct Room {
  vm::Lowering<Bounded>::Room lowering;
  u32 ops = 0, constants = 0;
};
constexpr u32 kAmple = 20'000;
constexpr Room kAll = {.lowering = {.functions = kAmple,
                                    .calls = kAmple,
                                    .stack = kAmple,
                                    .regions = kAmple,
                                    .arms = kAmple},
                       .ops = kAmple,
                       .constants = kAmple};
constexpr u32 kLists = 7;
Room all_but(u32 list, u32 size) {
  Room room = kAll;
  u32* const sizes[kLists] = {&room.lowering.functions, &room.lowering.calls, &room.lowering.stack,
                              &room.lowering.regions,   &room.lowering.arms,  &room.ops,
                              &room.constants};
  *sizes[list] = size;
  return room;
}

// Lists with some bytes behind each that nobody may touch.
class BoundedLowering {
 public:
  explicit BoundedLowering(const Room& room)
      : bytes_(vm::Lowering<Bounded>::bytes(room.lowering) + kListsOfLowering * kGap +
               RowsMemory::bytes<vm::WarpOp>(room.ops) + RowsMemory::bytes<u32>(room.ops) +
               RowsMemory::bytes<u64>(room.constants) + 3 * kGap),
        memory_(bytes_.data(), kGap),
        ops_(memory_.take<vm::WarpOp>(room.ops)),
        places_(memory_.take<u32>(room.ops)),
        constants_(memory_.take<u64>(room.constants)),
        lowering_(memory_, room.lowering) {}

  Lowered run(const Code& code, u32 entry) {
    vm::ResultTypes results;
    static_cast<void>(vm::list_result_types(code.view(), results.types, results.begins));
    const vm::LoweringInput input{code.instructions.data(),
                                  code.constants.data(),
                                  code.functions.data(),
                                  code.slot_types.data(),
                                  results.types.data(),
                                  results.begins.data(),
                                  static_cast<u32>(code.functions.size())};
    return lowering_.run(input, entry, {&ops_, &places_, &constants_}, program_);
  }
  [[nodiscard]] bool is_same(const vm::WarpBatch& batch) const {
    const auto is_equal = [](const auto& own, const auto& column) {
      return own.size() == column.size() &&
             std::memcmp(own.data(), column.data(), own.size() * sizeof column[0]) == 0;
    };
    return is_equal(ops_, batch.ops) && is_equal(places_, batch.places) &&
           is_equal(constants_, batch.constants) &&
           std::memcmp(&program_, batch.programs.data(), sizeof program_) == 0;
  }
  // Are there still as many stretches of marks as there are lists?
  [[nodiscard]] bool is_inside() const {
    return test::count_gaps(bytes_, kGap) == kListsOfLowering + 3;
  }

 private:
  static constexpr u32 kGap = 256, kListsOfLowering = 7;

  std::vector<u8> bytes_;
  RowsMemory memory_;
  Rows<vm::WarpOp> ops_;
  Rows<u32> places_;
  Rows<u64> constants_;
  vm::Lowering<Bounded> lowering_;
  vm::WarpProgram program_;
};

// Of programs that fit warp code: each list in turn becomes longer until there is room.
void expect_same(const Code& code, u32 entry) {
  vm::WarpBatch batch;
  vm::WarpLowering lowering;
  EXPECT_TRUE(lowering.add(code.view(), entry, batch));
  for (u32 list = 0; list < kLists; ++list) {
    Lowered lowered = Lowered::NoRoom;
    for (u32 size = 1; size < kAmple && lowered != Lowered::Done; size += size / 3 + 1) {
      BoundedLowering bounded(all_but(list, size));
      lowered = bounded.run(code, entry);
      EXPECT_TRUE(bounded.is_inside()) << "list " << list << " of " << size;
      if (lowered == Lowered::Done) {
        EXPECT_TRUE(bounded.is_same(batch)) << "list " << list << " of " << size;
      } else {
        EXPECT_EQ(lowered, Lowered::NoRoom);
      }
    }
    EXPECT_EQ(lowered, Lowered::Done) << "list " << list;
  }
}

TEST(Lowering, InListsThatEndItIsTheSame) {
  Code collatz = test::collatz();
  ASSERT_EQ(check_code(collatz.view(), collatz.functions).reason, "");
  expect_same(collatz, 0);
  test::CodeBuilder gcd = test::gcd(40);
  ASSERT_EQ(check_code(gcd.code.view(), gcd.code.functions).reason, "");
  expect_same(gcd.code, 0);
  for (u64 seed = 1; seed <= 25; ++seed) {
    SCOPED_TRACE(seed);
    for (const test::ProgramKind kind : {test::ProgramKind::Any, test::ProgramKind::Loops}) {
      GeneratedCode program = test::generate_code(seed, 20 + static_cast<u32>(seed), kind);
      ASSERT_EQ(check_code(program.code.view(), program.code.functions).reason, "");
      expect_same(program.code, program.entry);
    }
  }
}

TEST(Lowering, FramesThatItCannotNumberAreTooLarge) {
  test::CodeBuilder b;
  b.function("wide", {Scalar::I64}, {Scalar::I64});
  for (u32 k = 0; k < 65'534; ++k) b.variable(Scalar::I64);
  b.load(0).load(0).op(Op::Mul).load(0).load(0).op(Op::Mul).op(Op::Add).end_function();
  ASSERT_EQ(check_code(b.code.view(), b.code.functions, 1u << 30).reason, "");
  BoundedLowering bounded(kAll);
  EXPECT_EQ(bounded.run(b.code, 0), Lowered::TooLarge);
  EXPECT_TRUE(bounded.is_inside());
}

}  // namespace
}  // namespace komuz
