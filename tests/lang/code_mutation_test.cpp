// SPDX-License-Identifier: Apache-2.0
// Changes valid code at random. The checker must stay inside its inputs, and code that it accepts must run. The
// reference interpreter executes without checks, so under the sanitizers any hole in the checker shows here.
#include <algorithm>
#include <chrono>

#include "base/random.h"
#include "tests/lang/assembled.h"
#include "tests/lang/bounded_checker.h"
#include "vm/vm.h"

namespace komuz {
namespace {

constexpr u32 kCases = 4;
constexpr u64 kFuel = 60;
constexpr auto kTimeAllowed = std::chrono::milliseconds(1500);

// Mostly a near value, seldom any.
template <class Int>
void nudge(Random& random, Int& value) {
  if (random.one_in(16))
    value = static_cast<Int>(random.next());
  else
    value = static_cast<Int>(value + random.below(7) - 3);
}

void mutate_instruction(Random& random, Code& code) {
  Instruction& i = code.instructions[random.below(code.instructions.size())];
  const Instruction& other = code.instructions[random.below(code.instructions.size())];
  switch (random.below(8)) {
    case 0: i.op = static_cast<Op>(random.below(kOpCount + 2)); break;
    case 1: i.type = static_cast<Scalar>(random.below(kScalarCount + 1)); break;
    case 2: nudge(random, i.a); break;
    case 3: nudge(random, i.b); break;
    case 4: i = other; break;
    case 5: i.a = other.a; break;
    case 6: i = {Op::Return, Scalar::None, 0, 0}; break;
    case 7: i.op = other.op; break;
  }
}

// Takes an instruction out or puts one in; targets behind it may then be off by one, or be mended.
void shift_instructions(Random& random, Code& code) {
  const u32 at = random.below(code.instructions.size());
  const bool insert = random.one_in(2);
  const size_t function = code.view().function_at(at);
  if (function == code.functions.size()) return;  // an earlier change has broken the headers
  const u32 local = at - code.functions[function].code_begin;
  const size_t end = std::min<size_t>(code.functions[function].code_end, code.instructions.size());
  if (random.one_in(2))
    for (u32 k = code.functions[function].code_begin; k < end; ++k) {
      const OpForm form = op_row(code.instructions[k].op).form;
      const bool jumps = form == OpForm::Branch || form == OpForm::Jump || form == OpForm::Loop ||
                         form == OpForm::End || form == OpForm::ShortCircuit;
      if (jumps && code.instructions[k].b > local) code.instructions[k].b += insert ? 1 : ~0u;
    }
  const auto place = code.instructions.begin() + at;
  if (insert) {
    const Instruction copy = code.instructions[random.below(code.instructions.size())];
    code.instructions.insert(place, copy);
    code.places.push_back(0);
  } else {
    code.instructions.erase(place);
    code.places.pop_back();
  }
  for (size_t f = function; f < code.functions.size(); ++f) {
    code.functions[f].code_end += insert ? 1 : ~0u;
    if (f > function) code.functions[f].code_begin += insert ? 1 : ~0u;
  }
}

void mutate_header(Random& random, Code& code) {
  Function& f = code.functions[random.below(code.functions.size())];
  switch (random.below(15)) {
    case 0: nudge(random, f.name_begin); break;
    case 1: nudge(random, f.name_end); break;
    case 2: nudge(random, f.code_begin); break;
    case 3: nudge(random, f.code_end); break;
    case 4: nudge(random, f.types_begin); break;
    case 5: nudge(random, f.slots_begin); break;
    case 6: nudge(random, f.parameters_begin); break;
    case 7: nudge(random, f.parameter_slots); break;
    case 8: nudge(random, f.result_cells); break;
    case 9: nudge(random, f.slots); break;
    case 10: nudge(random, f.rec); break;
    case 11: nudge(random, f.owner); break;
    case 12: f.kind = static_cast<FunctionKind>(random.below(8)); break;
    case 13: f.expected_trap = static_cast<Trap>(random.below(kTrapCount + 1)); break;
    case 14: f.max_stack = static_cast<u16>(random.next()); break;
  }
}

void mutate(Random& random, Code& code) {
  switch (random.below(10)) {
    case 0: return mutate_header(random, code);
    case 1: return nudge(random, code.types[random.below(code.types.size())]);
    case 2: return nudge(random, code.slot_types[random.below(code.slot_types.size())]);
    case 3: return nudge(random, code.constants[random.below(code.constants.size())]);
    case 4:
      return nudge(random, code.parameter_names[random.below(code.parameter_names.size())].end);
    case 5:
    case 6: return shift_instructions(random, code);
    default: return mutate_instruction(random, code);
  }
}

// Runs every function of checked code on a few cases; results must be canonical outcomes within the fuel.
void run_all(Random& random, const Code& code) {
  for (u32 f = 0; f < code.functions.size(); ++f) {
    const Function& function = code.functions[f];
    const auto is_of_reference = [](u8 type) { return is_reference(static_cast<Scalar>(type)); };
    if (std::any_of(code.slot_types.begin() + function.slots_begin,
                    code.slot_types.begin() + function.slots_begin + function.parameter_slots,
                    is_of_reference))
      continue;  // no entry
    std::vector<std::vector<u64>> cells(function.parameter_slots);
    std::vector<ArgumentColumn> columns;
    for (u32 p = 0; p < function.parameter_slots; ++p) {
      const Scalar type = static_cast<Scalar>(code.slot_types[function.slots_begin + p]);
      for (u32 c = 0; c < kCases; ++c)
        cells[p].push_back(type == Scalar::Bool ? random.next() & 0x0101'0101'0101'0101u
                                                : random.below(5));
      columns.push_back({type, cells[p].data()});
    }
    std::vector<u64> values(size_t{kCases} * function.result_cells), fuel(kCases);
    std::vector<Trap> traps(kCases);
    std::vector<u32> places(kCases), depths(kCases);
    vm::run_reference({code.view(), f, {columns, kCases}, kFuel},
                      {values, traps, places, depths, fuel});
    for (u32 c = 0; c < kCases; ++c) {
      EXPECT_LE(fuel[c], kFuel);
      EXPECT_LT(static_cast<u32>(traps[c]), kTrapCount);
      EXPECT_LT(places[c], code.instructions.size());
    }
  }
}

// visit(random, code) for code of one seed after the other, changed at random, as long as there is time.
template <class Visit>
void for_each_mutated(Visit visit) {
  const Code seed_codes[] = {checked(kSampleText), checked(kAreasText), checked(kCellsText)};
  const auto stop = std::chrono::steady_clock::now() + kTimeAllowed;
  for (u64 seed = 1; std::chrono::steady_clock::now() < stop && !testing::Test::HasFailure();
       ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    Code code = seed_codes[seed % std::size(seed_codes)];
    const u32 changes = 1 + random.below(4);
    for (u32 change = 0; change < changes; ++change) mutate(random, code);
    visit(random, code);
  }
}

TEST(CodeMutation, WhatTheCheckerAcceptsRuns) {
  CodeChecker checker;
  u64 accepted = 0, refused = 0;
  for_each_mutated([&](Random& random, Code& code) {
    const CodeError error = checker.check(code.view(), code.functions);
    if (error) {
      ++refused;
      EXPECT_LE(error.function, code.functions.size());
      EXPECT_LE(error.instruction, code.instructions.size());
      return;
    }
    ++accepted;
    run_all(random, code);
  });
  EXPECT_GT(accepted, 100u);
  EXPECT_GT(refused, 100u);
  RecordProperty("accepted", std::to_string(accepted));
  RecordProperty("refused", std::to_string(refused));
}

// With room for all, and in memory that is too small for some.
TEST(CodeMutation, ADeviceChecksAsTheHostDoes) {
  constexpr CheckRoom kTightRoom = {
      .function = {.cells = 5, .slots = 7, .regions = 3, .arm_types = 1},
      .functions = 7,
      .calls = 4};
  CodeChecker host;
  BoundedChecker ample(kAmpleRoom), tight(kTightRoom);
  u64 accepted = 0, without_room = 0;
  for_each_mutated([&](Random&, Code& code) {
    std::vector<Function> wanted = unchecked(code.functions), found = wanted, in_tight = wanted;
    const bool is_sound = !host.check(code.view(), wanted);
    EXPECT_EQ(ample.check(code.view(), found), is_sound ? Checked::Sound : Checked::Unsound);
    EXPECT_TRUE(have_same_frames(found, wanted));
    accepted += is_sound;
    const Checked outcome = tight.check(code.view(), in_tight);
    EXPECT_TRUE(tight.is_inside());
    without_room += outcome == Checked::NoRoom;
    if (outcome == Checked::NoRoom) return;
    EXPECT_EQ(outcome == Checked::Sound, is_sound);
    EXPECT_TRUE(have_same_frames(in_tight, wanted));
  });
  EXPECT_TRUE(ample.is_inside());
  EXPECT_GT(accepted, 100u);
  EXPECT_GT(without_room, 100u);
}

}  // namespace
}  // namespace komuz
