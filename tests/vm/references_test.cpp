// SPDX-License-Identifier: Apache-2.0
// References to areas of callers on every machine: expected values for the reference interpreter, then all machines
// against it.
#include "base/random.h"
#include "tests/vm/agreement.h"
#include "tests/vm/all_operations.h"
#include "tests/vm/edge_values.h"

namespace komuz::test {
namespace {

constexpr Scalar I = Scalar::I64;
constexpr u32 kSlots = 5;

// Function 0: the cells of a slice from an offset on, parameters (slice, offset).
void element_of_slice(CodeBuilder& b, Scalar type, u16 cells = 1) {
  b.function("element", {reference_to(type), I}, std::vector<Scalar>(cells, type));
  b.load(1).load(2).emit(Op::LoadRef, type, cells).end_function();
}

// Small numbers, now and then one that no area has.
std::vector<u64> numbers(u32 count, u64 seed) {
  Random random(seed);
  std::vector<u64> cells(count);
  for (u64& cell : cells) cell = random.one_in(16) ? u64{1} << random.below(64) : random.below(7);
  if (count > 5) cells[5] = ~u64{0};
  return cells;
}

TEST(References, CalleesReadTheCellsOfTheirCallers) {
  CodeBuilder b;
  element_of_slice(b, I);
  b.function("caller", {I, I, I}, {I});
  const u16 area = b.variables(I, 3);
  b.i64_constant(10).i64_constant(11).i64_constant(12).store_slots(area, 3);
  // (2, &area[lo .. hi]), offset
  b.i64_constant(2).i64_constant(3).refer(I, area, 3).load(0).load(1).emit(Op::RefPart, I);
  b.load(2).call(0).end_function();
  const std::vector<std::vector<u64>> rows = {
      {0, 1, 0, 2, 1, cell(-1), 0}, {3, 3, 4, 1, 2, 2, 3}, {2, 0, 0, 0, 1, 0, cell(-1)}};
  CaseRun run(b.code, rows, 1);
  run.reference();
  EXPECT_EQ(run.values, (std::vector<u64>{12, 11, 0, 0, 0, 0, 0}));
  const u32 part_at = 13, load_at = 2;  // instructions of the whole code
  EXPECT_EQ(run.places, (std::vector<u32>{0, 0, part_at, part_at, load_at, part_at, load_at}));
  EXPECT_EQ(run.depths, (std::vector<u32>{0, 0, 1, 1, 2, 1, 2}));
  for (u32 row = 0; row < 7; ++row)
    EXPECT_EQ(run.traps[row], row < 2 ? Trap::None : Trap::Index) << row;
  EXPECT_TRUE(Agreement().expect(b.code, rows, 1));
}

// Lanes refer to different parts, or all to one; of areas in variables and in arguments; one cell and several.
TEST(References, CellsOfEveryType) {
  Agreement agreement;
  for (Scalar type : kScalars)
    for (u16 cells : {u16{1}, u16{2}, u16{4}})
      for (bool is_shared : {false, true}) {
        CodeBuilder b;
        element_of_slice(b, type, cells);
        std::vector<Scalar> parameters(kSlots + 3, type);
        for (u32 k = 0; k < 3; ++k) parameters[k] = I;
        b.function("caller", parameters, std::vector<Scalar>(2 * cells, type));
        const u16 area = b.variables(type, kSlots);
        b.load_slots(3, kSlots).store_slots(area, kSlots);
        for (u16 first : {u16{3}, area}) {
          b.load(0).load(2).refer(type, first, kSlots);
          b.load(0).load(1).emit(Op::RefPart, type).load(0).call(0);
        }
        b.end_function();
        std::vector<std::vector<u64>> rows = {numbers(200, 1), numbers(200, 2), numbers(200, 3)};
        if (is_shared)
          for (u32 k = 0; k < 3; ++k) rows[k].assign(200, k == 0 ? 0 : kSlots);
        for (u32 k = 0; k < kSlots; ++k) rows.push_back(edge_column(type, 200, 7 * k));
        ASSERT_TRUE(agreement.expect(b.code, rows, 1)) << scalar_name(type) << " " << cells;
      }
}

// Of two areas, by what each lane has chosen; inactive lanes have references that were never made.
TEST(References, AreValuesOfArms) {
  CodeBuilder b;
  element_of_slice(b, I, 2);
  b.function("chosen", {I, I, I, I}, {I, I});
  const u16 chosen = b.variable(reference_to(I)), sum = b.variable(I);
  b.i64_constant(0).store(sum);
  b.load(0).load(1).op(Op::Lt).if_();
  b.i64_constant(2).refer(I, 0, 2).else_(1);
  b.load(0).i64_constant(3).op(Op::And).refer(I, 1, 3).end_if().store(chosen);
  b.load(2).i64_constant(3).op(Op::Gt).if_();
  b.i64_constant(2).load(chosen).load(0).i64_constant(1).op(Op::And).call(0);
  b.op(Op::AddWrap).store(sum).end_if();
  b.load(sum).load(chosen).i64_constant(0).emit(Op::LoadRef, I, 1).end_function();
  EXPECT_TRUE(Agreement().expect(
      b.code, {numbers(333, 1), numbers(333, 2), numbers(333, 3), numbers(333, 4)}, 1));
}

// Every frame of a recursion refers to one of its own cells; the innermost reads that of all of them.
TEST(References, ReachEveryFrameOfARecursion) {
  CodeBuilder b;
  b.function("down", {reference_to(I), I}, {I}, 9);
  const u16 own = b.variables(I, 2);
  b.load(1).load(2).emit(Op::LoadRef, I, 1).load(2).store_slots(own, 2);
  b.load(2).i64_constant(0).op(Op::Gt).if_();
  b.i64_constant(2).i64_constant(2).refer(I, own, 2);
  b.load(2).i64_constant(1).op(Op::Sub).call(0);
  b.load(own).op(Op::AddWrap).else_(1).load(own).end_if().end_function();
  b.function("start", {I, I}, {I, I});
  b.i64_constant(2).i64_constant(2).refer(I, 0, 2).load(0).call(0).load(1).end_function();
  const std::vector<std::vector<u64>> rows = {{1, 0, 3, 8, cell(-3), 1, 1}, {7, 8, 9, 1, 2, 3, 4}};
  EXPECT_TRUE(Agreement().expect(b.code, rows, 1));
}

// Lanes change places in the callee: the area goes with them, though the caller does not use it any more,
// or only by the reference.
TEST(References, GoWithTheirLanes) {
  CodeBuilder b;
  b.function("sum", {reference_to(I), I}, {I});
  const u16 sum = b.variable(I);
  b.i64_constant(0).store(sum);
  b.loop().load(2).i64_constant(0).op(Op::Gt).break_if_false().tick();
  b.load(sum).load(1).load(2).load(0).op(Op::ModFloor).emit(Op::LoadRef, I, 1);
  b.op(Op::AddWrap).store(sum);
  b.load(2).i64_constant(1).op(Op::Sub).store(2).end_loop().load(sum).end_function();
  b.function("caller", {I, I}, {I, I});
  const u16 area = b.variables(I, 3);
  const u16 kept = b.variable(reference_to(I));
  b.load(0).load(1).load(1).store_slots(area, 3);
  b.i64_constant(3).refer(I, area, 3).store(kept);
  b.i64_constant(3).load(kept).load(0).call(0);
  b.load(kept).i64_constant(2).emit(Op::LoadRef, I, 1).end_function();
  Agreement agreement;
  Random random(9);
  for (u32 count : {40u, 64u, 256u, 600u}) {
    std::vector<std::vector<u64>> rows(2, std::vector<u64>(count));
    for (u64& cell : rows[0]) cell = random.below(random.below(4) == 0 ? 400 : 20);
    for (u64& cell : rows[1]) cell = random.next();
    ASSERT_TRUE(agreement.expect(b.code, rows, 1));
  }
}

// A reference holds what its slots hold when it is used, also where only an arm has stored there.
TEST(References, SeeWhatIsStoredLater) {
  CodeBuilder b;
  b.function("later", {I, I}, {I, I});
  const u16 kept = b.variable(reference_to(I));
  b.i64_constant(2).refer(I, 0, 2).store(kept);
  b.load(0).i64_constant(3).op(Op::Lt).if_();
  b.load(1).i64_constant(5).op(Op::AddWrap).store(1);
  b.i64_constant(99).load(0).i64_constant(1).op(Op::And).store_at(0, 2).end_if();
  b.load(kept).i64_constant(0).emit(Op::LoadRef, I, 2).end_function();
  EXPECT_TRUE(Agreement().expect(b.code, {numbers(333, 8), numbers(333, 9)}));
}

}  // namespace
}  // namespace komuz::test
