// SPDX-License-Identifier: Apache-2.0
// A lexer as one writes it by hand: one token a call, by a table of byte classes and a switch. It takes valid
// sources only.
#pragma once
#include <array>
#include <string_view>

#include "base/ints.h"
#include "lang/tokens.h"

namespace komuz::bench {

struct PlainToken {
  Token kind = Token::Error;  // Error also at the end
  u32 begin = 0, end = 0;
};

class PlainLexer {
 public:
  // A zero byte must stand behind `source`, as it does behind every std::string.
  explicit PlainLexer(std::string_view source) : text_(source.data()) {}

  PlainToken next() {
    skip_blanks();
    const u32 begin = at_;
    const Token kind = scan();
    return {kind, begin, at_};
  }

 private:
  enum Class : u8 { kOther, kBlank, kLetter, kDigit };

  static constexpr std::array<u8, 256> kClasses = [] {
    std::array<u8, 256> classes{};
    for (const char c : {' ', '\t', '\r', '\n'}) classes[static_cast<u8>(c)] = kBlank;
    for (u32 c = 'a'; c <= 'z'; ++c) classes[c] = classes[c - 'a' + 'A'] = kLetter;
    for (u32 c = '0'; c <= '9'; ++c) classes[c] = kDigit;
    classes['_'] = kLetter;
    return classes;
  }();

  [[nodiscard]] char peek(u32 ahead = 0) const { return text_[at_ + ahead]; }
  [[nodiscard]] Class class_at(u32 ahead = 0) const {
    return static_cast<Class>(kClasses[static_cast<u8>(peek(ahead))]);
  }

  void skip_blanks() {
    for (;;) {
      while (class_at() == kBlank) ++at_;
      if (peek() != '/' || peek(1) != '/') return;
      while (peek() != '\n' && peek() != 0) ++at_;
    }
  }
  Token scan() {
    switch (class_at()) {
      case kLetter: return word();
      case kDigit: return number();
      case kBlank:
      case kOther: break;
    }
    return symbol();
  }
  Token word() {
    const u32 begin = at_;
    while (class_at() >= kLetter) ++at_;
    const std::string_view text(text_ + begin, at_ - begin);
    switch (text[0]) {
      case 'e': return text == "else" ? Token::Else : Token::Name;
      case 'f':
        return text == "fn"      ? Token::Fn
               : text == "for"   ? Token::For
               : text == "false" ? Token::False
                                 : Token::Name;
      case 'i': return text == "if" ? Token::If : text == "in" ? Token::In : Token::Name;
      case 'l': return text == "let" ? Token::Let : Token::Name;
      case 'p': return text == "pub" ? Token::Pub : Token::Name;
      case 't': return text == "true" ? Token::True : Token::Name;
      case 'v': return text == "var" ? Token::Var : Token::Name;
      case 'w': return text == "while" ? Token::While : Token::Name;
      default: return Token::Name;
    }
  }
  Token number() {
    Token kind = Token::Int;
    digits();
    if (peek() == '.' && class_at(1) == kDigit) {
      kind = Token::Float;
      ++at_;
      digits();
    }
    if (peek() == 'e' || peek() == 'E') {
      kind = Token::Float;
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      digits();
    }
    return kind;
  }
  void digits() {
    while (class_at() == kDigit || peek() == '_') ++at_;
  }

  Token one(Token kind) {
    ++at_;
    return kind;
  }
  // `kind`, or the longer token if the byte `second` follows.
  Token one_or_two(Token kind, char second, Token longer) {
    ++at_;
    if (peek() != second) return kind;
    return one(longer);
  }
  // The same with two possible continuations.
  Token one_or_two(Token kind, char second, Token longer, char other, Token other_longer) {
    ++at_;
    if (peek() == second) return one(longer);
    if (peek() == other) return one(other_longer);
    return kind;
  }
  Token symbol() {
    switch (peek()) {
      case '(': return one(Token::LParen);
      case ')': return one(Token::RParen);
      case '{': return one(Token::LBrace);
      case '}': return one(Token::RBrace);
      case ';': return one(Token::Semi);
      case ',': return one(Token::Comma);
      case ':': return one(Token::Colon);
      case '^': return one(Token::Caret);
      case '=': return one_or_two(Token::Assign, '=', Token::Eq);
      case '!': return one_or_two(Token::Bang, '=', Token::Ne);
      case '<': return one_or_two(Token::Lt, '=', Token::Le);
      case '>': return one_or_two(Token::Gt, '=', Token::Ge);
      case '&': return one_or_two(Token::Amp, '&', Token::AndAnd);
      case '|': return one_or_two(Token::Pipe, '|', Token::OrOr);
      case '%': return one_or_two(Token::Percent, '=', Token::RemAssign);
      case '/': return one_or_two(Token::Slash, '=', Token::DivAssign);
      case '+': return one_or_two(Token::Plus, '=', Token::AddAssign, '%', Token::PlusWrap);
      case '*': return one_or_two(Token::Star, '=', Token::MulAssign, '%', Token::StarWrap);
      case '-':
        if (peek(1) == '>') {
          at_ += 2;
          return Token::Arrow;
        }
        return one_or_two(Token::Minus, '=', Token::SubAssign, '%', Token::MinusWrap);
      case '.':
        ++at_;
        if (peek() != '.') return Token::Dot;
        return one_or_two(Token::DotDot, '=', Token::DotDotEq);
      case 0: return Token::Error;
      default: return one(Token::Error);
    }
  }

  const char* text_;
  u32 at_ = 0;
};

}  // namespace komuz::bench
