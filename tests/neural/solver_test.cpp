// SPDX-License-Identifier: Apache-2.0
// What the solver takes a term for is what it is.
#include "base/machine/opened_library.h"
#include "base/random.h"
#include "neural/proof/abi.h"
#include "tests/neural/proof_questions.h"

namespace komuz::test {
namespace {

using neural::Decision;
using neural::Term;
using neural::TermOp;

const neural::AbiProver& table() {
  static const Result<const void*> opened =
      machine::open_own_library({.file = "komuz_prover.so",
                                 .variable = "KOMUZ_PROVER",
                                 .table = neural::kProverName,
                                 .version = neural::kProverVersion,
                                 .what = "prover",
                                 .lacks = "Z3",
                                 .package = "libz3-dev"});
  return *static_cast<const neural::AbiProver*>(opened.value());
}

Decision decide(const neural::Terms& terms, std::initializer_list<Term> claims,
                std::vector<u64>& variables) {
  variables.resize(terms.variables());
  neural::AbiDecision out = {};
  out.variables = variables.data();
  neural::AbiClaims asked = {};
  asked.rows = terms.rows().data();
  asked.row_count = terms.rows().size();
  asked.arguments = terms.arguments().data();
  asked.functions = terms.functions().data();
  asked.function_count = terms.functions().size();
  asked.claims = claims.begin();
  asked.claim_count = claims.size();
  asked.resources = 5'000'000;
  table().decide(&asked, &out);
  return out.decision;
}

u32 result_width(TermOp op, u32 width) {
  switch (op) {
    case TermOp::Equal:
    case TermOp::LessUnsigned:
    case TermOp::LessSigned:
    case TermOp::OverflowsSigned:
    case TermOp::OverflowsUnsigned: return 1;
    case TermOp::Truncate: return 8;
    case TermOp::ExtendZero:
    case TermOp::ExtendSign: return 64;
    default: return width;
  }
}

TEST(Solver, TakesEachTermForWhatItIs) {
  KOMUZ_NEEDS_PROVER();
  Random random(7);
  constexpr u64 kEdges[] = {0,
                            1,
                            2,
                            7,
                            8,
                            31,
                            0x7F,
                            0x80,
                            0xFF,
                            0x7FFF'FFFFu,
                            0x8000'0000u,
                            0xFFFF'FFFFu,
                            u64{1} << 63,
                            ~u64{0} >> 1,
                            ~u64{0},
                            ~u64{1}};
  for (u8 number = static_cast<u8>(TermOp::Not); number < static_cast<u8>(TermOp::Function);
       ++number) {
    const auto op = static_cast<TermOp>(number);
    if (op == TermOp::Select) continue;
    const bool is_unary = neural::kTermOperands[number] == 1;
    for (const u32 width : {1u, 8u, 32u, 64u}) {
      const u32 result = result_width(op, width);
      const bool is_logic = op == TermOp::Not || op == TermOp::And || op == TermOp::Or ||
                            op == TermOp::Xor || op == TermOp::Equal;
      if (width == 1 && !is_logic) continue;
      if (op == TermOp::Truncate && width <= 8) continue;
      if ((op == TermOp::ExtendZero || op == TermOp::ExtendSign) && width == 64) continue;
      for (u32 turn = 0; turn < 6; ++turn) {
        const u64 a = random.pick(kEdges) & neural::low_bits(width);
        const u64 b = random.pick(kEdges) & neural::low_bits(width);
        SCOPED_TRACE("operation " + std::to_string(number) + " of " + std::to_string(width) +
                     " bits, " + std::to_string(a) + ", " + std::to_string(b));
        neural::Terms terms;
        const Term x = terms.variable(width, false), y = terms.variable(width, false);
        const Term made = terms.make(op, result, x, is_unary ? neural::kNoTerm : y);
        const u64 value = neural::term_value(op, result, width, a, b);
        const Term is_it = terms.equal(made, terms.constant(result, value));
        const Term at_a = terms.equal(x, terms.constant(width, a));
        const Term at_b = terms.equal(y, terms.constant(width, b));
        std::vector<u64> found;
        EXPECT_EQ(decide(terms, {at_a, at_b, terms.no(is_it)}, found), Decision::Impossible);
        EXPECT_EQ(decide(terms, {at_a, at_b, is_it}, found), Decision::Possible);
        EXPECT_EQ(found, (std::vector<u64>{a, b}));
      }
    }
  }
}

TEST(Solver, KnowsOfFunctionsThatEqualArgumentsGiveEqualValues) {
  KOMUZ_NEEDS_PROVER();
  neural::Terms terms;
  neural::FunctionRow row;
  row.width = 64;
  row.name_low = 1;
  const Term x = terms.variable(64, false), y = terms.variable(64, false);
  const Term one[] = {x}, other[] = {y};
  const Term f = terms.function(row, one), g = terms.function(row, other);
  const Term differ = terms.no(terms.equal(f, g));
  std::vector<u64> found;
  EXPECT_EQ(decide(terms, {terms.equal(x, y), differ}, found), Decision::Impossible);
  EXPECT_EQ(decide(terms, {differ}, found), Decision::Possible);
  EXPECT_NE(found[0], found[1]);
}

}  // namespace
}  // namespace komuz::test
