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

// The host walks over code of one type by a rule of its own (check_one_type.h), a device by that for any code.
TEST(BoundedCheck, CodeOfOneTypeIsJudgedAsAnyIs) {
  const std::string constants = "constant 0x0\nconstant 0x1\nconstant 0x2\n";
  std::string deep;
  for (u32 k = 0; k < 40; ++k) deep += "LOAD_CONST i64 #1\n";
  std::string mixed;
  for (u32 k = 0; k < 40; ++k)
    mixed += "LOAD_CONST i64 #1\nLOAD_CONST i64 #1\nSHIFT_LEFT i64 i64\n";
  std::string additions;
  for (u32 k = 0; k < 39; ++k) additions += "BINARY_ADD i64\n";
  const std::string bodies[] = {
      // Down to the floor, below it, and up again.
      deep + additions + "RETURN", deep + additions + "BINARY_ADD i64\nRETURN",
      deep + additions + deep + additions + "BINARY_MUL i64\nRETURN", mixed + additions + "RETURN",
      mixed + additions + "BINARY_ADD i64\nRETURN",
      "LOAD_CONST f64 #0\n" + deep + additions + "BINARY_ADD i64\nRETURN",
      "LOAD_CONST f64 #0\n" + deep + additions + "STORE_VAR i64 1\nCONVERT i64 f64\nRETURN",
      // Slots and constants at their ends, fields without meaning, narrow types.
      "LOAD_VAR i64 0\nRETURN", "LOAD_VAR i64 1\nRETURN", "LOAD_VAR i64 2\nRETURN",
      "LOAD_CONST i64 #2\nSTORE_VAR i64 1\nLOAD_VAR i64 1\nRETURN",
      "LOAD_CONST i64 #2\nSTORE_VAR i64 2\nLOAD_VAR i64 0\nRETURN", "LOAD_CONST i64 #3\nRETURN",
      "LOAD_CONST bool #1\nLOAD_CONST i64 #0\nRETURN",
      "LOAD_CONST i64 #0\nLOAD_CONST bool #2\nRETURN"};
  u32 sound = 0;
  for (const bool has_constants : {true, false})
    for (const std::string& body : bodies) {
      const std::string text =
          (has_constants ? constants : "") + "fn f(n: i64) -> i64\n slots i64 i64\n" + body;
      Code code;
      if (assemble(text, code)) continue;  // the assembler refuses some of them by itself
      for (const u32 stack_limit : {kDefaultStackLimit, 8u * 41, 8u * 42, 8u * 43}) {
        std::vector<Function> host = code.functions, device = code.functions;
        const bool is_sound = !check_code(code.view(), host, stack_limit);
        BoundedChecker bounded(kAmpleRoom);
        ASSERT_EQ(bounded.check(code.view(), device, stack_limit) == Checked::Sound, is_sound)
            << text;
        if (is_sound) {
          EXPECT_TRUE(have_same_frames(host, device)) << text;
        }
        sound += is_sound;
      }
    }
  EXPECT_GT(sound, 10u);
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
