// SPDX-License-Identifier: Apache-2.0
// Regions of code, which become arms, lazy operators and loops of a script.
#pragma once
#include <utility>
#include <vector>

#include "services/export/slice_builder.h"

namespace komuz::services {

class RegionBuilder : public SliceBuilder {
 public:
  using SliceBuilder::SliceBuilder;

 protected:
  void open(Region region) {
    region.height = stack_.size();
    region.before = std::exchange(block_, {});
    regions_.push_back(std::move(region));
  }
  static bool leaves(const std::vector<Statement>& block) {
    if (block.empty()) return false;
    const StatementKind kind = block.back().kind;
    return kind == StatementKind::Return || kind == StatementKind::Break ||
           kind == StatementKind::Continue || kind == StatementKind::Trap;
  }
  void close_regions(u32 at) {
    while (!regions_.empty() && regions_.back().end == at &&
           regions_.back().kind != Region::Kind::Loop &&
           regions_.back().kind != Region::Kind::FirstArm) {
      Region region = std::move(regions_.back());
      regions_.pop_back();
      std::vector<Statement> second = std::exchange(block_, std::move(region.before));
      if (region.kind == Region::Kind::Lazy)
        close_lazy(region, std::move(second));
      else
        close_arms(region, std::move(second));
    }
  }
  void close_lazy(Region& region, std::vector<Statement> right_statements) {
    const u32 right = pop();
    if (right_statements.empty()) {
      Term term;
      term.kind = region.is_or ? TermKind::OrElse : TermKind::AndThen;
      term.type = Scalar::Bool;
      const u32 operands[] = {region.condition, right};
      stack_.push_back(add(term, operands));
      return;
    }
    settle(stack_.size());
    const u32 number = new_variable(Scalar::Bool);
    assign(number, region.condition);
    u32 condition = variable(number);
    if (region.is_or) {
      const u32 operands[] = {condition};
      condition = operation(Op::Not, Scalar::Bool, Scalar::None, operands);
    }
    push_if(condition);
    append(std::move(right_statements));
    assign(number, right);
    push_mark(StatementKind::EndIf);
    stack_.push_back(variable(number));
  }
  void close_arms(Region& region, std::vector<Statement> second) {
    std::vector<Statement> first = std::move(region.first);
    if (region.kind == Region::Kind::OneArm) std::swap(first, second);
    const size_t count = region.first_values.size();
    const std::vector<u32> second_values = pop(count);
    const bool pure = first.empty() && second.empty();
    const auto chosen = [&](size_t k) {
      Term term;
      term.kind = TermKind::Choose;
      term.type = out_.terms[second_values[k]].type;
      const u32 operands[] = {region.condition, region.first_values[k], second_values[k]};
      return add(term, operands);
    };
    if (pure && count == 1) {
      stack_.push_back(chosen(0));
      return;
    }
    if (pure && count == 0) {
      if (!out_.terms[region.condition].may_trap) return;
      settle(stack_.size());
      (void)keep(region.condition);
      return;
    }
    settle(stack_.size());
    std::vector<u32> numbers;
    for (size_t k = 0; k < count; ++k) {
      numbers.push_back(new_variable(out_.terms[second_values[k]].type));
      Statement declare;
      declare.kind = StatementKind::Declare;
      declare.variable = numbers.back();
      block_.push_back(std::move(declare));
    }
    push_if(region.condition);
    const bool first_leaves = leaves(first), second_leaves = leaves(second);
    append(std::move(first));
    if (!first_leaves)
      for (size_t k = 0; k < count; ++k) pass_on(numbers[k], region.first_values, k);
    if (!second.empty() || (count != 0 && !second_leaves)) {
      push_mark(StatementKind::Else);
      append(std::move(second));
      if (!second_leaves)
        for (size_t k = 0; k < count; ++k) pass_on(numbers[k], second_values, k);
    }
    push_mark(StatementKind::EndIf);
    for (const u32 number : numbers) stack_.push_back(variable(number));
  }
  void push_if(u32 condition) {
    Statement statement;
    statement.kind = StatementKind::If;
    statement.term = condition;
    block_.push_back(std::move(statement));
  }
  void push_mark(StatementKind kind) {
    Statement statement;
    statement.kind = kind;
    block_.push_back(std::move(statement));
  }
  void append(std::vector<Statement> statements) {
    for (Statement& statement : statements) block_.push_back(std::move(statement));
  }
  void close_loop() {
    Region region = std::move(regions_.back());
    regions_.pop_back();
    std::vector<Statement> body = std::exchange(block_, std::move(region.before));
    Statement head;
    head.kind = StatementKind::Loop;
    size_t from = 0;
    if (!body.empty() && body[0].kind == StatementKind::BreakUnless) {
      head = body[0];
      head.kind = StatementKind::While;
      from = 1;
    } else if (!body.empty() && body[0].kind == StatementKind::For) {
      head = body[0];
      take_range(head);
      from = 1;
    }
    block_.push_back(std::move(head));
    body.erase(body.begin(), body.begin() + static_cast<std::ptrdiff_t>(from));
    append(std::move(body));
    push_mark(StatementKind::EndLoop);
  }
  // The ends of the range are the two assignments before the loop.
  void take_range(Statement& head) {
    const size_t size = block_.size();
    const u32 next = head.values[0], bound = next + 1;
    const auto assigns = [&](size_t back, u32 number) {
      return size >= back && block_[size - back].kind == StatementKind::Assign &&
             block_[size - back].variable == number;
    };
    head.values.clear();
    if (assigns(1, next) && assigns(2, bound)) {
      const u32 low = block_[size - 1].term, high = block_[size - 2].term;
      const bool is_fixed = is_leaf(high) && !mentions_[high];
      head.term = low;
      block_.pop_back();
      if (is_fixed && read_[bound] == 0) {
        head.second = high;
        block_.pop_back();
      } else {
        head.second = variable(bound);
      }
      return;
    }
    head.term = variable(next);
    head.second = variable(bound);
  }
  // In the blocks inside of the one that a waiting value belongs to.
  [[nodiscard]] bool has_statements_since(size_t at) const {
    size_t own = 0;  // the number of regions around that block
    while (own < regions_.size() && regions_[own].height <= at) ++own;
    if (own == regions_.size()) return false;
    for (size_t k = own + 1; k < regions_.size(); ++k)
      if (!regions_[k].before.empty()) return true;
    return !block_.empty();
  }
};

}  // namespace komuz::services
