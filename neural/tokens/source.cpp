// SPDX-License-Identifier: Apache-2.0
#include "neural/tokens/source.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "neural/tokens/vocabulary.h"

namespace komuz::neural {
namespace {

struct LiteralWords {
  WordSet all, of_type[kScalarCount];
  LiteralWords() {
    for (u32 w = word_of(WordKind::Literal); w < word_of(WordKind::Operation); ++w) {
      all.add(static_cast<u8>(w));
      of_type[static_cast<u32>(word_row(static_cast<u8>(w)).type)].add(static_cast<u8>(w));
    }
  }
};

}  // namespace

struct Source::Parts {
  std::vector<Scalar> inputs, locals;
  std::vector<TypedCell> constants;
  Scalar result = Scalar::None;
  WordSet leaves, operations, leaves_of_type[kScalarCount];

  Code code;  // its constants: the literals, then those of the source
  CheckWords<Inline> words;
  u32 result_types_at = 0;
  PrefixChecker::Program program;
};

Source::Source() = default;
Source::Source(std::span<const Scalar> inputs, std::span<const Scalar> locals,
               std::span<const TypedCell> constants, Scalar result) {
  assign(inputs, locals, constants, result);
}
Source::~Source() = default;
Source::Source(Source&&) noexcept = default;
Source& Source::operator=(Source&&) noexcept = default;

void Source::assign(std::span<const Scalar> inputs, std::span<const Scalar> locals,
                    std::span<const TypedCell> constants, Scalar result) {
  const u32 first_literal = word_of(WordKind::Literal),
            literals = word_of(WordKind::Operation) - first_literal;
  if (!parts_) {
    parts_ = std::make_unique<Parts>();
    for (u32 k = 0; k < literals; ++k)
      parts_->code.constants.push_back(word_row(static_cast<u8>(first_literal + k)).cell);
  }
  Parts& p = *parts_;
  p.inputs.assign(inputs.begin(), inputs.end());
  p.locals.assign(locals.begin(), locals.end());
  p.constants.assign(constants.begin(), constants.end());
  p.result = result;
  static const LiteralWords literal_words;
  p.operations = {};
  p.leaves = literal_words.all;
  std::copy(std::begin(literal_words.of_type), std::end(literal_words.of_type), p.leaves_of_type);
  const auto add = [&](u8 word, Scalar type) {
    p.leaves.add(word);
    p.leaves_of_type[static_cast<u32>(type)].add(word);
  };
  for (u32 k = 0; k < inputs.size(); ++k) add(word_of(WordKind::Input, k), inputs[k]);
  for (u32 k = 0; k < constants.size(); ++k) add(word_of(WordKind::Constant, k), constants[k].type);

  Code& code = p.code;
  code.constants.resize(literals);
  for (const TypedCell& constant : constants) code.constants.push_back(constant.cell);
  code.types = {kTupleCode, static_cast<u8>(inputs.size())};
  code.slot_types.clear();
  for (const Scalar type : inputs) {
    code.types.push_back(static_cast<u8>(type));
    code.slot_types.push_back(static_cast<u8>(type));
  }
  p.result_types_at = static_cast<u32>(code.types.size());
  code.types.push_back(static_cast<u8>(result));
  code.slot_types.resize(inputs.size() + kMostLocalWords, static_cast<u8>(Scalar::None));
  Function f;
  f.parameter_slots = static_cast<u16>(inputs.size());
  f.slots = static_cast<u16>(code.slot_types.size());
  f.result_cells = 1;
  code.functions.assign(1, f);
  // As high as the stack of kMostTargetWords words may get that still end: each cell above the first takes a word.
  p.program = {code.view(), {&p.result_types_at, 1}, kMostTargetWords / 2 + 2, &p.words};
}

std::span<const Scalar> Source::inputs() const { return parts_->inputs; }
std::span<const Scalar> Source::locals() const { return parts_->locals; }
std::span<const TypedCell> Source::constants() const { return parts_->constants; }
Scalar Source::result() const { return parts_->result; }
const WordSet& Source::operations() const { return parts_->operations; }
void Source::set_operations(const WordSet& operations) { parts_->operations = operations; }
const WordSet& Source::leaves() const { return parts_->leaves; }
const WordSet& Source::leaves(Scalar type) const {
  return parts_->leaves_of_type[static_cast<u32>(type)];
}
const PrefixChecker::Program& Source::program() const { return parts_->program; }

Scalar Source::leaf_type(u8 word) const {
  const Word& row = word_row(word);
  switch (row.kind) {
    case WordKind::Input: return parts_->inputs[row.number];
    case WordKind::Constant: return parts_->constants[row.number].type;
    default: return row.type;
  }
}

Instruction Source::leaf(u8 word) const {
  const Word& row = word_row(word);
  const Scalar type = leaf_type(word);
  if (row.kind == WordKind::Input) return {Op::LoadVar, type, row.number, 0};
  const u32 first_literal = word_of(WordKind::Literal),
            literals = word_of(WordKind::Operation) - first_literal;
  return {Op::LoadConst, type, 0,
          row.kind == WordKind::Constant ? literals + row.number : word - first_literal};
}

}  // namespace komuz::neural
