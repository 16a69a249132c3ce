// SPDX-License-Identifier: Apache-2.0
// Operations on many cells at once, and TICKS, on every machine: expected values for the reference, then all machines
// against it. The cells are computed, or belong to variables, arguments and constants; the lanes are split.
#include "base/random.h"
#include "tests/vm/agreement.h"
#include "tests/vm/all_operations.h"
#include "tests/vm/edge_values.h"

namespace komuz::test {
namespace {

constexpr Scalar I = Scalar::I64;

TEST(Cells, RepeatPushesTheGroupAgain) {
  CodeBuilder b;
  b.function("repeated", {I}, {I, I, I, I, I, I});
  b.load(0).load(0).i64_constant(1).op(Op::Add).repeat(2, 3).end_function();
  CaseRun run(b.code, {{5}});
  run.reference();
  EXPECT_EQ(run.values, (std::vector<u64>{5, 6, 5, 6, 5, 6}));
  EXPECT_TRUE(Agreement().expect(b.code, {{5, 7}}));
}

TEST(Cells, CopyPushesAStretchAgain) {
  CodeBuilder b;
  b.function("copied", {I}, {I, I, I, I, I});
  const u64 values[] = {1, 2, 3};
  b.constants(I, values).copy(I, 1, 2).end_function();
  CaseRun run(b.code, {{0}});
  run.reference();
  EXPECT_EQ(run.values, (std::vector<u64>{1, 2, 3, 1, 2}));
  EXPECT_TRUE(Agreement().expect(b.code, {{0, 1}}));
}

TEST(Cells, EqualIsAsOfEachPair) {
  const u64 zero = cell_f64(0.0), minus_zero = cell_f64(-0.0), one = cell_f64(1.0);
  const u64 nan = cell_f64(std::numeric_limits<f64>::quiet_NaN());
  struct Row {
    u64 cells[4];
    u64 equal;
  };
  const Row kRows[] = {{{zero, one, zero, one}, 1},
                       {{zero, one, minus_zero, one}, 1},
                       {{nan, one, nan, one}, 0},
                       {{one, zero, one, one}, 0},
                       {{zero, one, one, one}, 0}};
  for (const Row& row : kRows) {
    CodeBuilder b;
    b.function("equal", {I}, {Scalar::Bool});
    b.constants(Scalar::F64, row.cells).eq_cells(Scalar::F64, 2, 2, 0);
    b.project(1, 5, 4).end_function();
    CaseRun run(b.code, {{0}});
    run.reference();
    EXPECT_EQ(run.values[0], row.equal);
    EXPECT_TRUE(Agreement().expect(b.code, {{0, 1}}));
  }
}

TEST(Cells, ComparePopsNothing) {
  CodeBuilder b;
  b.function("kept", {I, I}, {I, I, Scalar::Bool, Scalar::Bool});
  b.load_slots(0, 2).eq_cells(I, 1, 0, 1).eq_cells(I, 2, 1, 1).end_function();
  CaseRun run(b.code, {{3, 4}, {3, 5}});
  run.reference();
  EXPECT_EQ(run.values, (std::vector<u64>{3, 4, 3, 5, 1, 0, 1, 1}));
  EXPECT_TRUE(Agreement().expect(b.code, {{3, 4}, {3, 5}}));
}

// What the cells of a group are made of.
enum class Source : u8 { Arguments, Variables, Computed, Constants, Mixed };
constexpr Source kSources[] = {Source::Arguments, Source::Variables, Source::Computed,
                               Source::Constants, Source::Mixed};
constexpr u32 kCells = 6;

// Function 0 has kCells arguments of the type from slot 1 on; `copies` are variables that hold the same.
void push_cells(CodeBuilder& b, Scalar type, Source source, u16 copies, u32 first, u32 count) {
  for (u32 k = first; k < first + count; ++k) {
    const Source one = source == Source::Mixed ? kSources[k % 4] : source;
    switch (one) {
      case Source::Arguments: b.load(u16(1 + k)); break;
      case Source::Variables: b.load(u16(copies + k)); break;
      case Source::Constants: b.constant(type, k % 2); break;
      case Source::Mixed:
      case Source::Computed:
        b.load(u16(1 + k)).load(u16(1 + k)).op(Op::Eq, type);
        b.if_().load(u16(1 + k)).else_(1).constant(type, 1).end_if();
    }
  }
}

std::vector<std::vector<u64>> rows_of(Scalar type, u32 count) {
  std::vector<std::vector<u64>> rows(1);
  for (u32 c = 0; c < count; ++c) rows[0].push_back(c % 3);
  // Pairs (0, 3), (1, 4) and (2, 5) are equal in most cases.
  for (u32 k = 0; k < kCells; ++k) {
    rows.push_back(edge_column(type, count, 7 * (k % 3) + 1));
    if (k >= 3)
      for (u32 c = k; c < count; c += 5 + k) rows.back()[c] = canonical_cell(type, k);
  }
  return rows;
}

TEST(Cells, OfEveryTypeAndSource) {
  Agreement agreement;
  for (Scalar type : kScalars)
    for (Source source : kSources)
      for (u32 count : {1, 70, 333}) {
        std::vector<Scalar> parameters(kCells + 1, type), results(4 * kCells, type);
        parameters[0] = I;
        results.push_back(Scalar::Bool);
        CodeBuilder b;
        b.function("cells", parameters, results);
        const u16 copies = b.variables(type, kCells), kept = b.variables(type, 4 * kCells);
        b.load_slots(1, kCells).store_slots(copies, kCells);
        push_cells(b, type, source, copies, 0, kCells);
        b.copy(type, 1, 3).repeat(3, 2);
        push_cells(b, type, source, copies, 0, kCells);
        b.repeat(2, 4);
        b.store_slots(kept, 4 * kCells);
        b.load_slots(kept, 4 * kCells);
        push_cells(b, type, source, copies, 0, kCells);
        b.eq_cells(type, 3, 0, 3).project(1, kCells + 1, kCells).end_function();
        ASSERT_TRUE(agreement.expect(b.code, rows_of(type, count)))
            << scalar_name(type) << " " << u32(source) << " " << count;
      }
}

// Lanes that do not go there keep their variables; many cells are stored to the same variables in two arms.
TEST(Cells, InArms) {
  Agreement agreement;
  for (Scalar type : kScalars)
    for (Source source : kSources) {
      std::vector<Scalar> parameters(kCells + 1, type), results(kCells, type);
      parameters[0] = I;
      results.push_back(Scalar::Bool);
      CodeBuilder b;
      b.function("arms", parameters, results);
      const u16 copies = b.variables(type, kCells), kept = b.variables(type, kCells);
      const u16 equal = b.variable(Scalar::Bool);
      b.load_slots(1, kCells).store_slots(copies, kCells);
      b.load_slots(1, kCells).store_slots(kept, kCells);
      b.bool_constant(true).store(equal);
      b.load(0).i64_constant(1).op(Op::Eq).if_();
      push_cells(b, type, source, copies, 2, 2);
      b.repeat(2, 3).store_slots(kept, kCells);
      b.else_();
      push_cells(b, type, source, copies, 0, kCells);
      b.copy(type, 0, kCells).eq_cells(type, kCells, 1, 6).store(equal);
      b.project(0, 2 * kCells, 0);
      push_cells(b, type, source, copies, 0, 3);
      push_cells(b, type, source, copies, 3, 3);
      b.eq_cells(type, 3, 0, 3).store(equal).store_slots(kept, kCells);
      b.end_if();
      b.load_slots(kept, kCells).load(equal).end_function();
      ASSERT_TRUE(agreement.expect(b.code, rows_of(type, 333)))
          << scalar_name(type) << " " << u32(source);
    }
}

// Arrays of a size that programs have, filled, copied and compared.
TEST(Cells, AThousand) {
  constexpr u32 kMany = 1000;
  Agreement agreement;
  for (Scalar type : {Scalar::U8, Scalar::F32, I}) {
    std::vector<u64> values(kMany);
    for (u32 k = 0; k < kMany; ++k) values[k] = canonical_cell(type, k % 100);
    CodeBuilder b;
    b.function("many", {I}, {Scalar::Bool, Scalar::Bool, type, I});
    const u16 filled = b.variables(type, kMany), listed = b.variables(type, kMany);
    b.constant(type, 7).repeat(1, kMany).store_slots(filled, kMany);
    b.constants(type, values).store_slots(listed, kMany);
    b.constant(type, 7).load(0).i64_constant(kMany).op(Op::ModFloor).store_at(listed, kMany);
    b.load_slots(filled, kMany).load_slots(listed, kMany).eq_cells(type, kMany, 0, kMany);
    b.project(1, 2 * kMany + 1, 2 * kMany);
    b.load_slots(listed, kMany).constants(type, values).eq_cells(type, kMany, 0, kMany);
    b.project(1, 2 * kMany + 1, 2 * kMany);
    b.load(0).i64_constant(kMany).op(Op::ModFloor).load_at(listed, kMany);
    b.load(0).i64_constant(3).op(Op::Mul).end_function();
    std::vector<std::vector<u64>> rows(1);
    for (u64 c = 0; c < 130; ++c) rows[0].push_back(c * 13);
    ASSERT_TRUE(agreement.expect(b.code, rows)) << scalar_name(type);
  }
}

Code ticking(u32 count) {
  CodeBuilder b;
  b.function("ticking", {I}, {I});
  if (count == 0) b.load(0).ticks();
  for (u32 k = 0; k < count; ++k) b.tick();
  b.load(0).end_function();
  return b.code;
}

TEST(Ticks, AreAsManyTicksOneAfterTheOther) {
  Agreement agreement;
  const Code many = ticking(0);
  for (u32 count : {1, 2, 7}) {
    const std::vector<std::vector<u64>> rows = {{count}};
    for (u64 budget = 0; budget < 10; ++budget) {
      CaseRun one_by_one(ticking(count), rows, 0, 1, budget), at_once(many, rows, 0, 1, budget);
      one_by_one.reference();
      at_once.reference();
      EXPECT_EQ(at_once.traps, one_by_one.traps) << count << " " << budget;
      EXPECT_EQ(at_once.fuel, one_by_one.fuel) << count << " " << budget;
      EXPECT_EQ(at_once.values, one_by_one.values);
      EXPECT_TRUE(agreement.expect(many, rows, 0, 1, budget));
    }
  }
}

TEST(Ticks, NoneWhereTheNumberIsNotPositive) {
  CaseRun run(ticking(0), {{0, cell(-1), u64{1} << 63, 1}}, 0, 1, 2);
  run.reference();
  EXPECT_EQ(run.traps, std::vector<Trap>(4, Trap::None));
  EXPECT_EQ(run.fuel, (std::vector<u64>{1, 1, 1, 2}));
}

TEST(Ticks, ALargeNumberEndsAtTheBudget) {
  Agreement agreement;
  const std::vector<std::vector<u64>> rows = {
      {~u64{0} >> 1, 5, 99'998, 99'999, 100'000, 0, ~u64{0}, u64{1} << 40}};
  CaseRun run(ticking(0), rows, 0, 1, 100'000);
  run.reference();
  EXPECT_EQ(run.fuel, (std::vector<u64>{100'000, 6, 99'999, 100'000, 100'000, 1, 1, 100'000}));
  for (u32 row = 0; row < 8; ++row)
    EXPECT_EQ(run.traps[row], row == 0 || row == 4 || row == 7 ? Trap::Fuel : Trap::None) << row;
  for (u32 row : {0, 4, 7}) EXPECT_EQ(run.places[row], 1u);
  EXPECT_TRUE(agreement.expect(ticking(0), rows, 0, 1, 100'000));
  EXPECT_TRUE(agreement.expect(ticking(0), rows, 0, 1, ~u64{0}));
}

// Lanes tick by different numbers in arms and loops, wait for each other, run out of fuel here and
// there, and change places.
TEST(Ticks, OfLanesThatAreParted) {
  CodeBuilder b;
  b.function("parted", {I, I}, {I});
  const u16 next = b.variables(I, 3), sum = b.variable(I);
  b.i64_constant(0).store(sum).i64_constant(0).store(next).load(0).store(u16(next + 1));
  b.loop().for_next(next).tick();
  b.load(u16(next + 2)).i64_constant(2).op(Op::Rem).i64_constant(0).op(Op::Eq).if_();
  b.load(1).ticks();
  b.else_();
  b.i64_constant(3).ticks().load(sum).load(u16(next + 2)).op(Op::Add).store(sum);
  b.end_if();
  b.load(sum).ticks().end_loop();
  b.load(1).ticks().load(sum).end_function();
  std::vector<std::vector<u64>> rows(2);
  Random random(5);
  for (u32 c = 0; c < 333; ++c) {
    rows[0].push_back(random.below(c % 7 == 0 ? 60 : 9));
    rows[1].push_back(cell(i64{random.below(40)} - 5));
  }
  Agreement agreement;
  for (u64 budget : {1, 5, 30, 100, 300, 1'000, 1'000'000})
    ASSERT_TRUE(agreement.expect(b.code, rows, 0, 1, budget)) << budget;
}

// A stop that was requested before is seen where single ticks see it.
TEST(Ticks, LookAtTheStopToken) {
  std::stop_source source;
  source.request_stop();
  const std::vector<std::vector<u64>> rows = {
      {vm::kTicksBetweenLooks - 2, vm::kTicksBetweenLooks + 9, u64{1} << 40}};
  const auto expect_stopped = [](const CaseRun& run) {
    EXPECT_EQ(run.traps, (std::vector<Trap>{Trap::None, Trap::Fuel, Trap::Fuel}));
    EXPECT_EQ(run.fuel, (std::vector<u64>{vm::kTicksBetweenLooks - 1, vm::kTicksBetweenLooks,
                                          vm::kTicksBetweenLooks}));
  };
  CaseRun wanted(ticking(0), rows, 0, 1, u64{1} << 50);
  wanted.stop = source.get_token();
  wanted.reference();
  expect_stopped(wanted);
  for (SimdLevel level : supported_levels()) {
    CaseRun run(ticking(0), rows, 0, 1, u64{1} << 50);
    run.stop = source.get_token();
    vm::BatchMachine machine(level);
    machine.run(run.job(), run.outcomes());
    expect_stopped(run);
  }
}

}  // namespace
}  // namespace komuz::test
