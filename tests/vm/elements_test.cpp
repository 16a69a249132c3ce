// SPDX-License-Identifier: Apache-2.0
// Lanes over elements (vm/lane_elements.h): the part of a loop that is found; and runs on few cases give the
// reference's results. differential_test.cpp has random loops.
#include "tests/vm/agreement.h"
#include "tests/vm/element_loops.h"
#include "vm/element_parts.h"

namespace komuz::test {
namespace {

using vm::Rest;
constexpr Scalar I = Scalar::I64;

// The rest of the last loop's body; the part itself must be there.
Rest rest_of(const Code& code) {
  const Function& f = code.functions[0];
  vm::SlotUses uses;
  uses.survey(code.view(), f);
  vm::ElementParts parts;
  parts.find(code.view(), f, uses, 1);
  EXPECT_FALSE(parts.parts().empty());
  return parts.parts().empty() ? Rest::Any : parts.parts().back().rest.kind;
}

void expect_agreement(const Code& code) {
  Agreement agreement;
  for (u32 cases = 1; cases <= 9; ++cases)
    for (const u64 budget : {u64{0}, u64{3}, u64{70}, u64{101}, kDefaultFuel}) {
      std::vector<u64> n, m;
      for (u32 k = 0; k < cases; ++k) {
        n.push_back(k % 3 == 0 ? 100 : 7 * k);
        m.push_back(k == 5 ? ~u64{0} >> 1 : k);  // its elements overflow
      }
      ASSERT_TRUE(agreement.expect(code, {n, m}, 0, cases, budget)) << cases << ' ' << budget;
    }
}

TEST(Elements, Sum) {
  const Code code = sum_of_elements();
  EXPECT_EQ(rest_of(code), Rest::Fold);
  expect_agreement(code);
}

// The variable lies below the value: `made = made * value`
TEST(Elements, VariableFirst) {
  NumberLoop l;
  l.open();
  l.b.load(l.made);
  l.push_value();
  l.b.op(Op::Mul).store(l.made);  // soon overflows
  const Code code = l.end();
  EXPECT_EQ(rest_of(code), Rest::Fold);
  expect_agreement(code);
}

TEST(Elements, SumOfSome) {
  const Code code = sum_of_some_elements();
  EXPECT_EQ(rest_of(code), Rest::Fold);
  expect_agreement(code);
}

// A constant goes to a variable beside it, but not where all elements are skipped.
TEST(Elements, SmallestOfSome) {
  for (const i64 wanted : {1, 7}) {
    NumberLoop l;
    const u16 seen = l.starting_at(0);
    l.open();
    l.skip_unless(wanted);
    l.push_value();
    l.fold(Op::Min);
    l.b.i64_constant(1).store(seen);
    l.b.end_loop().load(l.made).load(seen).op(Op::AddWrap).end_function();
    EXPECT_EQ(rest_of(l.b.code), Rest::Any);
    expect_agreement(l.b.code);
  }
}

TEST(Elements, Count) {
  const Code code = count_of_elements();
  EXPECT_EQ(rest_of(code), Rest::Fold);
  expect_agreement(code);
}

// What is counted up is of the iteration, and overflows in the fourth.
TEST(Elements, ACountOfTheIterationsOwn) {
  NumberLoop l;
  const u16 own = l.b.variable(I);
  l.open();
  l.b.load(l.variable).i64_constant(3).op(Op::Sub).store(own);
  l.b.i64_constant(std::numeric_limits<i64>::max()).load(own).load(own).op(Op::Mul).op(Op::Sub);
  l.b.store(own).load(own).i64_constant(0).op(Op::Gt).if_();
  l.b.load(own).i64_constant(1).op(Op::Add).store(own).end_if();
  const Code code = l.end();
  EXPECT_EQ(rest_of(code), Rest::Any);
  expect_agreement(code);
}

TEST(Elements, Best) {
  NumberLoop l;
  l.open();
  l.push_value();
  l.b.load(l.made).op(Op::Gt).if_().load(l.variable).store(l.made).end_if();
  const Code code = l.end();
  EXPECT_EQ(rest_of(code), Rest::Pass);
  expect_agreement(code);
}

TEST(Elements, Argmin) {
  const Code code = argmin_of_elements();
  EXPECT_EQ(rest_of(code), Rest::Best);
  expect_agreement(code);
}

// The best of one value: that of the iteration before does not count.
TEST(Elements, ArgminOfTheIterationsOwn) {
  NumberLoop l(50);
  const u16 count = l.starting_at(-1), place = l.starting_at(-1), own = l.b.variable(I);
  l.open();
  l.b.i64_constant(40).store(own);
  l.push_value();
  note_smallest(l.b, I, own, count, place);
  l.b.end_loop().load(place).load(count).op(Op::Xor).end_function();
  EXPECT_EQ(rest_of(l.b.code), Rest::Any);
  expect_agreement(l.b.code);
}

// The inner loop has a part, the outer one changes the bins.
TEST(Elements, BestFit) {
  const Code code = best_fit();
  EXPECT_EQ(rest_of(code), Rest::Best);
  expect_agreement(code);
}

// A table in the lane of each case; of five cases the last lanes have no element.
TEST(Elements, Table) {
  NumberLoop l(0);
  const u16 table = l.b.variables(I, 8);
  for (u32 k = 0; k < 8; ++k) l.b.load(1).i64_constant(k).op(Op::Xor);
  l.b.store_slots(table, 8);
  l.open();
  l.b.load(l.variable).i64_constant(8).op(Op::Rem).load_at(table, 8);
  l.b.load(l.variable).i64_constant(9).op(Op::Rem).load_at(table, 8);  // INDEX for the ninth
  l.b.op(Op::Xor);
  l.fold(Op::AddWrap);
  const Code code = l.end();
  EXPECT_EQ(rest_of(code), Rest::Fold);
  expect_agreement(code);
}

// The search ends before most of the elements that are run.
TEST(Elements, Search) {
  NumberLoop l;
  l.open();
  l.push_value();
  l.b.i64_constant(26).op(Op::Eq).if_().load(l.variable).store(l.made).break_(0).end_if();
  const Code code = l.end();
  EXPECT_EQ(rest_of(code), Rest::Any);
  expect_agreement(code);
}

// What the compiler never makes, but other code may hold: the body steps its counter, too.
TEST(Elements, TheBodyChangesTheCounter) {
  for (const u16 slot : {u16{0}, u16{1}, u16{2}}) {
    NumberLoop l;
    l.open();
    l.push_value();
    l.fold(Op::Add);
    const auto changed = static_cast<u16>(l.counter + slot);
    l.b.load(changed).i64_constant(slot == 1 ? -1 : 1).op(Op::Add).store(changed);
    expect_agreement(l.end());
  }
}
TEST(Elements, TheCounterIsInAnArea) {
  NumberLoop l;
  l.open();
  l.push_value();
  l.fold(Op::Add);
  l.b.load(l.counter).i64_constant(2).op(Op::Add).i64_constant(0).store_at(l.counter, 4);
  expect_agreement(l.end());
}
TEST(Elements, TheBodyStepsTheCounterAgain) {
  NumberLoop l;
  l.open();
  l.push_value();
  l.fold(Op::Add);
  l.b.for_next(l.counter);
  l.push_value();
  l.fold(Op::Add);
  expect_agreement(l.end());
}

// The loop ends in the middle of what would be the part, by BREAK_IF_FALSE or another FOR_NEXT.
TEST(Elements, TheLoopEndsWithinThePart) {
  for (const bool counts : {false, true}) {
    NumberLoop l;
    const u16 other = l.b.variables(I, 3);
    l.open();
    if (counts) {
      l.b.load(l.variable).store(other).i64_constant(20).store(static_cast<u16>(other + 1));
      l.b.for_next(other);
    } else {
      l.b.load(l.variable).load(1).i64_constant(20).op(Op::AddWrap).op(Op::Lt).break_if_false();
    }
    l.push_value();
    l.fold(Op::Add);
    expect_agreement(l.end());
  }
}

// `made` lies on the stack unread, and an arm behind one that does not come to its end copies it.
TEST(Elements, AnArmCopiesWhatLiesBelow) {
  NumberLoop l;
  l.open();
  l.b.load(l.made).load(l.variable).i64_constant(7).op(Op::Rem).i64_constant(3).op(Op::Eq).if_();
  l.b.continue_(0).i64_constant(0).else_(1).copy(I, 0).i64_constant(3).op(Op::Rem).end_if();
  l.push_value();
  l.b.op(Op::Add).op(Op::AddWrap).store(l.made);
  expect_agreement(l.end());
}

// Cases have left the loop around at different times, and elements leave loops of their own.
TEST(Elements, CasesThatLeftKeepTheirFuel) {
  NumberLoop l;
  CodeBuilder& b = l.b;
  const u16 rounds = l.starting_at(0), steps = b.variable(I);
  b.load(1).i64_constant(9).op(Op::Rem).store(rounds);
  b.loop().load(rounds).i64_constant(0).op(Op::Gt).break_if_false().tick();
  b.load(rounds).i64_constant(1).op(Op::Sub).store(rounds);
  l.open();
  b.load(l.variable).i64_constant(5).op(Op::Rem).store(steps);
  b.loop().load(steps).i64_constant(0).op(Op::Gt).break_if_false().tick();
  b.load(steps).i64_constant(1).op(Op::Sub).store(steps).end_loop();
  l.push_value();
  l.fold(Op::Add);
  b.end_loop();
  const Code code = l.end();
  EXPECT_EQ(rest_of(code), Rest::Fold);
  expect_agreement(code);
}

}  // namespace
}  // namespace komuz::test
