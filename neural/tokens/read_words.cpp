// SPDX-License-Identifier: Apache-2.0
#include "neural/tokens/read_words.h"

#include <algorithm>

#include "neural/tokens/decoding.h"
#include "neural/tokens/made_constant.h"

namespace komuz::neural {
namespace {

class WordReader {
 public:
  explicit WordReader(const Source& source) : source_(source), prefix_(source) {
    slot_types_.assign(source.inputs().begin(), source.inputs().end());
    slot_types_.insert(slot_types_.end(), source.locals().begin(), source.locals().end());
    is_taken_.resize(slot_types_.size());
    std::fill_n(is_taken_.begin(), source.inputs().size(), true);
  }

  Problem read(std::span<const u8> words) {
    for (const u8 word : words) {
      if (prefix_.is_done()) return input_problem("there are words behind END");
      if (!prefix_.allowed().has(word))
        return input_problem("word " + std::to_string(prefix_.size() + 1) + ", `" +
                             word_name(word) + "`, cannot stand there");
      add(word);
      prefix_.feed(word);
    }
    return prefix_.is_done() ? Problem() : input_problem("the words have no END");
  }

  Code take_code() {
    Function f;
    code_.names = "window";
    f.name_end = static_cast<u32>(code_.names.size());
    code_.types = {kTupleCode, static_cast<u8>(source_.inputs().size())};
    for (const Scalar type : source_.inputs()) {
      code_.types.push_back(static_cast<u8>(type));
      code_.parameter_names.push_back({0, f.name_end});
    }
    code_.types.push_back(static_cast<u8>(source_.result()));
    for (const Scalar type : slot_types_) code_.slot_types.push_back(static_cast<u8>(type));
    f.parameter_slots = static_cast<u16>(source_.inputs().size());
    f.slots = static_cast<u16>(slot_types_.size());
    f.result_cells = 1;
    f.is_public = true;
    f.code_end = static_cast<u32>(code_.instructions.size());
    code_.places.assign(code_.instructions.size(), 0);
    code_.functions.push_back(f);
    return std::move(code_);
  }

 private:
  void add(u8 word) {
    const Word& row = word_row(word);
    std::vector<Instruction>& out = code_.instructions;
    const auto here = [&] { return static_cast<u32>(out.size()); };
    switch (row.kind) {
      case WordKind::End: out.push_back({Op::Return, Scalar::None, 0, 0}); return;
      case WordKind::If: open({Op::JumpIfFalse, Scalar::None, 1, 0}); return;
      case WordKind::Else: {
        const u32 branch = open_.back();
        open_.pop_back();
        open({Op::Jump, Scalar::None, 1, 0});
        out[branch].b = here();
        return;
      }
      case WordKind::And: open({Op::JumpIfFalseOrPop, Scalar::None, 0, 0}); return;
      case WordKind::Or: open({Op::JumpIfTrueOrPop, Scalar::None, 0, 0}); return;
      case WordKind::EndIf:
      case WordKind::EndLazy:
        out[open_.back()].b = meeting_ = here();
        open_.pop_back();
        return;
      case WordKind::Constant: constant(source_.constants()[row.number]); return;
      case WordKind::Literal: constant({row.type, row.cell}); return;
      case WordKind::Store:
      case WordKind::Load: {
        Instruction i = prefix_.instruction(word);
        i.a = slot_of(row.number, i.type);
        out.push_back(i);
        return;
      }
      case WordKind::Operation: operation(prefix_.instruction(word)); return;
      default: out.push_back(prefix_.instruction(word)); return;
    }
  }

  void open(Instruction jump) {
    open_.push_back(static_cast<u32>(code_.instructions.size()));
    code_.instructions.push_back(jump);
    meeting_ = static_cast<u32>(code_.instructions.size());
  }
  void constant(const TypedCell& value) {
    const auto found = std::ranges::find(code_.constants, value.cell);
    const auto number = static_cast<u32>(found - code_.constants.begin());
    if (found == code_.constants.end()) code_.constants.push_back(value.cell);
    code_.instructions.push_back({Op::LoadConst, value.type, 0, number});
  }
  // Constants that nothing else comes between, and no way leads behind.
  void operation(Instruction i) {
    std::vector<Instruction>& out = code_.instructions;
    const u32 count = operand_count(op_row(i.op).form);
    u64 cells[3] = {};
    bool is_constant = out.size() >= meeting_ + count;
    for (u32 k = 0; k < count && is_constant; ++k) {
      const Instruction operand = out[out.size() - count + k];
      is_constant = operand.op == Op::LoadConst;
      if (is_constant) cells[k] = code_.constants[operand.b];
    }
    const EvaluatedConstant made =
        is_constant ? evaluate_constants(i, cells) : EvaluatedConstant{0, true};
    if (made.has_trapped) return out.push_back(i);
    out.resize(out.size() - count);
    drop_unused();
    constant({result_type(op_row(i.op).form, i.type), made.cell});
  }
  // Constants from the last on that no instruction loads.
  void drop_unused() {
    const auto is_used = [&](u32 number) {
      return std::ranges::any_of(code_.instructions, [number](Instruction i) {
        return i.op == Op::LoadConst && i.b == number;
      });
    };
    while (!code_.constants.empty() && !is_used(static_cast<u32>(code_.constants.size()) - 1))
      code_.constants.pop_back();
  }
  u16 slot_of(u8 number, Scalar type) {
    if (number == locals_.size()) {
      size_t slot = 0;
      while (slot < slot_types_.size() && (is_taken_[slot] || slot_types_[slot] != type)) ++slot;
      if (slot == slot_types_.size()) {
        slot_types_.push_back(type);
        is_taken_.push_back(false);
      }
      is_taken_[slot] = true;
      locals_.push_back(static_cast<u16>(slot));
    }
    return locals_[number];
  }

  const Source& source_;
  Decoding prefix_;
  Code code_;
  std::vector<Scalar> slot_types_;
  std::vector<bool> is_taken_;
  std::vector<u16> locals_;  // the slot of each local slot of the words
  std::vector<u32> open_;    // instructions whose targets are still to come
  u32 meeting_ = 0;          // ways may meet before this instruction, and before none behind it
};

}  // namespace

Result<Code> read_words(const Source& source, std::span<const u8> words) {
  CodeChecker checker;
  return read_words(source, words, checker);
}

Result<Code> read_words(const Source& source, std::span<const u8> words, CodeChecker& checker) {
  WordReader reader(source);
  if (Problem problem = reader.read(words)) return problem;
  Code code = reader.take_code();
  if (const CodeError wrong = checker.check(code.view(), code.functions))
    return input_problem(wrong.reason);
  return code;
}

}  // namespace komuz::neural
