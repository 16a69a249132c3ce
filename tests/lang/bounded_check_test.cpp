// SPDX-License-Identifier: Apache-2.0
// The checker in the memory of a device's thread gives the host's answer, or reports that it has no room.
#include "tests/lang/bounded_checker.h"

#include "tests/lang/assembled.h"

namespace komuz {
namespace {

constexpr u32 kLists = 6;

// Ample, but for one list.
CheckRoom all_but(u32 list, u32 size) {
  CheckRoom room = kAmpleRoom;
  u32* const sizes[kLists] = {&room.function.cells,   &room.function.slots,
                              &room.function.regions, &room.function.arm_types,
                              &room.functions,        &room.calls};
  *sizes[list] = size;
  return room;
}

// Each list in turn becomes longer until there is room.
void expect_same(std::string_view text) {
  const Code code = checked(text);
  for (u32 list = 0; list < kLists; ++list) {
    Checked outcome = Checked::NoRoom;
    for (u32 size = 0; outcome != Checked::Sound; ++size) {
      ASSERT_LT(size, 100u) << "list " << list;
      BoundedChecker bounded(all_but(list, size));
      std::vector<Function> functions = unchecked(code.functions);
      outcome = bounded.check(code.view(), functions);
      EXPECT_TRUE(bounded.is_inside()) << "list " << list << " of " << size;
      if (outcome == Checked::Sound) {
        EXPECT_GT(size, 0u) << "list " << list << " is of no use";
        EXPECT_TRUE(have_same_frames(functions, code.functions));
      } else {
        EXPECT_EQ(outcome, Checked::NoRoom) << "list " << list << " of " << size;
        EXPECT_TRUE(have_same_frames(functions, unchecked(code.functions)));
      }
    }
  }
}

// Programs that use all lists.
TEST(BoundedCheck, SaysWhatTheHostSaysOrThatItHasNoRoom) { expect_same(kSampleText); }

TEST(BoundedCheck, AreasNeedRoomForTheirSlots) {
  const Code code = checked(kAreasText);
  for (u32 slots = 0; slots < 10; ++slots) {
    BoundedChecker bounded(all_but(1, slots));
    std::vector<Function> functions = unchecked(code.functions);
    EXPECT_EQ(bounded.check(code.view(), functions) == Checked::Sound, slots >= 7) << slots;
    EXPECT_TRUE(bounded.is_inside()) << slots;
  }
}

TEST(BoundedCheck, RefusesWhatTheHostRefuses) {
  BoundedChecker bounded(kAmpleRoom);
  for (const char* text :
       {"fn f() -> i64\n slots\nRETURN", "fn f() -> i64\n slots i64\nLOAD_VAR i64 0\nRETURN",
        "fn f() -> () rec=2\n slots\nCALL 1\nRETURN\nfn g() -> ()\n slots\n"
        "CALL 0\nRETURN"}) {
    Code code = assembled(text);
    EXPECT_NE(refusal(text).reason, "") << text;
    EXPECT_EQ(bounded.check(code.view(), code.functions), Checked::Unsound) << text;
  }
}

TEST(BoundedCheck, AStackThatIsTooLargeIsUnsoundAndNoLackOfRoom) {
  const Code code = checked(kCellsText);
  std::vector<Function> functions = code.functions;
  BoundedChecker ample(kAmpleRoom), tight(all_but(0, 3));
  EXPECT_EQ(ample.check(code.view(), functions, 48), Checked::Unsound);
  EXPECT_EQ(tight.check(code.view(), functions, 48), Checked::NoRoom);
  EXPECT_EQ(tight.check(code.view(), functions, 24), Checked::Unsound);
}

}  // namespace
}  // namespace komuz
