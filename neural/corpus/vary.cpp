// SPDX-License-Identifier: Apache-2.0
#include "neural/corpus/vary.h"

#include <algorithm>

#include "neural/corpus/skeleton.h"
#include "neural/tokens/vocabulary.h"

namespace komuz::neural {
namespace {

// Writes the words of a line again, and changes the order of operands when it comes to what takes them.
class Rearranged {
 public:
  Rearranged(Random& random, WordLine& out) : random_(random), out_(out) { out_.count = 0; }

  void add_all(const WordLine& line) {
    for (u32 at = 0; at < line.count; ++at) add(line.words[at], line.types[at]);
  }

 private:
  void add(u8 word, Scalar type) {
    const Word& row = word_row(word);
    switch (row.kind) {
      case WordKind::Operation: {
        const u32 count = operand_count(op_row(row.op).form);
        u8 written = word;
        if (count == 2 && random_.one_in(2)) written = exchange(row.op, word);
        height_ -= count - 1;
        push(written, type);
        return;
      }
      case WordKind::Store: {
        push(word, type);
        const u32 begin = begins_[--height_];
        if (height_ == 0) end_variable(begin, row.number);
        return;
      }
      case WordKind::If:
      case WordKind::Else:
      case WordKind::And:
      case WordKind::Or:
        // What follows is one cell together with what was there; where it began stays known.
        push(word, type);
        open_[opened_++] = begins_[--height_];
        return;
      case WordKind::EndIf:
      case WordKind::EndLazy:
        push(word, type);
        // Of an `if` the condition and the first arm are open.
        for (u32 k = row.kind == WordKind::EndIf ? 2 : 1; k > 0; --k)
          begins_[height_ - 1] = open_[--opened_];
        variable_ = 0;
        return;
      case WordKind::End: push(word, type); return;
      default:
        begins_[height_++] = out_.count;
        push(word, type);
        return;
    }
  }
  void push(u8 word, Scalar type) {
    out_.words[out_.count] = word;
    out_.types[out_.count++] = type;
  }

  // The word for the operands in the other order, which they then have.
  u8 exchange(Op op, u8 word) {
    const Op mirror = mirrored(op);
    if (mirror == op && !is_commutative(op)) return word;
    const u32 first = begins_[height_ - 2], second = begins_[height_ - 1];
    if (has_store(first, out_.count)) return word;  // the second may read what the first has stored
    rotate(first, second);
    return operation_word({mirror, Scalar::None, 0, 0});
  }
  void rotate(u32 first, u32 second) {
    std::rotate(out_.words + first, out_.words + second, out_.words + out_.count);
    std::rotate(out_.types + first, out_.types + second, out_.types + out_.count);
  }
  [[nodiscard]] bool has_store(u32 begin, u32 end) const {
    return std::any_of(out_.words + begin, out_.words + end,
                       [](u8 word) { return word_row(word).kind == WordKind::Store; });
  }
  [[nodiscard]] bool names(u32 begin, u32 end, u8 local) const {
    return std::any_of(out_.words + begin, out_.words + end, [local](u8 word) {
      const Word& row = word_row(word);
      return (row.kind == WordKind::Load || row.kind == WordKind::Store) && row.number == local;
    });
  }
  // [begin, end of the words) has stored a variable, with nothing else on the stack.
  void end_variable(u32 begin, u8 local) {
    const bool follows =
        opened_ == 0 && variable_ != 0 && variable_ - 1 < begin && variable_end_ == begin;
    const u32 earlier = variable_ - 1;
    if (follows && random_.one_in(2) && !names(begin, out_.count, local_) &&
        !names(earlier, begin, local) && !has_store(begin, out_.count - 1)) {
      const u32 length = out_.count - begin;
      rotate(earlier, begin);
      variable_ = earlier + length + 1;
    } else if (opened_ == 0) {
      variable_ = begin + 1;
      local_ = local;
    }
    variable_end_ = out_.count;
  }

  Random& random_;
  WordLine& out_;
  u32 begins_[kMostSourceWords + 2] = {}, height_ = 0;
  u32 open_[kMostSourceWords + 2] = {}, opened_ = 0;
  u32 variable_ = 0,
      variable_end_ = 0;  // the last variable: one behind where it begins, and where it ends
  u8 local_ = 0;
};

// Gives numbers in the order of the first words.
class Renumbered {
 public:
  u8 number(u8 old) {
    const auto found = std::find(order_, order_ + count_, old);
    if (found == order_ + count_) order_[count_++] = old;
    return static_cast<u8>(found - order_);
  }
  [[nodiscard]] std::span<const u8> order() const { return {order_, count_}; }

 private:
  u8 order_[kMostConstantWords] = {};
  u32 count_ = 0;
};

}  // namespace

bool vary(Random& random, const Source& source, const WordLine& line, Source& other_source,
          WordLine& other) {
  Rearranged(random, other).add_all(line);
  Renumbered inputs, constants, locals;
  std::vector<Scalar> local_types;
  for (u32 at = 0; at < other.count; ++at) {
    u8& word = other.words[at];
    const Word& row = word_row(word);
    switch (row.kind) {
      case WordKind::Input: word = word_of(WordKind::Input, inputs.number(row.number)); break;
      case WordKind::Constant:
        word = word_of(WordKind::Constant, constants.number(row.number));
        break;
      case WordKind::Store:
      case WordKind::Load: {
        const size_t known = locals.order().size();
        word = word_of(row.kind, locals.number(row.number));
        if (locals.order().size() > known) local_types.push_back(other.types[at]);
        break;
      }
      default: break;
    }
  }
  std::vector<Scalar> input_types;
  for (const u8 input : inputs.order()) input_types.push_back(source.inputs()[input]);
  std::vector<TypedCell> cells;
  for (const u8 constant : constants.order()) cells.push_back(source.constants()[constant]);
  other_source.assign(input_types, local_types, cells, source.result());
  other_source.set_operations(operations_of(other));
  return !std::ranges::equal(other.view(), line.view());
}

}  // namespace komuz::neural
