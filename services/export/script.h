// SPDX-License-Identifier: Apache-2.0
// Checked bytecode as expressions and statements again, as a person would write them: what every target is written
// from. Bytecode has one meaning for each operation (lang/ops/), its control flow is structured, and calls of modules
// are linked. So an export of it means what Komuz runs, and leaves out no construct of the language by chance.
//
//   Term        a value: a constant, a variable, an operation on terms. Operands stand before the operations that take them
//   Statement   a line: an assignment, the head or the end of a block. Blocks are marked, so statements are a flat list
#pragma once
#include <span>
#include <string>
#include <vector>

#include "base/problem.h"
#include "lang/code.h"
#include "services/export/entry_types.h"

namespace komuz::services {

enum class TermKind : u8 {
  Constant,   // cell
  Variable,   // number: of the function's variables
  Operation,  // op, operand_type, other_type; operands
  Power,      // number: how often a float is taken, as a product from left to right
  Choose,     // operands: condition, then, else; one of the two is evaluated
  AndThen,    // the right one is evaluated where the left one is true
  OrElse,
  Call,  // number: of the script's functions
  Element,  // number: of a variable that is an array; operand: the index. cell: 1 if it is known to lie inside
  // References (docs/bytecode.md): type is that of a reference.
  Slice,  // number: of a variable that is an array, all of it
  Part,  // operands: a reference, the index of the first element and that behind the last one, which lie inside
  ElementOf,  // operands: a reference, an index that lies inside
};

struct Term {
  TermKind kind = TermKind::Constant;
  Op op = Op::LoadConst;
  Scalar type = Scalar::None;          // of the value
  Scalar operand_type = Scalar::None;  // of an operation: its field `type`
  Scalar other_type = Scalar::None;    // … and the type in its field a
  bool may_trap = false;               // it, or one of its operands
  u32 number = 0;
  u64 cell = 0;
  u32 place = 0;                             // in the source, as of an instruction
  u32 operands_begin = 0, operands_end = 0;  // in ScriptFunction::operands
};

enum class StatementKind : u8 {
  Assign,        // variable = term
  Declare,       // a variable that both arms of the If behind it assign
  CountDown,     // variable, an i64 above 0, less 1
  MakeArray,     // variable, of the values
  StoreElement,  // variable, index: `second`, term; number: 1 if it is known to lie inside
  Call,  // variables = a function of several results: values are the arguments, targets the variables
  If,    // term
  Else,
  EndIf,
  Loop,   // until something leaves it
  While,  // term
  For,    // variable from term to before `second`; number: 1 if `second` is one of them
  EndLoop,
  BreakUnless,  // term
  Break,
  Continue,
  Require,  // term, else the trap
  Trap,
  Return,  // values
};

struct Statement {
  StatementKind kind = StatementKind::Assign;
  Trap trap = Trap::None;
  u32 variable = 0;
  u32 term = 0, second = 0;
  u32 number = 0;
  std::vector<u32> values, targets;
};

struct ScriptVariable {
  std::string name;
  Scalar type = Scalar::None;
  bool is_named = false;   // by the program
  u32 stores = 0;          // statements that assign it
  u32 length = 0;          // of an array; 0: it is a number
  bool is_inside = false;  // a slot of an array before it, and no variable
};

struct ScriptFunction {
  std::string name;
  bool is_entry = false;
  u32 rec = 0;         // at most so many calls in one another; 0: it does not call itself
  u32 cycle = 0;       // functions that call each other have the same number; 0: none
  u32 parameters = 0;  // the first variables
  std::vector<Scalar> results;
  std::vector<ScriptVariable> variables;
  std::vector<Term> terms;
  std::vector<u32> operands;
  std::vector<Statement> statements;
  EntryTypes types;  // of the entry
  u32 place = 0;     // in the source

  [[nodiscard]] std::span<const u32> operands_of(const Term& term) const {
    return std::span(operands).subspan(term.operands_begin,
                                       term.operands_end - term.operands_begin);
  }
  [[nodiscard]] std::span<const u32> operands_of(u32 term) const {
    return operands_of(terms[term]);
  }
};

struct Script {
  std::vector<ScriptFunction>
      functions;  // those that are called before those that call them, the entry last
  bool has_loops = false;
};

// What a target wants of terms.
struct ScriptOptions {
  // `x ** 3` stays a power; else it is a product, of a variable where x is more than a name.
  bool keeps_powers = false;
  // Copies stay terms that stand twice; else they become variables.
  bool repeats_terms = false;
  // The target does not say in which order operands are evaluated: where two may trap, all but the last become variables.
  bool orders_traps = false;
  // The compiler wrote the code, so indices of references have been checked before.
  bool trusts_references = false;
};

// The names of a function's slots; empty where the program gives none.
using SlotNames = std::vector<std::string>;

// `names`: of the functions in code. A problem says what cannot be exported, and its place: a byte of the source.
struct ScriptProblem {
  Problem problem;
  u32 function = 0;
  u32 place = 0;
};
[[nodiscard]] ScriptProblem read_script(const CodeView& code, u32 entry,
                                        std::span<const SlotNames> names,
                                        const ScriptOptions& options, Script& out);

}  // namespace komuz::services
