// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/text/literal_text.h"

#include <algorithm>
#include <string>
#include <vector>

#include "frontend_gpu/text/lex_block.h"
#include "frontend_gpu/text/literal.h"

namespace komuz::frontend {
namespace {

constexpr size_t kBlock = 64;

// A text in the form that the lexer needs: with blanks before it and behind it, up to the end of a block and
// beyond.
class PaddedText {
 public:
  explicit PaddedText(std::string_view text)
      : blocks_(static_cast<u32>((text.size() + kBlock - 1) / kBlock)),
        bytes_(kBefore + blocks_ * kBlock + kBehind, ' ') {
    text.copy(bytes_.data() + kBefore, text.size());
  }
  [[nodiscard]] const u8* bytes() const {
    return reinterpret_cast<const u8*>(bytes_.data()) + kBefore;
  }
  [[nodiscard]] u32 blocks() const { return blocks_; }

 private:
  static constexpr size_t kBefore = 2, kBehind = 8;
  u32 blocks_;
  std::string bytes_;
};

enum class Spelling : u8 { None, Integer, Float, Character };

// The spelling of the text, if it is one token.
Spelling spelling_of(const PaddedText& text, size_t length) {
  std::vector<ByteMasks> masks(text.blocks());
  best_byte_masks()(text.bytes(), text.blocks(), masks.data());
  u32 state = kOutside;
  bool is_float = false;
  for (u32 b = 0; b < text.blocks(); ++b) {
    TokenBits bits;
    state = lex_block(text.bytes() + b * kBlock, masks[b], state, 0, bits);
    const u64 inside = ~bits_from(static_cast<u32>(std::min(kBlock, length - b * kBlock)));
    const u64 first = b == 0 ? 1 : 0;
    if (bits.starts != first || (bits.extend | first) != inside) return Spelling::None;
    is_float = is_float || bits.floaty != 0;
  }
  const u8 first = text.bytes()[0];
  if (first == '\'') return Spelling::Character;
  if (!is_digit_byte(first)) return Spelling::None;
  return is_float ? Spelling::Float : Spelling::Integer;
}

Literal literal_of(Spelling spelling, const u8* bytes, u32 length, Scalar type, bool negative) {
  const Literal none = literal_error(DiagnosticCode::BadNumber);
  switch (spelling) {
    case Spelling::None: return none;
    case Spelling::Character:
      return type == Scalar::U8 && !negative ? character_literal(bytes, length) : none;
    case Spelling::Integer:
      if (!is_integer(type)) break;
      if (negative && !is_signed(type)) return literal_error(DiagnosticCode::LiteralRange);
      return integer_literal(bytes, length, type, negative);
    case Spelling::Float: break;
  }
  if (!is_float(type)) return none;
  Literal literal = float_literal(bytes, length, type);
  if (negative) literal.cell |= u64{1} << (scalar_bits(type) - 1);
  return literal;
}

}  // namespace

LiteralText read_literal(std::string_view text, Scalar type) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.empty()) return {};
  const PaddedText padded(text);
  const Literal literal = literal_of(spelling_of(padded, text.size()), padded.bytes(),
                                     static_cast<u32>(text.size()), type, negative);
  switch (literal.error) {
    case DiagnosticCode::None: return {literal.cell, LiteralFault::None};
    case DiagnosticCode::LiteralRange: return {0, LiteralFault::OutOfRange};
    default: return {};
  }
}

}  // namespace komuz::frontend
