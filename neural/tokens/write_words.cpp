// SPDX-License-Identifier: Apache-2.0
#include "neural/tokens/write_words.h"

#include <algorithm>
#include <optional>

#include "neural/tokens/made_constant.h"
#include "neural/tokens/vocabulary.h"

namespace komuz::neural {
namespace {

// Writes the words of one function. Whoever derives says what a constant is.
class LineWriter {
 public:
  LineWriter(const CodeView& lone, WordLine& line) : lone_(lone), line_(line) { line_.count = 0; }

  template <class WriteConstant>
  Unwritten write(const WriteConstant& write_constant) {
    const Function& f = lone_.functions[0];
    if (lone_.functions.size() != 1 || f.result_cells != 1) return Unwritten::NotLone;
    if (f.parameter_slots > kMostInputWords) return Unwritten::TooManySlots;
    const u32 count = f.code_end - f.code_begin;
    for (u32 at = 0; at < count && why_ == Unwritten::None; ++at) {
      close(at);
      const Instruction i = lone_.instructions[f.code_begin + at];
      if (i.op == Op::LoadConst)
        why_ = write_constant({i.type, lone_.constants[i.b]});
      else
        instruction(i, f.parameter_slots, at + 1 == count);
    }
    return why_ != Unwritten::None || open_ == 0 ? why_ : Unwritten::NotLone;
  }
  Unwritten add(u8 word, Scalar type = Scalar::None) {
    if (line_.count == kMostSourceWords) return why_ = Unwritten::TooLong;
    line_.words[line_.count] = word;
    line_.types[line_.count++] = type;
    return Unwritten::None;
  }
  [[nodiscard]] std::span<const Scalar> locals() const { return {local_types_, locals_}; }

 private:
  void instruction(Instruction i, u32 parameters, bool is_last) {
    switch (i.op) {
      case Op::LoadVar:
        if (i.a < parameters)
          add(word_of(WordKind::Input, i.a), i.type);
        else if (const auto local = local_of(i.a, i.type))
          add(word_of(WordKind::Load, *local), i.type);
        return;
      case Op::StoreVar:
        if (i.a < parameters)
          why_ = Unwritten::NotLone;
        else if (const auto local = local_of(i.a, i.type))
          add(word_of(WordKind::Store, *local), i.type);
        return;
      case Op::JumpIfFalse:
        if (i.a != 1) why_ = Unwritten::NotLone;
        add(word_of(WordKind::If));
        return;
      case Op::Jump:
        if (i.a != 1) why_ = Unwritten::NotLone;
        add(word_of(WordKind::Else));
        open(i.b, WordKind::EndIf);
        return;
      case Op::JumpIfFalseOrPop:
        add(word_of(WordKind::And));
        open(i.b, WordKind::EndLazy);
        return;
      case Op::JumpIfTrueOrPop:
        add(word_of(WordKind::Or));
        open(i.b, WordKind::EndLazy);
        return;
      case Op::Return:
        if (!is_last) why_ = Unwritten::NotLone;
        add(kEnd);
        return;
      default: break;
    }
    const OpForm form = op_row(i.op).form;
    if (is_pure_form(form))
      add(operation_word(i), result_type(form, i.type));
    else
      why_ = Unwritten::NotLone;
  }

  // The number of a local slot. In checked code the first instruction that names one stores to it.
  std::optional<u32> local_of(u32 slot, Scalar type) {
    const auto found = std::find(local_slots_, local_slots_ + locals_, slot);
    if (found != local_slots_ + locals_) return static_cast<u32>(found - local_slots_);
    if (locals_ == kMostLocalWords) {
      why_ = Unwritten::TooManySlots;
      return {};
    }
    local_slots_[locals_] = slot;
    local_types_[locals_] = type;
    return locals_++;
  }

  struct Merge {
    u32 at;
    WordKind word;
  };
  void open(u32 at, WordKind word) {
    if (open_ < kMostSourceWords) merges_[open_++] = {at, word};
  }
  // The arms and lazy operands that end before an instruction.
  void close(u32 at) {
    for (; open_ > 0 && merges_[open_ - 1].at == at && why_ == Unwritten::None; --open_)
      add(word_of(merges_[open_ - 1].word), line_.types[line_.count - 1]);
  }

  const CodeView& lone_;
  WordLine& line_;
  Unwritten why_ = Unwritten::None;
  Merge merges_[kMostSourceWords];
  u32 open_ = 0;
  u32 local_slots_[kMostLocalWords] = {};
  Scalar local_types_[kMostLocalWords] = {};
  u32 locals_ = 0;
};

}  // namespace

std::string_view sentence(Unwritten why) {
  switch (why) {
    case Unwritten::None: return "it has words";
    case Unwritten::NotLone: return "it is no function of scalars without calls and loops";
    case Unwritten::TooLong: return "it has more than 96 words";
    case Unwritten::TooManySlots: return "it has more than 8 parameters, or more than 8 variables";
    case Unwritten::TooManyConstants: return "it has more than 16 different constants";
    case Unwritten::NoWord: return "it has a constant that is not made of those of the source";
  }
  return "";
}

Unwritten write_source(const CodeView& lone, Source& source, WordLine& line) {
  LineWriter writer(lone, line);
  TypedCell constants[kMostConstantWords];
  u32 count = 0;
  const Unwritten why = writer.write([&](const TypedCell& constant) {
    if (const auto literal = literal_word(constant.type, constant.cell))
      return writer.add(*literal, constant.type);
    const auto number =
        static_cast<u32>(std::find(constants, constants + count, constant) - constants);
    if (number == kMostConstantWords) return Unwritten::TooManyConstants;
    if (number == count) constants[count++] = constant;
    return writer.add(word_of(WordKind::Constant, number), constant.type);
  });
  if (why != Unwritten::None) return why;
  const Function& f = lone.functions[0];
  Scalar inputs[kMostInputWords];
  for (u32 k = 0; k < f.parameter_slots; ++k)
    inputs[k] = static_cast<Scalar>(lone.slot_types[f.slots_begin + k]);
  source.assign({inputs, f.parameter_slots}, writer.locals(), {constants, count},
                static_cast<Scalar>(lone.result_type(f)[0]));
  source.set_operations(operations_of(line));
  return why;
}

Unwritten write_target(const CodeView& lone, const Source& source, WordLine& line) {
  LineWriter writer(lone, line);
  return writer.write([&](const TypedCell& constant) {
    const MadeConstant made = make_constant(constant, source);
    if (made.count == 0) return Unwritten::NoWord;
    for (u32 k = 0; k < made.count; ++k)
      if (const Unwritten why = writer.add(made.words[k], made.types[k]); why != Unwritten::None)
        return why;
    return Unwritten::None;
  });
}

WordSet operations_of(const WordLine& line) {
  WordSet operations;
  for (const u8 word : line.view())
    if (word_row(word).kind == WordKind::Operation) operations.add(word);
  return operations;
}

std::string words_text(std::span<const u8> words) {
  std::string text;
  for (const u8 word : words) {
    if (!text.empty()) text += ' ';
    text += word_name(word);
  }
  return text;
}

}  // namespace komuz::neural
