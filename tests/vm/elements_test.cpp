// SPDX-License-Identifier: Apache-2.0
// Lanes over elements (vm/lane_elements.h): which part of a loop is found, and that runs on few cases come to what the
// reference comes to. Random loops: differential_test.cpp.
#include "tests/vm/agreement.h"
#include "vm/element_parts.h"

namespace komuz::test {
namespace {

using vm::Rest;
constexpr Scalar I = Scalar::I64;

struct Loop {
  CodeBuilder b;
  u16 counter = 0, variable = 0, made = 0;
};

// A function of n, and of m, which the loop does not change; the loop is over 0..n.
Loop loop_to_n() {
  Loop l;
  l.b.function("f", {I, I}, {I});
  l.counter = l.b.variables(I, 3);
  l.variable = static_cast<u16>(l.counter + 2);
  l.made = l.b.variable(I);
  l.b.i64_constant(0).store(l.counter).load(0).store(static_cast<u16>(l.counter + 1));
  l.b.i64_constant(5).store(l.made).loop().for_next(l.counter).tick();
  return l;
}
// (i · i + m) mod 97
void value(Loop& l) {
  l.b.load(l.variable)
      .load(l.variable)
      .op(Op::Mul)
      .load(1)
      .op(Op::Add)
      .i64_constant(97)
      .op(Op::Rem);
}
Code finish(Loop& l) {
  l.b.end_loop().load(l.made).end_function();
  return l.b.code;
}

// The rest of the only loop's body; the part itself must be there.
Rest rest_of(const Code& code) {
  const Function& f = code.functions[0];
  vm::SlotUses uses;
  uses.survey(code.view(), f);
  vm::ElementParts parts;
  parts.find(code.view(), f, uses, 1);
  EXPECT_EQ(parts.parts().size(), 1u);
  return parts.parts().empty() ? Rest::Any : parts.parts()[0].rest;
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
  Loop l = loop_to_n();
  value(l);
  l.b.load(l.made).op(Op::Add).store(l.made);
  const Code code = finish(l);
  EXPECT_EQ(rest_of(code), Rest::Fold);
  expect_agreement(code);
}

// The variable lies below the value: `made = made + value`
TEST(Elements, VariableFirst) {
  Loop l = loop_to_n();
  l.b.load(l.made);
  value(l);
  l.b.op(Op::Mul).store(l.made);  // soon overflows
  const Code code = finish(l);
  EXPECT_EQ(rest_of(code), Rest::Fold);
  expect_agreement(code);
}

TEST(Elements, SumOfSome) {
  Loop l = loop_to_n();
  l.b.load(l.variable).i64_constant(3).op(Op::Rem).i64_constant(1).op(Op::Eq).if_().continue_(0);
  l.b.end_if();
  value(l);
  l.b.load(l.made).op(Op::Add).store(l.made);
  const Code code = finish(l);
  EXPECT_EQ(rest_of(code), Rest::Fold);
  expect_agreement(code);
}

// A constant goes to a variable beside it, but not where all elements are skipped.
TEST(Elements, SmallestOfSome) {
  for (const i64 wanted : {1, 7}) {
    Loop l = loop_to_n();
    const u16 seen = l.b.variable(I);
    l.b.load(l.variable).i64_constant(3).op(Op::Rem).i64_constant(wanted).op(Op::Ne);
    l.b.if_().continue_(0).end_if();
    value(l);
    l.b.load(l.made).op(Op::Min).store(l.made).i64_constant(1).store(seen);
    Code code = l.b.end_loop().load(l.made).end_function().code;
    EXPECT_EQ(rest_of(code), Rest::Any);
    expect_agreement(code);
  }
}

TEST(Elements, Count) {
  Loop l = loop_to_n();
  value(l);
  l.b.i64_constant(40).op(Op::Lt).if_();
  l.b.load(l.made).i64_constant(2).op(Op::Add).store(l.made).end_if();
  const Code code = finish(l);
  EXPECT_EQ(rest_of(code), Rest::Fold);
  expect_agreement(code);
}

TEST(Elements, Best) {
  Loop l = loop_to_n();
  value(l);
  l.b.load(l.made).op(Op::Gt).if_();
  l.b.load(l.variable).store(l.made).end_if();
  const Code code = finish(l);
  EXPECT_EQ(rest_of(code), Rest::Pass);
  expect_agreement(code);
}

// What `argmin` makes.
TEST(Elements, Argmin) {
  Loop l;
  l.b.function("f", {I, I}, {I});
  l.counter = l.b.variables(I, 3);
  l.variable = static_cast<u16>(l.counter + 2);
  l.made = l.b.variable(I);
  const u16 count = l.b.variable(I), place = l.b.variable(I);
  l.b.i64_constant(0).store(l.counter).load(0).store(static_cast<u16>(l.counter + 1));
  l.b.i64_constant(50).store(l.made).i64_constant(-1).store(count).i64_constant(-1).store(place);
  l.b.loop().for_next(l.counter).tick();
  value(l);
  l.b.load(count).i64_constant(1).op(Op::AddWrap).store(count).load(l.made).op(Op::Min).copy(I, 0);
  l.b.load(l.made).op(Op::Cmp).i64_constant(0).op(Op::Ne).if_().load(count).store(place).end_if();
  l.b.store(l.made).end_loop().load(place).i64_constant(1000).op(Op::MulWrap).load(count);
  l.b.op(Op::AddWrap).load(l.made).op(Op::Xor).end_function();
  EXPECT_EQ(rest_of(l.b.code), Rest::Best);
  expect_agreement(l.b.code);
}

// A table in the lane of each case; of five cases the last lanes have no element.
TEST(Elements, Table) {
  Loop l;
  l.b.function("f", {I, I}, {I});
  const u16 table = l.b.variables(I, 8);
  l.counter = l.b.variables(I, 3);
  l.variable = static_cast<u16>(l.counter + 2);
  l.made = l.b.variable(I);
  for (u32 k = 0; k < 8; ++k) l.b.load(1).i64_constant(k).op(Op::Xor);
  l.b.store_slots(table, 8).i64_constant(0).store(l.counter).load(0);
  l.b.store(static_cast<u16>(l.counter + 1)).i64_constant(0).store(l.made);
  l.b.loop().for_next(l.counter).tick();
  l.b.load(l.variable).i64_constant(8).op(Op::Rem).load_at(table, 8);
  l.b.load(l.variable).i64_constant(9).op(Op::Rem).load_at(table, 8);  // INDEX for the ninth
  l.b.op(Op::Xor).load(l.made).op(Op::AddWrap).store(l.made);
  const Code code = finish(l);
  EXPECT_EQ(rest_of(code), Rest::Fold);
  expect_agreement(code);
}

// The search ends before most of the elements that are run.
TEST(Elements, Search) {
  Loop l = loop_to_n();
  value(l);
  l.b.i64_constant(26).op(Op::Eq).if_().load(l.variable).store(l.made).break_(0).end_if();
  const Code code = finish(l);
  EXPECT_EQ(rest_of(code), Rest::Any);
  expect_agreement(code);
}

}  // namespace
}  // namespace komuz::test
