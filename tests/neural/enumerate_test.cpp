// SPDX-License-Identifier: Apache-2.0
// Short expressions by their outcomes: those that are kept, and longer ones that are looked for from the goal down.
#include <gtest/gtest.h>

#include <algorithm>

#include "neural/teacher/costs.h"
#include "neural/teacher/enumerate.h"
#include "neural/teacher/part.h"
#include "neural/teacher/teach.h"
#include "neural/windows/windows.h"
#include "tests/neural/compiled.h"

namespace komuz::neural {
namespace {

constexpr Scalar U = Scalar::U8;

std::vector<std::vector<u64>> all_corners() {
  std::vector<std::vector<u64>> rows;
  for (const u64 x : {0, 1, 2, 7, 128, 200, 254, 255})
    for (const u64 y : {0, 1, 3, 7, 127, 201, 254, 255}) rows.push_back({x, y});
  return rows;
}

// Graphs of two inputs of u8.
struct Goal {
  ValueGraph graph;
  u32 x = graph.input(0, U), y = graph.input(1, U);

  u32 operation(Op op, u32 a, u32 b) {
    const u32 operands[] = {a, b};
    return graph.operation({op, U, 0, 0}, operands);
  }
  u32 choice(u32 test, u32 a, u32 b) {
    const u32 operands[] = {test, a, b};
    return graph.choice(ValueKind::If, operands);
  }
};

// What is found for the root, with expressions of so many instructions kept and looked for; its code, to be counted.
Code found_for(const Goal& goal, u32 root, u32 kept, u32 instructions) {
  const Scalar types[] = {U, U};
  const std::vector<std::vector<u64>> rows = all_corners();
  Enumeration all(sample_of(goal.graph, root, types), rows, ~u64{0}, {kept, instructions});
  const std::vector<ValueOutcome> outcomes = evaluate_rows(goal.graph, root, rows);
  const std::vector<Enumeration::Found> found = all.find(goal.graph[root].type, outcomes);
  if (found.empty()) return {};
  EXPECT_TRUE(std::ranges::is_sorted(found, {}, &Enumeration::Found::cost));
  ValueGraph made;
  const u32 best = all.write(found[0], made);
  EXPECT_EQ(evaluate_rows(made, best, rows), outcomes);
  const std::optional<Part> part = Part::below(goal.graph, root);
  EXPECT_TRUE(part.has_value());
  return part->code_of(made, best);
}

TEST(Enumeration, FindsTheCheapestThatItKeeps) {
  Goal goal;
  const u32 root = goal.choice(goal.operation(Op::Lt, goal.x, goal.y), goal.x, goal.y);
  const Code code = found_for(goal, root, 3, 3);
  ASSERT_EQ(code.instructions.size(), 4u);
  EXPECT_EQ(code.instructions[2].op, Op::Min);
}

TEST(Enumeration, UndoesTheLastOperation) {
  Goal goal;
  const u32 product = goal.operation(Op::MulWrap, goal.x, goal.y);
  const u32 root = goal.operation(Op::Xor, product, goal.operation(Op::AddWrap, goal.x, goal.y));
  // Nine instructions with the operands' own; none of that length is kept or paired.
  EXPECT_EQ(found_for(goal, root, 3, 3).instructions.size(), 8u);
}

TEST(Enumeration, FindsAChoiceOfExpressions) {
  Goal goal;
  const u32 one = goal.graph.constant(U, 1);
  const u32 root = goal.choice(goal.operation(Op::Eq, goal.x, goal.y),
                               goal.operation(Op::MulWrap, goal.x, goal.x),
                               goal.operation(Op::SubWrap, goal.y, one));
  const Code code = found_for(goal, root, 3, 3);
  ASSERT_FALSE(code.instructions.empty());
  EXPECT_TRUE(std::ranges::any_of(code.instructions,
                                  [](Instruction i) { return i.op == Op::JumpIfFalse; }));
}

TEST(Enumeration, LooksForPairsThatAreLongerThanWhatItKeeps) {
  Goal goal;
  const u32 root = goal.operation(Op::Min, goal.operation(Op::MulWrap, goal.x, goal.x),
                                  goal.operation(Op::AddWrap, goal.x, goal.y));
  EXPECT_TRUE(found_for(goal, root, 3, 6).instructions.empty());
  EXPECT_EQ(found_for(goal, root, 3, 7).instructions.size(), 8u);
}

TEST(Enumeration, TheTeacherGivesTheSameCodeEachTime) {
  const test::CompiledFunction f(
      "pub fn f(a: u8, b: u8) -> bool { !(a < b) && !(a == b) || (a & 1) == 1 && a % 2 != 0 }");
  const LoneWindow lone =
      lone_window(f.get().code, find_code_windows(f.get().code, f.get().function)[0]);
  const TaughtWindow one = teach_window(lone.code.view(), {}),
                     two = teach_window(lone.code.view(), {});
  EXPECT_TRUE(one.is_cheaper);
  EXPECT_LT(one.cost_after, cost_of_code(rewrite(lone.code.view()).view(), 0));
  EXPECT_GT(one.enumerated, 0u);
  EXPECT_EQ(one.code.instructions, two.code.instructions);
  EXPECT_EQ(one.code.constants, two.code.constants);
}

}  // namespace
}  // namespace komuz::neural
