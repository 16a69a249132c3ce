// SPDX-License-Identifier: Apache-2.0
// Turns one block of 64 bytes into token bits. No token or comment spans a line end. So all that a block needs to
// know of the text before it is the state of a small automaton, and two bytes.
#pragma once
#include <bit>

#include "frontend_gpu/text/byte_masks.h"

namespace komuz::frontend {

// What the byte before a block belongs to.
enum LexState : u32 {
  kOutside,     // no word, text or comment
  kInName,      // a word that starts with a letter
  kInDecimal,   // digits that a `.` may follow
  kInTail,      // digits behind a `.`
  kInRadix,     // 0x…, 0b…, 0o…
  kAfterJoint,  // the byte is a `.` or sign inside a number
  kInComment,   // up to the line end
  kInString,    // "…
  kInStringEscape,
  kInChar,  // '…
  kInCharEscape,
  kLexStates
};

// Bit k belongs to byte k of the block.
struct TokenBits {
  u64 starts;  // bit k: byte k starts a token
  u64 extend;  // bit k: byte k continues the token of the byte before it
  u64 floaty;  // bit k: byte k makes its number a float
};

// What may follow the first byte of an operator and belong to it. In the high half: the same, with a `=` behind
// both.
enum OperatorBit : u8 {
  kEqualBehind = 1,    // +=
  kItselfBehind = 2,   // &&
  kPercentBehind = 4,  // +%
  kGreaterBehind = 8,  // ->
  kThirdIsEqual = 16,  // times the bits above: <<= ..= +%=
};
struct OperatorBits {
  u8 row[128];
};
HD_TABLE OperatorBits kOperatorBits = [] {
  OperatorBits bits{};
  for (const char c : {'!', '%', '&', '*', '+', '-', '/', '<', '=', '>', '^', '|'})
    bits.row[static_cast<u8>(c)] |= kEqualBehind;
  for (const char c : {'&', '*', '.', '<', '=', '>', '|'})
    bits.row[static_cast<u8>(c)] |= kItselfBehind;
  for (const char c : {'!', '='})  // === and !==, which other languages have
    bits.row[static_cast<u8>(c)] |= kEqualBehind * kThirdIsEqual;
  for (const char c : {'.', '<', '>'})
    bits.row[static_cast<u8>(c)] |= kItselfBehind * kThirdIsEqual;
  for (const char c : {'+', '-', '*'})
    bits.row[static_cast<u8>(c)] |= kPercentBehind | kPercentBehind * kThirdIsEqual;
  for (const char c : {'-', '='}) bits.row[static_cast<u8>(c)] |= kGreaterBehind;
  return bits;
}();
HD const OperatorBits& operator_bits() { return kOperatorBits; }

// The number of bytes that the operator at p takes, for operators made of `join` bytes. It has no branch, because
// which operators follow each other cannot be predicted.
HD u32 operator_length(const u8* p) {
  const u8 a = p[0], b = p[1];
  const u32 behind =
      static_cast<u32>(b == '=') * kEqualBehind | static_cast<u32>(b == a) * kItselfBehind |
      static_cast<u32>(b == '%') * kPercentBehind | static_cast<u32>(b == '>') * kGreaterBehind;
  const u32 fits = operator_bits().row[a & 127] & behind * (1 + kThirdIsEqual);
  const u32 two = (fits & 15) != 0, three = ((fits >> 4) != 0) & (p[2] == '=');
  return 1 + two + three;
}

HD constexpr u64 bits_from(u32 p) { return p < 64 ? ~0ull << p : 0; }

// Which bytes are program text, and which belong to strings and characters, for blocks that have any of these or
// comments.
struct TextBits {
  u64 code = ~0ull;  // neither comments nor strings and characters
  u64 text = 0;      // strings and characters, quotes included
  u64 opens = 0;     // opening quotes of strings and characters
  u32 state = kOutside;
};
HD_COLD TextBits find_text(const u8* bytes, const ByteMasks& m, u64 comments, u32 state) {
  TextBits t;
  t.code = 0;
  t.state = state >= kInComment ? state : kOutside;
  u32 p = 0;
  while (p < 64) {
    if (t.state == kOutside) {
      const u64 events = (m.quote | comments) & bits_from(p);
      const u32 q = events ? static_cast<u32>(std::countr_zero(events)) : 64;
      t.code |= bits_from(p) & ~bits_from(q);
      if (q == 64) break;
      if (comments >> q & 1) {
        t.state = kInComment;
        p = q;
      } else {
        t.state = bytes[q] == '"' ? kInString : kInChar;
        t.text |= 1ull << q;
        t.opens |= 1ull << q;
        p = q + 1;
      }
    } else if (t.state == kInComment) {
      const u64 ends = m.newline & bits_from(p);
      if (!ends) break;
      p = static_cast<u32>(std::countr_zero(ends));
      t.state = kOutside;
    } else if (bytes[p] == '\n') {
      t.state = kOutside;
    } else {
      const u8 c = bytes[p];
      t.text |= 1ull << p++;
      const bool in_string = t.state == kInString || t.state == kInStringEscape;
      const bool escaped = t.state == kInStringEscape || t.state == kInCharEscape;
      if (!escaped && c == '\\')
        t.state = in_string ? kInStringEscape : kInCharEscape;
      else if (!escaped && c == static_cast<u8>(in_string ? '"' : '\''))
        t.state = kOutside;
      else
        t.state = in_string ? kInString : kInChar;
    }
  }
  return t;
}

// Bits of the operators' second and third bytes, given the bytes of which operators are made. Inside of each run of
// such bytes, operators are taken greedily from the left. `starts_before`: where tokens start in the block before;
// the last one is part of a run that continues here. 0: it is not known, and the run is read from its start.
HD_COLD u64 operator_tails(const u8* bytes, u64 joins, bool run_comes_in, u64 starts_before) {
  u64 tails = 0;
  if (run_comes_in) {
    i32 p = -1;
    if (starts_before != 0)
      p -= std::countl_zero(starts_before);
    else
      while (is_join_byte(bytes[p - 1])) --p;
    while (p < 0) p += static_cast<i32>(operator_length(bytes + p));
    tails = ~bits_from(static_cast<u32>(p));
  }
  u64 pairs = joins & ~tails & (joins >> 1 | static_cast<u64>(is_join_byte(bytes[64])) << 63);
  while (pairs) {
    const u32 p = static_cast<u32>(std::countr_zero(pairs));
    const u32 n = operator_length(bytes + p);
    tails |= bits_from(p + 1) & ~bits_from(p + n);
    pairs &= bits_from(p + n);
  }
  return tails & joins;
}

// `bytes` points to the block inside the source, which is padded with blanks. `starts_before`: where tokens start
// in the block before; 0: it is not known. Returns the state behind the block.
HD u32 lex_block(const u8* bytes, const ByteMasks& m, u32 state, u64 starts_before,
                 TokenBits& out) {
  const u64 comments = m.slash & (m.slash >> 1 | static_cast<u64>(bytes[64] == '/') << 63);
  TextBits t;
  if ((m.quote | comments) != 0 || state >= kInComment) t = find_text(bytes, m, comments, state);
  const u64 code = t.code;
  const u8 before = bytes[-1];

  // Words and numbers. The carry of an addition fills a run from its first bit.
  const u64 word = m.word & code;
  const u64 comes_in = state >= kInName && state <= kInRadix;
  u64 word_starts = word & ~(word << 1 | comes_in);
  const u64 number_starts = word_starts & m.digit;
  const u64 dots = m.dot & code;
  const u64 one_before = dots << 1 | static_cast<u64>(before == '.');
  const u64 two_before =
      dots << 2 | static_cast<u64>(before == '.') << 1 | static_cast<u64>(bytes[-2] == '.');
  const u64 behind_dot = one_before & ~two_before;
  const u8 next = bytes[64];
  const u64 radix_starts =
      number_starts &
      (m.radix >> 1 |
       static_cast<u64>((next | 32) == 'x' || (next | 32) == 'b' || (next | 32) == 'o') << 63);
  const u64 decimals = number_starts & ~radix_starts;
  const auto run_of = [word](u64 seeds) { return word & ~(word + seeds); };
  const auto carried = [&](u32 s) { return state == s ? word & 1 : 0; };
  const u64 decimal = run_of((decimals & ~behind_dot) | carried(kInDecimal));
  const u64 tail = run_of((decimals & behind_dot) | carried(kInTail));
  const u64 radix = run_of(radix_starts | carried(kInRadix));
  const u64 next_is_digit = m.digit >> 1 | static_cast<u64>(is_digit_byte(next)) << 63;
  const u64 exponents = m.exponent & (decimal | tail);
  const u64 behind_exponent =
      exponents << 1 |
      static_cast<u64>((state == kInDecimal || state == kInTail) && (before | 32) == 'e');
  const u64 joints =
      (dots & (decimal << 1 | static_cast<u64>(state == kInDecimal)) & next_is_digit) |
      (m.sign & code & behind_exponent & next_is_digit);
  const u64 holes = m.hole & code;
  word_starts &= ~(joints << 1 | static_cast<u64>(state == kAfterJoint));
  word_starts &= ~((holes << 1 | static_cast<u64>(before == '?' && state == kOutside)) & ~m.digit);

  // Operators, and bytes that are tokens by themselves.
  const u64 joins = m.join & code & ~joints;
  const bool run_comes_in = state == kOutside && is_join_byte(before);
  const u64 tails = (joins & (joins >> 1)) != 0 || (joins >> 63) != 0 || run_comes_in
                        ? operator_tails(bytes, joins, run_comes_in, starts_before)
                        : 0;
  const u64 singles = code & ~(m.word | m.join | m.quote | m.blank | m.hole | m.tail);

  out.starts = word_starts | (joins & ~tails) | singles | holes | t.opens;
  out.extend = (word & ~word_starts) | joints | tails | (t.text & ~t.opens) | (m.tail & code);
  out.floaty = joints | exponents;

  if (t.state != kOutside) return t.state;
  const u64 last = 1ull << 63;
  if (joints & last) return kAfterJoint;
  if (!(word & last)) return kOutside;
  if (decimal & last) return kInDecimal;
  if (tail & last) return kInTail;
  return radix & last ? kInRadix : kInName;
}

}  // namespace komuz::frontend
