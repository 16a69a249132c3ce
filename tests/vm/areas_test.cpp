// SPDX-License-Identifier: Apache-2.0
// Areas of slots on every machine: expected values for the reference, then all machines against it. Offsets are
// shared by the active lanes or differ, in range and out of it, for all types, with lanes that are split and that
// change places.
#include "base/random.h"
#include "tests/vm/agreement.h"
#include "tests/vm/all_operations.h"
#include "tests/vm/edge_values.h"

namespace komuz::test {
namespace {

constexpr Scalar I = Scalar::I64;
constexpr u32 kCounts[] = {1, 7, 64, 200, 333};
constexpr u32 kSlots = 5;

// Offsets from below 0 to behind the area; all lanes of a stretch have one.
std::vector<u64> offsets(u32 count, u32 stretch, i64 lowest = -1, i64 highest = kSlots) {
  Random random(stretch);
  std::vector<u64> cells(count);
  i64 offset = 0;
  for (u32 c = 0; c < count; ++c) {
    if (c % stretch == 0) offset = lowest + random.below(static_cast<u32>(highest - lowest + 1));
    cells[c] = cell(offset);
  }
  if (stretch == 1 && count > 9 && lowest < 0) {
    cells[3] = u64{1} << 32;  // 0 if only the low half is looked at
    cells[9] = u64{1} << 63;
  }
  return cells;
}

// Parameters: an offset, then an area.
std::vector<Scalar> with_area(Scalar type) {
  std::vector<Scalar> types(kSlots + 1, type);
  types[0] = I;
  return types;
}
std::vector<std::vector<u64>> rows_with_area(Scalar type, u32 count, u32 stretch) {
  std::vector<std::vector<u64>> rows = {offsets(count, stretch)};
  for (u32 k = 0; k < kSlots; ++k) rows.push_back(edge_column(type, count, 11 * k + 3));
  return rows;
}

TEST(Areas, LoadTakesTheCellAtTheOffset) {
  CodeBuilder b;
  b.function("element", with_area(I), {I});
  b.load(0).load_at(1, kSlots).end_function();
  CaseRun run(b.code, {{0, 2, 4, 5, cell(-1)},
                       {10, 10, 10, 10, 10},
                       {11, 11, 11, 11, 11},
                       {12, 12, 12, 12, 12},
                       {13, 13, 13, 13, 13},
                       {14, 14, 14, 14, 14}});
  run.reference();
  EXPECT_EQ(run.values, (std::vector<u64>{10, 12, 14, 0, 0}));
  for (u32 row : {0, 1, 2}) EXPECT_EQ(run.traps[row], Trap::None);
  for (u32 row : {3, 4}) {
    EXPECT_EQ(run.traps[row], Trap::Index);
    EXPECT_EQ(run.places[row], 1u);
    EXPECT_EQ(run.depths[row], 1u);
    EXPECT_EQ(run.fuel[row], 1u);
  }
}

TEST(Areas, StoreChangesTheCellsAtTheOffset) {
  CodeBuilder b;
  b.function("stored", {I}, {I, I, I});
  const u16 area = b.variables(I, 3);
  b.i64_constant(1).i64_constant(2).i64_constant(3).store_slots(area, 3);
  b.i64_constant(8).i64_constant(9).load(0).store_at(area, 3, 2);
  b.load_slots(area, 3).end_function();
  CaseRun run(b.code, {{0, 1, 2, cell(-1)}});
  run.reference();
  EXPECT_EQ(run.values, (std::vector<u64>{8, 1, 0, 0, 9, 8, 0, 0, 3, 9, 0, 0}));
  EXPECT_EQ(run.traps, (std::vector<Trap>{Trap::None, Trap::None, Trap::Index, Trap::Index}));
}

TEST(Areas, SlotsChangePlaces) {
  CodeBuilder b;
  b.function("swapped", {I, I, I}, {I, I, I});
  b.load(2).load_slots(0, 2).store_slots(0, 3);
  b.load_slots(0, 3).end_function();
  CaseRun run(b.code, {{1}, {2}, {3}});
  run.reference();
  EXPECT_EQ(run.values, (std::vector<u64>{3, 1, 2}));
  EXPECT_TRUE(Agreement().expect(b.code, {{1, 4}, {2, 5}, {3, 6}}));
}

TEST(Areas, RequireAndCheckIndexTrap) {
  for (Trap trap : {Trap::Index, Trap::Capacity, Trap::Range}) {
    CodeBuilder b;
    b.function("required", {I, I}, {I});
    b.load(0).i64_constant(2).op(Op::Ne).require(trap);
    b.load(0).load(1).op(Op::CheckIndex).end_function();
    const std::vector<std::vector<u64>> rows = {{0, 1, 2, 3, cell(-1)}, {5, 1, 9, 4, 7}};
    CaseRun run(b.code, rows);
    run.reference();
    EXPECT_EQ(run.traps,
              (std::vector<Trap>{Trap::None, Trap::Index, trap, Trap::None, Trap::Index}));
    EXPECT_EQ(run.places, (std::vector<u32>{0, 6, 3, 0, 6}));
    EXPECT_EQ(run.values, (std::vector<u64>{0, 0, 0, 3, 0}));
    EXPECT_TRUE(Agreement().expect(b.code, rows));
  }
}

// Every number of cells, of an area in variables and of one in arguments, at offsets that are shared and not.
TEST(Areas, LoadsOfEveryType) {
  Agreement agreement;
  for (Scalar type : kScalars)
    for (u32 cells : {1, 2, 5})
      for (u32 stretch : {1, 8, 64, 1000}) {
        CodeBuilder b;
        b.function("elements", with_area(type), std::vector<Scalar>(2 * cells, type));
        const u16 area = b.variables(type, kSlots);
        b.load_slots(1, kSlots).store_slots(area, kSlots);
        b.load(0).load_at(area, kSlots, cells);
        b.load(0).load_at(1, kSlots, cells).end_function();
        ASSERT_TRUE(agreement.expect(b.code, rows_with_area(type, 333, stretch)))
            << scalar_name(type) << " " << cells << " " << stretch;
      }
}

TEST(Areas, StoresOfEveryType) {
  Agreement agreement;
  for (Scalar type : kScalars)
    for (u32 cells : {1, 2, 5})
      for (u32 stretch : {1, 8, 64, 1000}) {
        CodeBuilder b;
        b.function("stored", with_area(type), std::vector<Scalar>(kSlots, type));
        for (u32 k = 0; k < cells; ++k) b.load(u16(kSlots - k));  // of the area itself
        b.load(0).store_at(1, kSlots, cells);
        b.constant(type, 1).load(0).store_at(1, kSlots);
        b.load_slots(1, kSlots).end_function();
        ASSERT_TRUE(agreement.expect(b.code, rows_with_area(type, 333, stretch)))
            << scalar_name(type) << " " << cells << " " << stretch;
      }
}

// Lanes that are not active keep what they have, whatever their offsets are.
TEST(Areas, OnlyActiveLanesAccess) {
  Agreement agreement;
  for (Scalar type : {Scalar::U8, Scalar::F32, Scalar::F64})
    for (u32 stretch : {1, 1000})
      for (u32 count : kCounts) {
        CodeBuilder b;
        b.function("parted", with_area(type), std::vector<Scalar>(kSlots + 1, type));
        const u16 kept = b.variable(type);
        b.constant(type, 0).store(kept);
        b.load(1).load(2).op(Op::Lt, type).if_();
        b.load(3).load(0).store_at(1, kSlots);
        b.load(0).load_at(1, kSlots).store(kept).else_();
        b.load(0).i64_constant(kSlots).op(Op::ModFloor).load_at(1, kSlots);
        b.load(0).i64_constant(kSlots).op(Op::ModFloor).store_at(2, kSlots - 1).end_if();
        b.load(kept).load_slots(1, kSlots).end_function();
        ASSERT_TRUE(agreement.expect(b.code, rows_with_area(type, count, stretch)))
            << scalar_name(type) << " " << count;
      }
}

// What stands for a slot of the area on the operand stack has the old value.
TEST(Areas, OperandsKeepTheirValues) {
  CodeBuilder b;
  b.function("kept", with_area(I), {I, I, I, I});
  const u16 area = b.variables(I, 3);
  b.load_slots(1, 3).store_slots(area, 3);
  b.load(area).load(u16(area + 1)).load(1);
  b.i64_constant(77).load(0).store_at(area, 3);
  b.i64_constant(78).load(0).store_at(1, 3);
  b.load(0).load_at(area, 3).end_function();
  CaseRun run(b.code, {{0}, {10}, {11}, {12}, {13}, {14}});
  run.reference();
  EXPECT_EQ(run.values, (std::vector<u64>{10, 11, 10, 77}));
  EXPECT_TRUE(Agreement().expect(b.code, rows_with_area(I, 333, 1)));
}

// Slots of an area that is only used behind an arm by its other slots, or by way of an area that overlaps it.
TEST(Areas, ASlotIsNeededWhereItsAreaIs) {
  CodeBuilder b;
  b.function("overlap", with_area(I), {I});
  const u16 area = b.variables(I, 4);
  b.load_slots(1, 4).store_slots(area, 4);
  b.load(0).i64_constant(2).op(Op::Lt).if_();
  b.i64_constant(5).store(u16(area + 2));
  b.load(1).load(0).store_at(area, 3).end_if();
  b.load(0).i64_constant(3).op(Op::ModFloor).load_at(u16(area + 1), 3).end_function();
  EXPECT_TRUE(Agreement().expect(b.code, rows_with_area(I, 333, 1)));
}

// Loops that lanes leave at different times, so that lanes change places, with areas in the function and in its callee.
TEST(Areas, GoWithTheirLanes) {
  CodeBuilder b;
  b.function("histogram", {I, I}, {I, I, I, I});
  const u16 area = b.variables(I, 4);
  for (u32 k = 0; k < 4; ++k) b.i64_constant(k);
  b.store_slots(area, 4);
  b.loop().load(0).i64_constant(0).op(Op::Gt).break_if_false().tick();
  b.load(0).load(1).op(Op::AddWrap).i64_constant(4).op(Op::ModFloor).store(1);
  b.load(1).load_at(area, 4).i64_constant(1).op(Op::Add).load(1).store_at(area, 4);
  b.load(0).i64_constant(1).op(Op::Sub).store(0);
  b.end_loop().load_slots(area, 4).end_function();

  b.function("caller", {I, I}, {I, I, I, I, I});
  const u16 own = b.variables(I, 3);
  b.load(0).load(1).load(0).store_slots(own, 3);
  b.load_slots(0, 2).call(0);
  b.load(1).i64_constant(3).op(Op::ModFloor).load_at(own, 3).end_function();
  Agreement agreement;
  Random random(9);
  for (u32 count : kCounts) {
    std::vector<std::vector<u64>> rows(2, std::vector<u64>(count));
    for (u64& cell : rows[0]) cell = random.below(random.below(4) == 0 ? 400 : 20);
    for (u64& cell : rows[1]) cell = random.below(9);
    ASSERT_TRUE(agreement.expect(b.code, rows, 0));
    ASSERT_TRUE(agreement.expect(b.code, rows, 1));
  }
}

// As many slots as a frame can have, and as many values of them on the stack, which single stores and stores to the
// area change; so large that the time of a lowering that looks at all of them each time would show.
TEST(Areas, FramesOfThousandsOfSlots) {
  constexpr u32 kMany = 4000;
  for (Scalar type : {Scalar::U8, Scalar::F64}) {
    CodeBuilder b;
    b.function("large", {I, type}, {type, type, type});
    const u16 area = b.variables(type, kMany);
    for (u32 k = 0; k < kMany; ++k) b.load(1);
    b.store_slots(area, kMany);
    b.load(1).load(0).store_at(area, kMany);
    b.load_slots(area, kMany);
    for (u32 k = 0; k < kMany; k += 2) b.constant(type, edges(type)[k % 7]).store(u16(area + k));
    b.constant(type, edges(type)[3]).load(0).store_at(area, kMany);
    b.store_slots(area, kMany);
    for (i64 step : {0, 1, 1999}) b.load(0).i64_constant(step).op(Op::AddWrap).load_at(area, kMany);
    b.end_function();
    Random random(5);
    std::vector<u64> where(100);
    for (u64& cell : where) cell = random.below(kMany + 3);
    EXPECT_TRUE(Agreement().expect(b.code, {where, edge_column(type, 100, 1)}))
        << scalar_name(type);
  }
}

// A loop counts through an area; each lane up to its own bound, and some beyond the area.
TEST(Areas, SumsOfLists) {
  Agreement agreement;
  for (Scalar type : {Scalar::I64, Scalar::F64, Scalar::F32, Scalar::U8}) {
    constexpr u32 kLength = 64;
    CodeBuilder b;
    std::vector<Scalar> parameters(kLength + 1, type);
    parameters[0] = I;
    b.function("sum", parameters, {type});
    const u16 next = b.variables(I, 3), sum = b.variable(type);
    b.constant(type, 0).store(sum).i64_constant(0).store(next).load(0).store(u16(next + 1));
    b.loop().for_next(next).tick();
    b.load(sum).load(u16(next + 2)).load_at(1, kLength);
    b.op(is_float(type) ? Op::Add : Op::AddWrap, type).store(sum).end_loop();
    b.load(sum).end_function();
    for (u32 stretch : {1, 1000}) {
      std::vector<std::vector<u64>> rows = {offsets(200, stretch, kLength - 5, kLength + 1)};
      for (u32 k = 0; k < kLength; ++k) rows.push_back(edge_column(type, 200, k));
      ASSERT_TRUE(agreement.expect(b.code, rows)) << scalar_name(type);
    }
  }
}

}  // namespace
}  // namespace komuz::test
