// SPDX-License-Identifier: Apache-2.0
#include "base/random.h"
#include "tests/lang/assembled.h"

namespace komuz {
namespace {

// A function without parameters around a body, with constants 0, 1 and 2^40.
std::string around(std::string_view body,
                   std::string_view head = "fn f() -> ()\n slots i64 bool f32\n") {
  return "constant 0\nconstant 1\nconstant 0x10000000000\n" + std::string(head) +
         std::string(body) + "\n";
}

struct Refused {
  std::string_view title;
  std::string_view body;
  u32 instruction;
  std::string_view reason;  // a part of it
};

void PrintTo(const Refused& refused, std::ostream* out) { *out << refused.title; }

class RefusedBody : public testing::TestWithParam<Refused> {};

TEST_P(RefusedBody, SaysWhereAndWhy) {
  const CodeError error = refusal(around(GetParam().body));
  EXPECT_TRUE(error.reason.find(GetParam().reason) != std::string::npos) << error.reason;
  EXPECT_EQ(error.instruction, GetParam().instruction) << error.reason;
  EXPECT_EQ(error.function, 0u);
}

constexpr Refused kRefused[] = {
    {"NoReturn", "TICK", 0, "must be RETURN"},
    {"CellsLeft", "LOAD_CONST i64 #0\nRETURN", 1, "returns 0 cells, but finds 1"},
    {"EmptyStack", "BINARY_ADD i64\nRETURN", 0,
     "BINARY_ADD takes 2 cells (i64, i64), but finds ()"},
    {"WrongOperand", "LOAD_CONST i64 #0\nLOAD_CONST f64 #0\nBINARY_ADD i64\nRETURN", 2,
     "but finds (i64, f64)"},
    {"WrongType", "LOAD_CONST bool #0\nLOAD_CONST bool #0\nBINARY_ADD bool\nRETURN", 2,
     "does not take type 1"},
    {"FloatShift", "LOAD_CONST i64 #0\nLOAD_CONST f64 #0\nSHIFT_LEFT i64 f64\nRETURN", 2,
     "does not take"},
    {"BitsOfWrongWidth", "LOAD_CONST f64 #0\nBITS u32 f64\nRETURN", 1, "does not take"},
    {"BitsToBytes", "LOAD_CONST f32 #0\nBITS u8 f32\nRETURN", 1, "does not take"},
    {"NoConstant", "LOAD_CONST i64 #3\nRETURN", 0, "constant 3 of only 3"},
    {"BoolOfTwo", "LOAD_CONST bool #2\nRETURN", 0, "constant 2 is no bool"},
    {"WideI32", "LOAD_CONST i32 #2\nRETURN", 0, "constant 2 is no i32"},
    {"WideF32", "LOAD_CONST f32 #2\nRETURN", 0, "constant 2 is no f32"},
    {"TrapOfAnOperation", "TRAP OVERFLOW\nRETURN", 0, "(TRAP) does not take type 0, a 1"},
    {"TrapOfTheMachine", "TRAP FUEL\nRETURN", 0, "(TRAP) does not take type 0, a 8"},
    {"NoSlot", "LOAD_VAR i64 3\nRETURN", 0, "slot 3 of only 3"},
    {"SlotOfOtherType", "LOAD_CONST i64 #0\nSTORE_VAR i64 1\nRETURN", 1, "slot 1 holds bool"},
    {"UnwrittenSlot", "LOAD_VAR i64 0\nRETURN", 0, "slot 0 may be read before"},
    {"UnwrittenLimit", "LIMIT 0\nRETURN", 0, "slot 0 may be read before"},
    {"WrittenInOneArm",
     "LOAD_CONST bool #0\nJUMP_IF_FALSE 0 ->m\nLOAD_CONST i64 #0\nSTORE_VAR i64 0\nm: \nLOAD_VAR "
     "i64 0\n"
     "RETURN",
     4, "slot 0 may be read before"},
    {"WrittenInTheOtherArm",
     "LOAD_CONST bool #0\nJUMP_IF_FALSE 1 ->e\nLOAD_CONST i64 #0\nSTORE_VAR i64 0\nJUMP 0 ->m\n"
     "e:\nLIMIT 0\nm:\nRETURN",
     5, "slot 0 may be read before"},
    {"WrittenInALoop",
     "LOOP ->e\nTICK\nLOAD_CONST i64 #0\nSTORE_VAR i64 0\ne:\nEND ->0\nLIMIT 0\nRETURN", 5,
     "slot 0 may be read before"},
    {"ProjectTooMany", "PROJECT 0 1 0\nRETURN", 0, "takes 1 cell, but there are only 0"},
    {"ProjectBehind", "LOAD_CONST i64 #0\nPROJECT 1 1 1\nRETURN", 1, "keeps cells 1 to 2"},
    {"CopyBelowTheStack", "LOAD_CONST i64 #0\nCOPY i64 1 0\nRETURN", 1, "there are only 1"},
    {"CopyOfOtherType", "LOAD_CONST i64 #0\nCOPY f64 0 0\nRETURN", 1,
     "COPY takes f64, but a cell is i64"},
    {"CompareBelowTheLoop",
     "LOAD_CONSTS i64 2 #0\nLOOP ->e\nEQ_CELLS i64 1 0 1\ne:\nEND ->1\nRETURN", 2,
     "there are only 0"},
    {"CopyOfManyBelowTheStack", "LOAD_CONSTS i64 2 #0\nCOPY i64 0 2\nRETURN", 1,
     "COPY of cells 0 to 2, but there are only 2"},
    {"CopyOfFarTooMany", "LOAD_CONSTS i64 2 #0\nCOPY i64 1 4294967295\nRETURN", 1,
     "there are only 2"},
    {"CopyOfTwoTypes", "LOAD_CONST bool #0\nLOAD_CONST i64 #0\nCOPY i64 0 1\nRETURN", 2,
     "a cell is bool"},
    {"RepeatNothing", "LOAD_CONST i64 #0\nREPEAT 0 2\nRETURN", 1, "does not take"},
    {"RepeatNoTimes", "LOAD_CONST i64 #0\nREPEAT 1 0\nRETURN", 1, "does not take"},
    {"RepeatBelowTheStack", "LOAD_CONST i64 #0\nREPEAT 2 1\nRETURN", 1,
     "REPEAT takes 2 cells, but there are only 1"},
    {"RepeatBelowTheLoop", "LOAD_CONST i64 #0\nLOOP ->e\nREPEAT 1 2\ne:\nEND ->1\nRETURN", 2,
     "there are only 0"},
    {"RepeatTooOften", "LOAD_CONST i64 #0\nREPEAT 1 8193\nRETURN", 1,
     "would hold more than 8,192 cells"},
    {"RepeatFarTooOften", "LOAD_CONSTS i64 2 #0\nREPEAT 2 4294967295\nRETURN", 1,
     "would hold more than"},
    {"NoConstants", "LOAD_CONSTS i64 0 #0\nRETURN", 0, "does not take"},
    {"ConstantsBehindTheLast", "LOAD_CONSTS i64 3 #1\nRETURN", 0, "constant 3 of only 3"},
    {"ConstantsFarBehindTheLast", "LOAD_CONSTS i64 9 #4294967295\nRETURN", 0, "of only 3"},
    {"ConstantsOfOtherType", "LOAD_CONSTS i32 2 #1\nRETURN", 0, "constant 2 is no i32"},
    {"CompareNoCells", "LOAD_CONSTS i64 2 #0\nEQ_CELLS i64 0 0 1\nRETURN", 1, "does not take"},
    {"CompareBelowTheStack", "LOAD_CONSTS i64 2 #0\nEQ_CELLS i64 2 0 1\nRETURN", 1,
     "EQ_CELLS of cells 1 to 2, but there are only 2"},
    {"CompareFarBelowTheStack", "LOAD_CONSTS i64 2 #0\nEQ_CELLS i64 65535 65535 0\nRETURN", 1,
     "there are only 2"},
    {"CompareCellsOfOtherType", "LOAD_CONST bool #0\nLOAD_CONST i64 #0\nEQ_CELLS i64 1 0 1\nRETURN",
     2, "EQ_CELLS takes i64, but a cell is bool"},
    {"ComparePushesABool", "LOAD_CONSTS i64 2 #0\nEQ_CELLS i64 1 0 1\nSTORE_VAR i64 0\nRETURN", 2,
     "but finds (bool)"},
    {"TicksOfABool", "LOAD_CONST bool #0\nTICKS\nRETURN", 1, "TICKS takes 1 cell (i64)"},
    {"TicksAreNoTick", "LOOP ->3\nLOAD_CONST i64 #1\nTICKS\nEND ->0\nRETURN", 3,
     "END without a tick"},
    {"BackwardBranch", "LOAD_CONST bool #0\nJUMP_IF_FALSE 0 ->0\nRETURN", 1, "not ahead"},
    {"BranchOutOfCode", "LOAD_CONST bool #0\nJUMP_IF_FALSE 0 ->3\nRETURN", 1, "not ahead"},
    {"BranchWithoutJump", "LOAD_CONST bool #0\nJUMP_IF_FALSE 1 ->3\nTICK\nRETURN", 1,
     "not behind a JUMP"},
    {"TargetIsItself", "LOAD_CONST bool #0\nJUMP_IF_FALSE 1 ->1\nRETURN", 1, "not behind a JUMP"},
    {"LoneJump", "JUMP 0 ->1\nRETURN", 0, "ends no first arm"},
    {"SecondJumpOfAnArm",
     "LOAD_CONST bool #0\nJUMP_IF_FALSE 1 ->4\nJUMP 0 ->5\nJUMP 0 ->5\nTICK\nRETURN", 2,
     "ends no first arm"},
    {"TwoBranchesOneJump",
     "LOAD_CONST bool #0\nJUMP_IF_FALSE 1 ->e\nLOAD_CONST bool #0\nJUMP_IF_FALSE 1 ->e\nJUMP 0 "
     "->e\n"
     "e:\nRETURN",
     3, "not behind a JUMP"},
    {"ArmLeavesACell", "LOAD_CONST bool #0\nJUMP_IF_FALSE 0 ->m\nLOAD_CONST i64 #0\nm:\nRETURN", 3,
     "leaves 1 cell, the other one 0"},
    {"FirstArmLeavesMore",
     "LOAD_CONST bool #0\nJUMP_IF_FALSE 1 ->e\nLOAD_CONST i64 #0\nJUMP 0 ->m\ne:\nTICK\nm:\nRETURN",
     3, "the first arm leaves 1 cell, but a is 0"},
    {"ArmsOfOtherTypes",
     "LOAD_CONST bool #0\nJUMP_IF_FALSE 1 ->e\nLOAD_CONST i64 #0\nJUMP 1 ->m\ne:\nLOAD_CONST u64 "
     "#0\n"
     "m:\nPROJECT 0 1 0\nRETURN",
     5, "leave different types"},
    {"ArmDigsBelow",
     "LOAD_CONST i64 #0\nLOAD_CONST bool #0\nJUMP_IF_FALSE 0 ->m\nPROJECT 0 1 0\nLOAD_CONST i64 "
     "#0\n"
     "m:\nPROJECT 0 1 0\nRETURN",
     3, "takes 1 cell, but there are only 0"},
    {"ShortCircuitOfI64",
     "LOAD_CONST bool #0\nJUMP_IF_TRUE_OR_POP ->m\nLOAD_CONST i64 #0\nm:\nPROJECT 0 1 0\nRETURN", 3,
     "different types"},
    {"BranchOutOfALoop", "LOOP ->4\nLOAD_CONST bool #0\nJUMP_IF_FALSE 0 ->5\nTICK\nEND ->0\nRETURN",
     2, "not ahead"},
    {"BranchIntoALoop",
     "LOAD_CONST bool #0\nJUMP_IF_FALSE 0 ->4\nLOOP ->5\nTICK\nTICK\nEND ->2\nRETURN", 2,
     "no END at 5"},
    {"LoopEndsAtTheMerge", "LOAD_CONST bool #0\nJUMP_IF_FALSE 0 ->3\nLOOP ->3\nEND ->2\nRETURN", 2,
     "no END at 3"},
    {"LoopOfAnotherEnd", "LOOP ->1\nEND ->1\nRETURN", 0, "belongs to the LOOP at 1"},
    {"LoopWithoutTick", "LOOP ->1\nEND ->0\nRETURN", 1, "END without a tick"},
    {"TickInOneArm", "LOOP ->4\nLOAD_CONST bool #0\nJUMP_IF_FALSE 0 ->4\nTICK\nEND ->0\nRETURN", 4,
     "END without a tick"},
    {"BreakInOneArm", "LOOP ->4\nLOAD_CONST bool #0\nJUMP_IF_FALSE 0 ->4\nBREAK 0\nEND ->0\nRETURN",
     4, "END without a tick"},
    {"TickInAnInnerLoop", "LOOP ->4\nLOOP ->3\nTICK\nEND ->1\nEND ->0\nRETURN", 4,
     "END without a tick"},
    {"ContinueBeforeTick", "LOOP ->3\nCONTINUE 0\nTICK\nEND ->0\nRETURN", 1,
     "CONTINUE without a tick"},
    {"ContinueOuterBeforeTick",
     "LOOP ->6\nLOOP ->4\nCONTINUE 1\nTICK\nEND ->1\nTICK\nEND ->0\nRETURN", 2,
     "CONTINUE without a tick"},
    {"LoneEnd", "END ->0\nRETURN", 0, "ends no loop"},
    {"LoopLeavesACell", "LOOP ->2\nLOAD_CONST i64 #0\nEND ->0\nRETURN", 2, "leaves 1 cell"},
    {"BreakOutside", "BREAK 0\nRETURN", 0, "only 0 loops"},
    {"ContinueTooFar", "LOOP ->2\nCONTINUE 1\nEND ->0\nRETURN", 1, "only 1 loop"},
    {"BreakIfOutside", "LOAD_CONST bool #0\nBREAK_IF_FALSE\nRETURN", 1, "no loop"},
    {"ForNextOutside", "FOR_NEXT i64 0 0\nRETURN", 0, "no loop"},
    {"ForNextOfOtherSlots", "LOOP ->2\nFOR_NEXT i64 0 0\nEND ->0\nRETURN", 1, "slot 2 holds f32"},
    {"NoCallee", "CALL 1\nRETURN", 0, "function 1 of only 1"},
    {"RequireOfI64", "LOAD_CONST i64 #0\nREQUIRE INDEX\nRETURN", 1, "takes 1 cell (bool)"},
    {"RequireOtherTraps", "LOAD_CONST bool #0\nREQUIRE ASSERT\nRETURN", 1, "does not take type 0"},
    {"IndexOfOtherType", "LOAD_CONST i32 #0\nLOAD_CONST i32 #0\nCHECK_INDEX i32\nRETURN", 2,
     "does not take type 2"},
    {"AssertOfI64", "LOAD_CONST i64 #0\nASSERT\nRETURN", 1, "takes 1 cell (bool)"},
};

INSTANTIATE_TEST_SUITE_P(CheckCode, RefusedBody, testing::ValuesIn(kRefused),
                         [](const auto& row) { return std::string(row.param.title); });

// With an area of four i64 from slot 1 on, all of them written, between a slot of another type and
// one that is not written.
std::string around_area(std::string_view body) {
  return around("LOAD_CONST i64 #0\nCOPY i64 0 0\nCOPY i64 0 0\nCOPY i64 0 0\nSTORE_VARS 1 4\n" +
                    std::string(body),
                "fn f() -> ()\n slots bool i64 i64 i64 i64 i64\n");
}

constexpr Refused kRefusedAccesses[] = {
    {"LoadTooMany", "LOAD_VARS 1 6\nRETURN", 5, "slots 1 to 6 of only 6"},
    {"LoadFarTooMany", "LOAD_VARS 1 4294967295\nRETURN", 5, "of only 6"},
    {"LoadUnwritten", "LOAD_VARS 1 5\nRETURN", 5, "slot 5 may be read before"},
    {"LeaveCells", "LOAD_VARS 1 3\nRETURN", 6, "but finds 3"},
    {"StoreTooMany", "STORE_VARS 5 2\nRETURN", 5, "slots 5 to 6 of only 6"},
    {"StoreOtherTypes", "LOAD_VARS 1 2\nSTORE_VARS 0 2\nRETURN", 6, "takes 2 cells (bool, i64)"},
    {"StoreFromNothing", "STORE_VARS 1 1\nRETURN", 5, "but finds ()"},
    {"AreaBehindTheSlots", "LOAD_CONST i64 #0\nLOAD_AT i64 6 1 1\nRETURN", 6, "slot 6 of only 6"},
    {"AreaBeyondTheSlots", "LOAD_CONST i64 #0\nLOAD_AT i64 1 6 1\nRETURN", 6,
     "slots 1 to 6 do not all hold i64"},
    {"AreaOfTwoTypes", "LOAD_CONST i64 #0\nLOAD_AT bool 0 2 1\nRETURN", 6,
     "slots 0 to 1 do not all hold bool"},
    {"AreaOfOtherType", "LOAD_CONST i64 #0\nLOAD_AT u64 1 2 1\nRETURN", 6, "slot 1 holds i64"},
    {"AreaUnwritten", "LOAD_CONST i64 #0\nLOAD_AT i64 1 5 1\nRETURN", 6,
     "slots 1 to 5 may be read before"},
    {"StoreToAreaUnwritten", "LOAD_VARS 1 2\nSTORE_AT i64 1 5 1\nRETURN", 6,
     "slots 1 to 5 may be read before"},
    {"AreaWrittenInOneArm",
     "LOAD_CONST bool #0\nJUMP_IF_FALSE 0 ->m\nLOAD_CONST i64 #0\nSTORE_VAR i64 5\n"
     "LOAD_CONST i64 #0\nLOAD_AT i64 1 5 1\nPROJECT 0 1 0\nm:\n"
     "LOAD_CONST i64 #0\nLOAD_AT i64 1 5 1\nRETURN",
     13, "slots 1 to 5 may be read before"},
    {"NoCells", "LOAD_CONST i64 #0\nLOAD_AT i64 1 4 0\nRETURN", 6,
     "does not take type 3, a 1, b 4"},
    {"MoreCellsThanSlots", "LOAD_CONST i64 #0\nLOAD_AT i64 1 4 5\nRETURN", 6, "does not take"},
    {"OffsetOfOtherType", "LOAD_CONST i32 #0\nLOAD_AT i64 1 4 1\nRETURN", 6, "takes 1 cell (i64)"},
    {"NoOffset", "STORE_AT i64 1 4 1\nRETURN", 5, "takes 1 cell (i64), but finds ()"},
    {"TooFewCellsToStore", "LOAD_VARS 1 2\nSTORE_AT i64 1 4 2\nRETURN", 6,
     "takes 2 cells of i64 below the offset"},
    {"OtherCellsToStore", "LOAD_CONST f64 #0\nLOAD_CONST i64 #0\nSTORE_AT i64 1 4 1\nRETURN", 7,
     "takes 1 cell of i64 below the offset"},
    {"CellsLeft", "LOAD_CONST i64 #0\nLOAD_AT i64 1 4 2\nRETURN", 7, "but finds 2"},

    {"ReferenceToUnwritten", "LOAD_CONST i64 #0\nREF i64 1 5\nRETURN", 6,
     "slots 1 to 5 may be read before"},
    {"ReferenceToOtherType", "LOAD_CONST i64 #0\nREF f64 1 4\nRETURN", 6,
     "slot 1 holds i64, not f64"},
    {"ReferenceToFarTooMany", "LOAD_CONST i64 #0\nREF i64 1 4294967295\nRETURN", 6,
     "does not take"},
    {"ReferenceToNothingSomewhere", "LOAD_CONST i64 #0\nREF i64 1 0\nRETURN", 6, "does not take"},
    {"PartOfOtherReference", "LOAD_CONST i64 #0\nREF i64 1 4\nLOAD_VARS 1 2\nREF_PART u64\nRETURN",
     8, "takes 1 cell (&u64), but finds (&i64)"},
    {"LoadByNoReference", "LOAD_VARS 1 2\nLOAD_REF i64 1\nRETURN", 6,
     "takes 1 cell (&i64), but finds (i64)"},
    {"LoadNoCells", "LOAD_CONST i64 #0\nREF i64 1 4\nLOAD_VARS 1 1\nLOAD_REF i64 0\nRETURN", 8,
     "does not take"},
    {"StoreReferenceAsNumber", "LOAD_CONST i64 #0\nREF i64 1 4\nSTORE_VAR i64 1\nRETURN", 7,
     "STORE_VAR takes 1 cell (i64), but finds (&i64)"},
    {"StoreNumberAsReference", "LOAD_CONST i64 #0\nSTORE_VAR &i64 1\nRETURN", 6,
     "STORE_VAR takes 1 cell (&i64), but finds (i64)"},
    {"ReferenceToSlotOfNumber", "LOAD_CONST i64 #0\nREF i64 1 4\nSTORE_VAR &i64 1\nRETURN", 7,
     "slot 1 holds i64, not &i64"},
    {"LoadReferenceOfNumber", "LOAD_VAR &i64 1\nRETURN", 5, "slot 1 holds i64, not &i64"},
    {"ReferencesAreNotAdded",
     "LOAD_CONST i64 #0\nREF i64 1 4\nCOPY &i64 0 0\nBINARY_ADD &i64\nRETURN", 8,
     "does not take type 35"},
    {"ReferencesAreNotRepeated", "LOAD_CONST i64 #0\nREF i64 1 4\nREPEAT 1 2\nRETURN", 7,
     "REPEAT does not take &i64"},
    {"ReferencesAreNotCompared",
     "LOAD_CONST i64 #0\nREF i64 1 4\nCOPY &i64 0 0\nEQ_CELLS &i64 1 0 1\nRETURN", 8,
     "does not take type 35"},
    {"ReferencesAreNoConstants", "LOAD_CONST &i64 #0\nRETURN", 5, "does not take type 35"},
};

class RefusedAccess : public testing::TestWithParam<Refused> {};

TEST_P(RefusedAccess, SaysWhereAndWhy) {
  const CodeError error = refusal(around_area(GetParam().body));
  EXPECT_TRUE(error.reason.find(GetParam().reason) != std::string::npos) << error.reason;
  EXPECT_EQ(error.instruction, GetParam().instruction) << error.reason;
}

INSTANTIATE_TEST_SUITE_P(CheckCode, RefusedAccess, testing::ValuesIn(kRefusedAccesses),
                         [](const auto& row) { return std::string(row.param.title); });

TEST(CheckCode, NoReferenceOutlivesItsFrame) {
  EXPECT_EQ(refusal("fn f(xs: [i64]) -> [i64]\n slots i64 &i64\nLOAD_VARS 0 2\nRETURN").reason,
            "its result holds a reference, which would outlive what it refers to");
  EXPECT_EQ(refusal("fn f(xs: [i64]) -> i64\n slots i64 &i64\nLOAD_VAR &i64 1\nRETURN").reason,
            "RETURN takes i64, but finds &i64");
  EXPECT_EQ(refusal("fn f(xs: [i64]) -> i64\n slots i64 i64\nLOAD_VAR i64 1\nRETURN").reason,
            "its first slots do not have its parameters' types");
}

TEST(CheckCode, AcceptsAreas) {
  const Code code = checked(kAreasText);
  EXPECT_EQ(code.functions[0].max_stack, 4);
  EXPECT_EQ(code.functions[1].max_stack, 3);
}

TEST(CheckCode, AcceptsManyCells) {
  const Code code = checked(kCellsText);
  EXPECT_EQ(code.functions[0].max_stack, 14);
}

// Of every area of a function with many slots, of which some are written, some by regions that are open: the same as
// from looking at each slot.
TEST(CheckCode, AreasAreWrittenWhereAllTheirSlotsAre) {
  constexpr u32 kSlots = 5000;
  Random random(3);
  for (u32 round = 0; round < 200; ++round) {
    std::string text = "constant 0\nconstant 1\nfn f() -> ()\n slots";
    for (u32 k = 0; k < kSlots; ++k) text += " i64";
    const u32 missing = random.below(kSlots), written_late = random.below(kSlots);
    const auto store = [&text](u32 first, u32 count) {
      for (u32 k = 0; k < count; ++k) text += "\nLOAD_CONST i64 #0";
      text += "\nSTORE_VARS " + std::to_string(first) + " " + std::to_string(count);
    };
    store(0, missing);
    store(missing + 1, kSlots - missing - 1);
    text += "\nLOAD_CONST i64 #0\nLOAD_AT i64 " + std::to_string(missing == 0 ? 1 : 0) +
            " 1 1\nPROJECT 0 1 0";
    const bool is_open = random.below(2) == 0;
    if (is_open) text += "\nLOAD_CONST bool #1\nJUMP_IF_FALSE 0 ->m";
    store(written_late, 1);
    const u32 first = random.below(kSlots), slots = 1 + random.below(kSlots - first);
    text += "\nLOAD_CONST i64 #0\nLOAD_AT i64 " + std::to_string(first) + " " +
            std::to_string(slots) + " 1\nPROJECT 0 1 0\n";
    const bool has_missing = missing != written_late && missing >= first && missing < first + slots;
    if (is_open) text += "m:\n";
    text += "RETURN\n";
    ASSERT_EQ(refusal(text).reason.find("may be read before") != std::string::npos, has_missing)
        << missing << " " << first << " " << slots;
  }
}

TEST(CheckCode, AcceptsTheSampleAndSetsWhatItProves) {
  const Code code = checked(kSampleText);
  ASSERT_EQ(code.functions.size(), 7u);
  const Function& collatz = code.functions[0];
  EXPECT_EQ(collatz.max_stack, 2);
  EXPECT_EQ(collatz.cycle, 0);
  EXPECT_EQ(collatz.stack_bytes, 8u * (3 + 2));
  for (size_t f : {1, 2}) {
    EXPECT_EQ(code.functions[f].max_stack, 2);
    EXPECT_EQ(code.functions[f].cycle, 1);
    EXPECT_EQ(code.functions[f].stack_bytes, 64u * 8 * (1 + 2));
  }
  EXPECT_EQ(code.functions[3].max_stack, 3);
  EXPECT_EQ(code.functions[4].stack_bytes, 8u + 64 * 24);
}

TEST(CheckCode, AFunctionIsNotEmpty) {
  EXPECT_EQ(refusal("fn f() -> ()\n slots\n").reason, "a function needs a RETURN");
}

TEST(CheckCode, CodeGoesOnBehindReturnAndBreak) {
  (void)checked(
      around("LOOP ->e\nTICK\nLOAD_CONST i64 #0\nLOAD_CONST bool #0\nJUMP_IF_FALSE 1 ->x\nBREAK 0\n"
             "LOAD_CONST i64 #0\nJUMP 1 ->m\nx:\nRETURN\nLOAD_CONST i64 #1\nm:\n"
             "BINARY_ADD i64\nSTORE_VAR i64 0\ne:\nEND ->0\nRETURN"));
}

TEST(CheckCode, ACallIsATickForAllLoopsAroundIt) {
  (void)checked(
      around("LOOP ->5\nCALL 1\nLOOP ->4\nTICK\nEND ->2\nEND ->0\nRETURN\n"
             "fn g() -> ()\nslots\nRETURN"));
  (void)checked(around("LOOP ->2\nBREAK 0\nEND ->0\nLOOP ->5\nRETURN\nEND ->3\nRETURN"));
  (void)checked(around("LOOP ->3\nTICK\nCONTINUE 0\nEND ->0\nRETURN"));
}

TEST(CheckCode, MergesMayCoincide) {
  (void)checked(
      around("LOAD_CONST bool #0\nJUMP_IF_FALSE_OR_POP ->m\nLOAD_CONST bool #1\n"
             "JUMP_IF_TRUE_OR_POP ->m\nLOAD_CONST bool #0\nm:\nASSERT\nRETURN"));
  (void)checked(
      around("LOAD_CONST bool #0\nJUMP_IF_FALSE 1 ->a\nLOAD_CONST i64 #0\nJUMP 1 ->m\na:\n"
             "LOAD_CONST bool #0\nJUMP_IF_FALSE 1 ->b\nLOAD_CONST i64 #1\nJUMP 1 ->m\nb:\n"
             "LOAD_CONST i64 #2\nm:\nPROJECT 0 1 0\nRETURN"));
}

TEST(CheckCode, EveryFieldThatIsNotInUseIsZero) {
  const Code good = checked(kSampleText);
  u32 refused = 0;
  for (size_t at = 0; at < good.instructions.size(); ++at) {
    const OpForm form = op_row(good.instructions[at].op).form;
    const bool uses_nothing = form == OpForm::Plain || form == OpForm::Return ||
                              form == OpForm::Assert || form == OpForm::BreakIf ||
                              form == OpForm::Binary || form == OpForm::Compare;
    if (!uses_nothing) continue;
    for (Instruction change : {Instruction{Op{}, Scalar::None, 1, 0}, {Op{}, Scalar::None, 0, 1}}) {
      Code code = good;
      code.instructions[at].a = change.a;
      code.instructions[at].b = change.b;
      EXPECT_TRUE(check_code(code.view(), code.functions)) << at;
      ++refused;
    }
  }
  EXPECT_GT(refused, 30u);
}

TEST(CheckCode, RecursionNeedsOneBound) {
  const std::string_view pair =
      "fn f() -> ()%\n slots\n CALL 1\n RETURN\nfn g() -> ()$\n slots\n CALL 0\n RETURN\n";
  const auto with = [&](std::string_view f, std::string_view g) {
    std::string text(pair);
    text.replace(text.find('%'), 1, f);
    text.replace(text.find('$'), 1, g);
    return refusal(text).reason;
  };
  EXPECT_EQ(with(" rec=7", " rec=7"), "");
  EXPECT_EQ(with(" rec=7", ""), "`g` calls itself in a cycle and has no rec");
  EXPECT_EQ(with(" rec=7", " rec=8"), "`g` has rec 8, but `f` of the same cycle has rec 7");
  EXPECT_EQ(with(" rec=4097", " rec=4097"), "`f` has rec 4097, more than 4096");
}

TEST(CheckCode, CyclesAreNumberedByTheirFirstFunctions) {
  const Code code = checked(
      "fn a() -> ()\n slots\n CALL 3\n RETURN\n"
      "fn b() -> () rec=2\n slots\n CALL 2\n RETURN\n"
      "fn c() -> () rec=2\n slots\n CALL 1\n CALL 3\n RETURN\n"
      "fn d() -> () rec=3\n slots i64\n CALL 3\n CALL 4\n RETURN\n"
      "fn e() -> ()\n slots i64 i64\n RETURN\n");
  const u16 cycles[] = {0, 1, 1, 2, 0};
  const u32 bytes[] = {40, 40, 40, 40, 16};
  for (size_t f = 0; f < 5; ++f) {
    EXPECT_EQ(code.functions[f].cycle, cycles[f]) << f;
    EXPECT_EQ(code.functions[f].stack_bytes, bytes[f]) << f;
  }
}

TEST(CheckCode, TheStackLimitNamesTheChain) {
  std::string text = "fn small() -> ()\n slots i64\n CALL 1\n RETURN\n";
  text += "fn deep() -> () rec=4096\n slots i64 i64\n CALL 1\n CALL 2\n RETURN\n";
  text += "fn leaf() -> ()\n slots i64\n RETURN\n";
  Code code = assembled(text);
  EXPECT_EQ(
      check_code(code.view(), code.functions).reason,
      "`deep` needs 65,544 bytes of stack, more than the limit of 65,536: `deep` 4096 * 16 -> "
      "`leaf` 8");
  EXPECT_FALSE(check_code(code.view(), code.functions, 65552));
  EXPECT_EQ(code.functions[0].stack_bytes, 65552u);
  EXPECT_EQ(check_code(code.view(), code.functions, 65551).function, 0u);
}

TEST(CheckCode, ManyFunctionsInALongChain) {
  std::string text;
  for (u32 f = 0; f < 5000; ++f)
    text += "fn f() -> ()\n slots i64\n CALL " + std::to_string(f + 1) + "\n RETURN\n";
  text += "fn f() -> ()\n slots i64\n RETURN\n";
  const Code code = checked(text);
  EXPECT_EQ(code.functions[0].stack_bytes, 5001u * 8);
}

TEST(CheckCode, DeepNestingNeedsNoRecursion) {
  constexpr u32 kDepth = 50'000;
  std::string arms, lazy;
  for (u32 d = 0; d < kDepth; ++d) {
    arms += "LOAD_CONST bool #0\nJUMP_IF_FALSE 1 ->e" + std::to_string(d) +
            "\nLOAD_CONST i64 #1\nJUMP 1 ->m\ne" + std::to_string(d) + ":\n";
    lazy += "LOAD_CONST bool #0\nJUMP_IF_FALSE_OR_POP ->m\n";
  }
  (void)checked(around(arms + "LOAD_CONST i64 #0\nm:\nPROJECT 0 1 0\nRETURN"));
  (void)checked(around(lazy + "LOAD_CONST bool #0\nm:\nASSERT\nRETURN"));
  std::string loops, ends;
  for (u32 d = 0; d < kDepth; ++d) {
    loops += "LOOP ->" + std::to_string(2 * kDepth - d) + "\n";
    ends += "END ->" + std::to_string(kDepth - 1 - d) + "\n";
  }
  EXPECT_NE(refusal(around(loops + "TICK\n" + ends + "RETURN")).reason, "")
      << "outer loops do not tick";
}

TEST(CheckCode, TestsHaveNoResultsAndAreNotCalled) {
  EXPECT_NE(refusal("constant 0\ntest t() -> i64\n slots\n LOAD_CONST i64 #0\n RETURN").reason, "");
  EXPECT_NE(refusal("test t(a: i64) -> ()\n slots i64\n RETURN").reason, "");
  EXPECT_EQ(refusal("test t() -> ()\n slots\n RETURN").reason, "");
  EXPECT_NE(
      refusal("test t() -> ()\n slots\n RETURN\nfn f() -> ()\n slots\n CALL 0\n RETURN").reason,
      "");
  EXPECT_NE(refusal("fn f() -> ()\n slots\n RETURN\ntraps t() -> ()\n slots\n RETURN").reason, "");
}

template <class Change>
void expect_refused(Change change, std::string_view why) {
  Code code = checked(kSampleText);
  change(code);
  const CodeError error = check_code(code.view(), code.functions);
  EXPECT_NE(error.reason.find(why), std::string::npos) << error.reason << ", not " << why;
}

TEST(CheckCode, HeadersStayInsideTheColumns) {
  constexpr u32 kFar = 0xFFFF'FFFF;
  expect_refused([](Code& c) { c.places.pop_back(); }, "places for");
  expect_refused([](Code& c) { c.functions[0].name_end = kFar; }, "name lies outside");
  expect_refused([](Code& c) { c.functions[1].name_begin = c.functions[1].name_end + 1; },
                 "name lies outside");
  expect_refused([](Code& c) { c.functions[1].code_begin = 0; }, "its code starts at 0");
  expect_refused([](Code& c) { c.functions[0].code_end = kFar; }, "outside the instructions");
  expect_refused([](Code& c) { c.functions[6].code_end -= 1; }, "belong to no function");
  expect_refused([](Code& c) { c.functions[3].types_begin = kFar; }, "outside the type codes");
  expect_refused([](Code& c) { c.functions[3].slots_begin = kFar; }, "slots lie outside");
  expect_refused([](Code& c) { c.functions[3].slots = 0xFFFF; }, "slots alone");
  expect_refused([](Code& c) { c.functions[3].parameters_begin = kFar; }, "parameter names");
  expect_refused([](Code& c) { c.parameter_names[0].end = kFar; }, "a parameter's name");
  expect_refused([](Code& c) { c.functions[3].parameter_slots = 8; }, "more parameters than slots");
  expect_refused([](Code& c) { c.functions[3].parameter_slots = 3; }, "do not take 3 slots");
  expect_refused([](Code& c) { c.functions[3].result_cells = 1; }, "does not take 1 cell");
  expect_refused([](Code& c) { c.functions[3].slots_begin = 0; }, "parameters' types");
  expect_refused([](Code& c) { c.functions[3].kind = FunctionKind{7}; }, "unknown kind");
  expect_refused([](Code& c) { c.functions[3].kind = FunctionKind::Open; }, "is not linked");
  expect_refused([](Code& c) { c.functions[3].owner = 1; }, "only an entry of `traps`");
  expect_refused([](Code& c) { c.functions[5].owner = 0; }, "is a test");
  expect_refused([](Code& c) { c.functions[5].expected_trap = Trap{11}; }, "unknown trap");
  expect_refused([](Code& c) { c.functions[2].reserved[1] = 1; }, "reserved bytes");
  expect_refused([](Code& c) { c.slot_types[0] = 9; }, "no type of a cell");
  expect_refused([](Code& c) { c.types[1] = 200; }, "no tuple of types");
}

TEST(CheckCode, RefusalLeavesTheFunctionsAsTheyWere) {
  Code code = assembled(kSampleText);
  code.instructions.back().a = 1;
  EXPECT_TRUE(check_code(code.view(), code.functions));
  for (const Function& f : code.functions) EXPECT_EQ(f.stack_bytes, 0u);
}

TEST(CheckCode, TheWorkspaceForgetsRefusedCode) {
  CodeChecker checker;
  Code good = assembled(kSampleText);
  Code bad = good;
  bad.instructions[20].b = 7;
  for (int round = 0; round < 3; ++round) {
    EXPECT_TRUE(checker.check(bad.view(), bad.functions));
    EXPECT_FALSE(checker.check(good.view(), good.functions));
  }
}

TEST(CheckCode, CellsOfCompoundTypesAreThoseOfTheirLayout) {
  constexpr std::string_view kHead =
      "fn f(o: Option[i64], b: List[f32, 2]) -> List[f32, 2]\n slots ";
  constexpr std::string_view kBody = "\nLOAD_VAR i64 2\nLOAD_VAR f32 3\nLOAD_VAR f32 4\nRETURN";
  const auto reason = [&](std::string_view slots, std::string_view body) {
    return refusal(std::string(kHead) + std::string(slots) + std::string(body)).reason;
  };
  EXPECT_EQ(reason("u8 i64 i64 f32 f32", kBody), "");
  EXPECT_EQ(reason("u8 i64 f32 f32 i64", kBody),
            "its first slots do not have its parameters' types");
  EXPECT_EQ(reason("u8 i64 i64 f32", kBody), "it has more parameters than slots");
  EXPECT_EQ(
      reason("u8 i64 i64 f32 f32", "\nLOAD_VAR i64 2\nLOAD_VAR f32 3\nLOAD_VAR i64 2\nRETURN"),
      "RETURN takes f32, but finds i64");
  EXPECT_EQ(reason("u8 i64 i64 f32 f32", "\nLOAD_VAR i64 2\nLOAD_VAR f32 3\nRETURN"),
            "the last RETURN returns 3 cells, but finds 2");
  EXPECT_EQ(refusal("fn f(xs: [i64]) -> ()\n slots i64 i64\nRETURN").reason,
            "its first slots do not have its parameters' types")
      << "a reference is no i64";
}

}  // namespace
}  // namespace komuz
