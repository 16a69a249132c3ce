// SPDX-License-Identifier: Apache-2.0
#include "lang/check/check_prefix.h"

#include <gtest/gtest.h>

namespace komuz {
namespace {

// A function of an i64 and a bool, with a slot of each and one without a type, that gives an i64.
class Prefix : public testing::Test {
 protected:
  Prefix() {
    code_.types = {kTupleCode, 2, static_cast<u8>(Scalar::I64), static_cast<u8>(Scalar::Bool),
                   static_cast<u8>(Scalar::I64)};
    code_.slot_types = {static_cast<u8>(Scalar::I64), static_cast<u8>(Scalar::Bool),
                        static_cast<u8>(Scalar::None)};
    code_.constants = {7};
    Function f;
    f.parameter_slots = 2;
    f.slots = 3;
    f.result_cells = 1;
    code_.functions = {f};
    program_ = {code_.view(), {&result_at_, 1}, 8, &words_};
  }
  [[nodiscard]] PrefixChecker start() const { return PrefixChecker(program_, 0); }

  static constexpr Instruction kNumber{Op::LoadVar, Scalar::I64, 0, 0},
      kBool{Op::LoadVar, Scalar::Bool, 1, 0}, kAdd{Op::Add, Scalar::I64, 0, 0},
      kConstant{Op::LoadConst, Scalar::I64, 0, 0};
  Code code_;
  const u32 result_at_ = 4;
  CheckWords<Inline> words_;
  PrefixChecker::Program program_;
};

TEST_F(Prefix, FollowsTheTypesOfTheStack) {
  PrefixChecker p = start();
  ASSERT_TRUE(p.is_sound());
  EXPECT_EQ(p.cell(0), Scalar::None);
  EXPECT_TRUE(p.take(kNumber));
  EXPECT_TRUE(p.take(kBool));
  EXPECT_EQ(p.cells(), 2u);
  EXPECT_EQ(p.cell(0), Scalar::Bool);
  EXPECT_EQ(p.cell(1), Scalar::I64);
  PrefixChecker refused = p;
  EXPECT_FALSE(refused.take(kAdd));
  EXPECT_TRUE(p.take({Op::Convert, Scalar::I64, static_cast<u16>(Scalar::Bool), 0}));
  EXPECT_TRUE(p.take(kAdd));
  EXPECT_TRUE(p.finish());
}

TEST_F(Prefix, ArmsLeaveOneValueOfOneType) {
  PrefixChecker p = start();
  EXPECT_TRUE(p.take(kNumber) && p.take(kBool));
  EXPECT_TRUE(p.open_first_arm());
  // What is below an arm is not its own.
  PrefixChecker below = p;
  EXPECT_FALSE(below.open_second_arm());
  EXPECT_EQ(p.cells(), 0u);
  EXPECT_TRUE(p.take(kConstant));
  EXPECT_TRUE(p.open_second_arm());
  PrefixChecker other = p;
  EXPECT_TRUE(other.take(kBool));
  EXPECT_FALSE(other.close());
  EXPECT_TRUE(p.take(kNumber));
  PrefixChecker early = p;
  EXPECT_FALSE(early.finish());
  EXPECT_TRUE(p.close());
  EXPECT_EQ(p.cells(), 2u);
  EXPECT_TRUE(p.take(kAdd) && p.finish());
}

TEST_F(Prefix, LazyOperandsAreBools) {
  PrefixChecker p = start();
  EXPECT_TRUE(p.take(kBool) && p.open_lazy(Op::JumpIfFalseOrPop));
  PrefixChecker number = p;
  EXPECT_TRUE(number.take(kNumber));
  EXPECT_FALSE(number.close());
  EXPECT_TRUE(p.take(kBool) && p.close());
  EXPECT_EQ(p.cell(0), Scalar::Bool);
  EXPECT_FALSE(p.finish());
}

TEST_F(Prefix, SlotsAreDeclaredWrittenAndForgotten) {
  PrefixChecker p = start();
  constexpr Instruction kStore{Op::StoreVar, Scalar::I64, 2, 0},
      kLoad{Op::LoadVar, Scalar::I64, 2, 0};
  EXPECT_TRUE(p.take(kNumber));
  PrefixChecker undeclared = p;
  EXPECT_FALSE(undeclared.take(kStore));
  p.declare(2, Scalar::I64);
  PrefixChecker unwritten = p;
  EXPECT_FALSE(unwritten.take(kLoad));
  EXPECT_FALSE(p.is_written(2));
  EXPECT_TRUE(p.take(kStore));
  EXPECT_TRUE(p.is_written(2));
  EXPECT_TRUE(p.take(kLoad));

  // A store in one arm is none behind both.
  PrefixChecker arms = start();
  arms.declare(2, Scalar::I64);
  EXPECT_TRUE(arms.take(kBool) && arms.open_first_arm() && arms.take(kNumber) &&
              arms.take(kStore) && arms.take(kLoad) && arms.open_second_arm());
  EXPECT_FALSE(arms.is_written(2));
  EXPECT_TRUE(arms.take(kNumber) && arms.close());
  EXPECT_FALSE(arms.take(kLoad));
}

TEST_F(Prefix, HasRoomForAsManyCellsAsTheProgramSays) {
  PrefixChecker p = start();
  for (u32 k = 0; k < 8; ++k) EXPECT_TRUE(p.take(kNumber));
  EXPECT_FALSE(p.take(kNumber));
}

TEST_F(Prefix, OfTooManySlotsIsNotSound) {
  code_.slot_types.resize(PrefixChecker::kMostSlots + 1, static_cast<u8>(Scalar::I64));
  code_.functions[0].slots = PrefixChecker::kMostSlots + 1;
  program_.code = code_.view();
  EXPECT_FALSE(start().is_sound());
}

}  // namespace
}  // namespace komuz
