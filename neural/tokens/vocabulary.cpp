// SPDX-License-Identifier: Apache-2.0
#include "neural/tokens/vocabulary.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/hash.h"
#include "lang/check/check_prefix.h"

namespace komuz::neural {
namespace {

struct Literal {
  std::string_view name;
  f64 value = 0;
};

// Indexed by Literal's place in words.def.
constexpr Literal kLiterals[] = {
#define MARK(Name, spelling, meaning)
#define NUMBERED(Name, letter, count, meaning)
#define LITERAL(Name, spelling, types, value) {spelling, value},
#include "neural/tokens/words.def"
};

constexpr u64 literal_cell(Scalar type, f64 value) {
  switch (type) {
    case Scalar::F64: return std::bit_cast<u64>(value);
    case Scalar::F32: return std::bit_cast<u32>(static_cast<f32>(value));
    default: break;
  }
  const u64 whole = static_cast<u64>(static_cast<i64>(value));
  return is_signed(type) || scalar_bits(type) == 64 ? whole
                                                    : whole & ((u64{1} << scalar_bits(type)) - 1);
}

struct Vocabulary {
  std::array<Word, kMostWords> words{};
  u32 count = 0;
  u8 first[static_cast<u32>(WordKind::None) + 1] = {};  // by kind

  constexpr void add(const Word& word) {
    u8& begin = first[static_cast<u32>(word.kind)];
    if (begin == 0) begin = static_cast<u8>(count);
    words[count++] = word;
  }
  constexpr void add_literals(u8 number, TypeSet types, f64 value) {
    for (u32 t = 1; t < kScalarCount; ++t) {
      const auto type = static_cast<Scalar>(t);
      if (types & type_bit(type))
        add({.kind = WordKind::Literal,
             .number = number,
             .type = type,
             .cell = literal_cell(type, value)});
    }
  }
  constexpr void add_operation(Op op) {
    const OpRow& row = op_row(op);
    if (!is_pure_form(row.form)) return;
    if (row.form != OpForm::Convert) return add({.kind = WordKind::Operation, .op = op});
    for (u32 t = 1; t < kScalarCount; ++t) {
      const auto to = static_cast<Scalar>(t);
      if ((row.types & type_bit(to)) && convertible_types(op, to) != type_set::kNone)
        add({.kind = WordKind::Operation, .op = op, .type = to});
    }
  }
};

constexpr Vocabulary make_vocabulary() {
  using namespace type_set;
  Vocabulary made;
#define MARK(Name, spelling, meaning) made.add({.kind = WordKind::Name});
#define NUMBERED(Name, letter, count, meaning) \
  for (u8 n = 0; n < count; ++n) made.add({.kind = WordKind::Name, .number = n});
#define LITERAL(Name, spelling, types, value)
#include "neural/tokens/words.def"
  u8 literal = 0;
#define MARK(Name, spelling, meaning)
#define NUMBERED(Name, letter, count, meaning)
#define LITERAL(Name, spelling, types, value) made.add_literals(literal++, types, value);
#include "neural/tokens/words.def"
#define OP(Name, mnemonic, form, types, traps, meaning) made.add_operation(Op::Name);
#include "lang/ops.def"
  return made;
}

constexpr Vocabulary kVocabulary = make_vocabulary();
static_assert(kVocabulary.count <= kMostWords);
static_assert(kVocabulary.words[kPad].kind == WordKind::Pad &&
              kVocabulary.words[kBegin].kind == WordKind::Begin &&
              kVocabulary.words[kEnd].kind == WordKind::End);

// By operation: its word, or the one that converts to the first type.
constexpr auto kOperationWords = [] {
  std::array<u8, kOpCount> first{};
  for (u32 w = kVocabulary.count; w-- > 0;)
    if (kVocabulary.words[w].kind == WordKind::Operation)
      first[static_cast<u8>(kVocabulary.words[w].op)] = static_cast<u8>(w);
  return first;
}();

// clang-format would join the #include to the macro before it.
// clang-format off
std::string_view kind_spelling(WordKind kind) {
  switch (kind) {
#define MARK(Name, spelling, meaning) \
  case WordKind::Name: return spelling;
#define NUMBERED(Name, letter, count, meaning) \
  case WordKind::Name: return letter;
#define LITERAL(Name, spelling, types, value)
#include "neural/tokens/words.def"
    case WordKind::Literal:
    case WordKind::Operation:
    case WordKind::None: break;
  }
  return "?";
}
// clang-format on

}  // namespace

const Word& word_row(u8 word) { return kVocabulary.words[word]; }
u32 word_count() { return kVocabulary.count; }

std::string word_name(u8 word) {
  const Word& row = word_row(word);
  const auto typed = [&](std::string_view name) {
    return row.type == Scalar::None ? std::string(name)
                                    : std::string(name) + "_" + std::string(scalar_name(row.type));
  };
  switch (row.kind) {
    case WordKind::Literal: return typed(kLiterals[row.number].name);
    case WordKind::Operation: return typed(op_row(row.op).mnemonic);
    case WordKind::Input:
    case WordKind::Store:
    case WordKind::Load:
    case WordKind::Constant:
      return std::string(kind_spelling(row.kind)) + std::to_string(row.number);
    default: return std::string(kind_spelling(row.kind));
  }
}

u8 word_of(WordKind mark) { return kVocabulary.first[static_cast<u32>(mark)]; }
u8 word_of(WordKind kind, u32 number) {
  return static_cast<u8>(kVocabulary.first[static_cast<u32>(kind)] + number);
}

std::optional<u8> literal_word(Scalar type, u64 cell) {
  for (u32 w = word_of(WordKind::Literal); w < word_of(WordKind::Operation); ++w) {
    const Word& row = kVocabulary.words[w];
    if (row.type == type && row.cell == cell) return static_cast<u8>(w);
  }
  return {};
}

u8 operation_word(Instruction operation) {
  u8 word = kOperationWords[static_cast<u8>(operation.op)];
  if (op_row(operation.op).form == OpForm::Convert)
    while (kVocabulary.words[word].type != operation.type) ++word;
  return word;
}

Instruction operation_on(const Word& word, Scalar top, Scalar below) {
  switch (op_row(word.op).form) {
    case OpForm::Convert: return {word.op, word.type, static_cast<u16>(top), 0};
    case OpForm::Shift: return {word.op, below, static_cast<u16>(top), 0};
    default: return {word.op, top, 0, 0};
  }
}

u64 vocabulary_hash() {
  Hash128 hash;
  for (u32 w = 0; w < word_count(); ++w) {
    const Word& row = word_row(static_cast<u8>(w));
    add_text(hash, word_name(static_cast<u8>(w)));
    hash.add(row.cell);
    if (row.kind != WordKind::Operation) continue;
    const OpRow& op = op_row(row.op);
    hash.add(u64{static_cast<u8>(op.form)} << 32 | u64{op.types} << 16 | op.traps);
    add_text(hash, op.meaning);
  }
  return hash.low;
}

}  // namespace komuz::neural
