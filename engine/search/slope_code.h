// SPDX-License-Identifier: Apache-2.0
// Code for the derivatives of a program's value by some of its numbers, made of the program's own code, so that any machine runs it,
// with the same bits.
//
//   parts    takes what the program takes and gives every value that no number has a part in and that a value with one is made of:
//            it runs once, whatever the numbers are
//   slopes   takes these parts and gives the value, and its derivative by each number; the numbers are its first constants
//
// In `a + b * sin(c * x * x)` with the numbers a, b and c, `x * x` is a part. The derivatives are made from the value down, in one pass
// (reverse accumulation; Linnainmaa, 1970): they take a few times as long as the value, however many numbers there are.
//
// Only a straight line of operations has such code: no loops, no branches, no calls. What has a number in it is an f64, made by
// operations that have a derivative.
#pragma once
#include <span>
#include <vector>

#include "lang/code.h"

namespace komuz::engine {

struct SlopeCode {
  static constexpr u32 kNone = ~0u;
  // Each is a program of one function.
  Code parts, slopes;
  // Where the parameters of `slopes` come from: a slot of the program's parameters, or a result of `parts`.
  struct Source {
    bool is_argument = false;
    u32 at = 0;
  };
  std::vector<Source> sources;
  u32 part_count = 0;  // results of `parts`
};

// Makes the code of programs, one after the other. A workspace.
class SlopeWriter {
 public:
  // `number_of`: for each constant of the code the number that it is, or SlopeCode::kNone. False: there is no such code, or no number
  // has a part in the value.
  [[nodiscard]] bool write(const CodeView& code, u32 entry, std::span<const u32> number_of,
                           u32 numbers, SlopeCode& out);

 private:
  enum class NodeKind : u8 { Operation, Argument, Constant, Number };
  struct Node {
    NodeKind kind = NodeKind::Operation;
    bool has_number = false;  // a number has a part in it
    bool is_needed =
        false;  // by a value with a number in it: one of the parts, or what they are made of
    Instruction code{};    // of an operation
    u32 operands[3] = {};  // nodes
    u32 at = 0;            // a slot, a number, or a row of constants
    Scalar type = Scalar::None;
  };
  // What an operation takes: the value one, a slot, or a constant.
  struct Term {
    enum Kind : u8 { None, One, Slot, Constant } kind = None;
    u32 at = 0;
  };

  [[nodiscard]] bool read(const CodeView& code, const Function& f, std::span<const u32> number_of,
                          u32 numbers);
  [[nodiscard]] bool push_operation(Instruction i);
  void write_parts(const CodeView& code, const Function& f, SlopeCode& out);
  [[nodiscard]] bool write_slopes(const CodeView& code, u32 numbers, SlopeCode& out);
  [[nodiscard]] bool add_slopes(u32 node);
  void add(u32 node, Term slope);

  void begin_code(Code& out) const;
  static void end_code(Code& out, u32 parameters, u32 slots, u32 results);
  void load(const Term& term);
  [[nodiscard]] Term constant(f64 value);
  [[nodiscard]] Term apply(Op op, std::initializer_list<Term> operands, Scalar type = Scalar::F64,
                           u16 from = 0);
  [[nodiscard]] Term times(const Term& a, const Term& b);
  [[nodiscard]] Term minus(const Term& a);

  std::vector<Node> nodes_;
  std::vector<u32> stack_, variables_;  // nodes
  std::vector<u32> number_nodes_;       // by number
  u32 root_ = 0;
  // Of the code being written:
  Code* to_ = nullptr;
  std::vector<Term> values_, slopes_;  // by node
  u32 slots_ = 0;
};

}  // namespace komuz::engine
