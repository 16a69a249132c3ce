// SPDX-License-Identifier: Apache-2.0
// Functions of scalars from idioms (idioms.def). An expression is an idiom of its type whose letters are expressions, so its
// text is that of the table with texts in the place of letters.
#include <algorithm>
#include <array>

#include "base/random.h"
#include "gen/gen.h"
#include "lang/types.h"

namespace komuz::gen {
namespace {

using namespace type_set;

enum class IdiomKind : u8 { Idiom, Choice, Waste };

constexpr bool is_constant_letter(char letter) {
  return std::string_view("klmqnuv").find(letter) != std::string_view::npos;
}
constexpr bool is_bool_letter(char letter) { return letter == 'p' || letter == 'r'; }

// A row of idioms.def, and what is asked of its text for each expression that is made.
struct Idiom {
  IdiomKind kind;
  u32 weight;
  TypeSet types;
  std::string_view text;
  u32 letters = 0;         // how many stand in it
  u8 times['z' + 1] = {};  // … of each
  u32 nodes = 1;           // that it has at least: a letter is one, a bool a comparison
  bool has_arms = false;
  bool is_call = false;  // an operand as it stands; everything else is put in parentheses

  constexpr Idiom(IdiomKind of_kind, u32 how_often, TypeSet of_types, std::string_view written)
      : kind(of_kind), weight(how_often), types(of_types), text(written) {
    for (size_t at = text.find('$'); at != text.npos; at = text.find('$', at + 1)) {
      ++letters;
      ++times[static_cast<u8>(text[at + 1])];
      nodes += is_bool_letter(text[at + 1]) ? 4 : 2;
    }
    nodes -= letters < 2 ? 1 : 2;
    has_arms = text.find("if ") != text.npos || text.find("&&") != text.npos ||
               text.find("||") != text.npos;
    const size_t open = text.find('(');
    is_call = open != text.npos && open > 0 && text.find(')') == text.size() - 1;
    for (size_t at = 0; is_call && at < open; ++at)
      is_call = (text[at] >= 'a' && text[at] <= 'z') || (text[at] >= '0' && text[at] <= '9');
  }
};
constexpr Idiom kIdioms[] = {
#define IDIOM(weight, types, text) {IdiomKind::Idiom, weight, types, text},
#define CHOICE(weight, types, text) {IdiomKind::Choice, weight, types, text},
#define WASTE(weight, types, text) {IdiomKind::Waste, weight, types, text},
#include "gen/idioms.def"
};

// Idioms as often as they weigh, for each type.
class IdiomLists {
 public:
  IdiomLists() {
    for (const Idiom& idiom : kIdioms)
      for (u32 type = 1; type < kScalarCount; ++type)
        if (idiom.types & type_bit(static_cast<Scalar>(type))) {
          auto& list = of_[static_cast<u32>(idiom.kind)][idiom.has_arms ? 1 : 0][type];
          list.insert(list.end(), idiom.weight, &idiom);
        }
  }
  [[nodiscard]] const std::vector<const Idiom*>& of(IdiomKind kind, bool has_arms,
                                                    Scalar type) const {
    return of_[static_cast<u32>(kind)][has_arms ? 1 : 0][static_cast<u32>(type)];
  }

 private:
  std::vector<const Idiom*> of_[3][2][kScalarCount];
};

struct Text {
  std::string text;
  bool is_operand = false;  // needs no parentheses
};

struct Named {
  std::string name;
  Scalar type;
  bool waits = false;  // a `let` that nothing has used
};

class ScalarProgram {
 public:
  ScalarProgram(u64 seed, Family family, u32 size)
      : random_(seed), family_(family), size_(std::max(size, 2u)) {
    has_arms_ = family == Family::If || family == Family::Mixed || family == Family::Recursion;
    has_lets_ = family == Family::Let || family == Family::Mixed;
    wasted_ = !random_.one_in(20);
  }

  std::string write() {
    result_ = random_type();
    if (result_ == Scalar::Bool && family_ == Family::Recursion) result_ = Scalar::I64;
    std::string head = "pub fn f(";
    // Few parameters for small functions, so that they are used.
    const u32 most = std::clamp(size_ / 2, 1u, 5u);
    const u32 count = std::min(most, 1 + random_.below(most) + (random_.one_in(3) ? 0u : 1u));
    if (family_ == Family::Recursion) add_parameter(head, Scalar::I64);
    for (u32 k = 0; k < count; ++k)
      add_parameter(head, k == 0 && result_ != Scalar::Bool ? result_
                          : random_.one_in(4)               ? random_type()
                          : result_ == Scalar::Bool         ? numbers()
                                                            : result_);
    head += ") -> " + std::string(scalar_name(result_));
    if (family_ == Family::Recursion) return recursion(head);
    std::string body;
    u32 left = size_;
    if (has_lets_)
      for (u32 k = 1 + random_.below(std::clamp(size_ / 6, 1u, 4u)); k > 0 && left > 5; --k) {
        const u32 part = std::max(2u, left / (k + 1));
        body += let(part);
        left -= std::min(left - 1, part);
      }
    return head + " {\n" + body + "    " + expression(result_, left, is_wasteful(left)).text +
           "\n}\n";
  }

 private:
  void add_parameter(std::string& head, Scalar type) {
    const std::string name(1, "nabxyzuvwcd"[names_.size()]);
    if (!names_.empty()) head += ", ";
    head += name + ": " + std::string(scalar_name(type));
    names_.push_back({name, type});
  }
  std::string let(u32 size) {
    Scalar type = result_;
    if (type == Scalar::Bool || random_.one_in(5))
      type = random_.one_in(6) ? Scalar::Bool : numbers();
    const std::string name = "t" + std::to_string(lets_++);
    std::string text = "    let " + name + ": " + std::string(scalar_name(type)) + " = " +
                       expression(type, size, is_wasteful(size)).text + ";\n";
    names_.push_back({name, type, true});
    return text;
  }
  // f(n - 1, …) with expressions between.
  std::string recursion(const std::string& head) {
    const u32 part = std::max(2u, size_ / 3);
    std::string text = head + " rec 64 {\n    if n < " + std::to_string(1 + random_.below(3)) +
                       " { " + expression(result_, part, true).text + " } else {\n        ";
    std::string call = "f(n - 1";
    for (size_t k = 1; k < names_.size(); ++k)
      call += ", " + (random_.one_in(3) ? names_[k].name
                                        : expression(names_[k].type, part, random_.one_in(2)).text);
    call += ")";
    if (random_.one_in(2) || result_ == Scalar::Bool) return text + call + "\n    }\n}\n";
    const Text other = expression(result_, part, true);
    const std::string_view joins[] = {" + ", " * ", " - "};
    return text + operand(other) + std::string(random_.pick(joins)) + call + "\n    }\n}\n";
  }
  // The whole of a function is wasteful somewhere, if it is at all.
  bool is_wasteful(u32 size) { return wasted_ && (size < 12 || random_.one_in(2)); }

  Scalar random_type() {
    static constexpr Scalar kTypes[] = {
        Scalar::I64, Scalar::I64, Scalar::I64, Scalar::I64, Scalar::I64, Scalar::I64,
        Scalar::F64, Scalar::F64, Scalar::F64, Scalar::F64, Scalar::F64, Scalar::F64,
        Scalar::F32, Scalar::F32, Scalar::F32, Scalar::I32, Scalar::I32, Scalar::I32,
        Scalar::U64, Scalar::U64, Scalar::U32, Scalar::U32, Scalar::U8,  Scalar::Bool};
    return random_.pick(kTypes);
  }
  Scalar number_type() {
    const Scalar type = random_type();
    return type == Scalar::Bool ? Scalar::I64 : type;
  }
  // The type that the function mostly calculates with.
  Scalar numbers() {
    if (numbers_ == Scalar::None) numbers_ = result_ == Scalar::Bool ? number_type() : result_;
    return random_.one_in(8) ? number_type() : numbers_;
  }

  Text expression(Scalar type, u32 size, bool wasteful = false) {
    if (size <= 1 || depth_ > 24) return leaf(type);
    const bool arms = has_arms_ && random_.below(3) != 0;
    // Three of four idioms inside are plain.
    const IdiomKind kind = wasteful || (wasted_ && random_.one_in(5)) ? IdiomKind::Waste
                           : arms                                     ? IdiomKind::Choice
                                                                      : IdiomKind::Idiom;
    static const IdiomLists kLists;
    for (u32 tries = 0; tries < 6; ++tries) {
      const auto& list = kLists.of(
          tries < 3 ? kind : IdiomKind::Idiom,
          tries < 3 && (kind == IdiomKind::Choice || (kind == IdiomKind::Waste && arms)), type);
      if (list.empty()) continue;
      const Idiom& idiom = *random_.pick(list);
      if (idiom.nodes <= size) return fill(idiom, type, size);
    }
    return leaf(type);
  }

  Text fill(const Idiom& idiom, Scalar type, u32 size) {
    ++depth_;
    struct Letter {
      char letter = 0;
      std::string text;
    };
    std::array<Letter, 8> letters;
    u32 count = 0;
    u32 rest = size > idiom.nodes ? size - idiom.nodes : 0;
    const Scalar other = numbers();
    std::string out;
    for (size_t at = 0; at < idiom.text.size(); ++at) {
      const char c = idiom.text[at];
      if (c != '$') {
        out += c;
        continue;
      }
      const char letter = idiom.text[++at];
      u32 k = 0;
      while (k < count && letters[k].letter != letter) ++k;
      if (k == count) {
        // Some parts are large, others small. One that stands twice takes twice as much.
        const u32 times = idiom.times[static_cast<u8>(letter)];
        const u32 more = std::min(
            rest / times, random_.below(2 * (rest / std::max(idiom.letters - count, 1u)) + 2));
        rest -= more * times;
        const u32 share = (is_bool_letter(letter) ? 3 : 1) + more;
        std::string text = part(letter, type, other, share);
        // Nobody compares a variable with itself, or adds it up by chance.
        const auto is_there = [&] {
          return std::any_of(letters.begin(), letters.begin() + count,
                             [&](const Letter& other_letter) { return other_letter.text == text; });
        };
        if (is_there() && !is_constant_letter(letter)) text = part(letter, type, other, share);
        if (is_there() && letter == 'b' && type != Scalar::Bool) text = constant(type, false);
        letters[count++] = {letter, std::move(text)};
      }
      out += letters[k].text;
    }
    --depth_;
    return {std::move(out), idiom.is_call};
  }
  std::string part(char letter, Scalar type, Scalar other, u32 size) {
    switch (letter) {
      case 'a':
      case 'b':
      case 'c': return operand(expression(type, size));
      case 'x':
      case 'y': return operand(leaf(type));
      case 'k':
      case 'l':
      case 'm': return constant(type, false);
      case 'q': return constant(type, true);
      case 'n': return std::to_string(1 + random_.below(scalar_bits(type) - 1));
      case 'p':
      case 'r': return operand(expression(Scalar::Bool, size));
      case 'i':
      case 'j': return operand(expression(other, size));
      default: return constant(other, false);
    }
  }
  static std::string operand(const Text& text) {
    return text.is_operand ? text.text : "(" + text.text + ")";
  }

  // A variable of the type, or one that is made of another one.
  Text leaf(Scalar type) {
    // Variables are there to be used: one that waits comes first, mostly.
    const bool takes_waiting = random_.below(3) != 0;
    Named* chosen = nullptr;
    u32 fitting = 0;
    for (Named& named : names_) {
      if (named.type != type || (chosen && chosen->waits && takes_waiting)) continue;
      ++fitting;
      if ((named.waits && takes_waiting) || random_.below(fitting) == 0) chosen = &named;
    }
    if (chosen) {
      chosen->waits = false;
      return {chosen->name, true};
    }
    const Named& from = random_.pick(names_);
    if (type == Scalar::Bool) {
      static constexpr std::string_view kCompare[] = {" < ", " > ", " <= ", " >= ", " == ", " != "};
      return {from.name + std::string(random_.pick(kCompare)) + constant(from.type, false), false};
    }
    const bool wraps = is_integer(type) && is_integer(from.type);
    return {(wraps ? "wrap_" : "") + std::string(scalar_name(type)) + "(" + from.name + ")", true};
  }

  std::string constant(Scalar type, bool is_positive) {
    if (type == Scalar::Bool) return random_.one_in(2) ? "true" : "false";
    if (is_float(type)) {
      static constexpr std::string_view kUsual[] = {
          "0.5",  "2.0",  "0.25", "0.1",  "10.0",    "100.0", "3.0", "4.0",  "1.0",
          "1e-3", "1e-6", "1.5",  "60.0", "3.14159", "0.01",  "8.0", "180.0"};
      if (!is_positive && random_.one_in(6)) return "0.0";
      std::string text = random_.one_in(2) ? std::string(random_.pick(kUsual))
                                           : std::to_string(random_.below(40)) + "." +
                                                 std::to_string(1 + random_.below(99));
      return !is_positive && random_.one_in(8) ? "(-" + text + ")" : text;
    }
    static constexpr u32 kUsual[] = {1,  2,  3,  4,  5,  7,  8,   10,  12,  15,
                                     16, 24, 31, 32, 60, 64, 100, 127, 128, 255};
    u32 value = random_.one_in(3) ? random_.below(100) : random_.pick(kUsual);
    if (type != Scalar::U8 && random_.one_in(6))
      value = random_.one_in(2) ? random_.below(100'000) : 1u << random_.below(20);
    if (is_positive && value == 0) value = 1;
    if (!is_positive && random_.one_in(8)) value = 0;
    std::string text = std::to_string(value);
    return is_signed(type) && !is_positive && random_.one_in(10) ? "(-" + text + ")" : text;
  }

  Random random_;
  const Family family_;
  const u32 size_;
  bool has_arms_ = false, has_lets_ = false, wasted_ = false;
  Scalar result_ = Scalar::None, numbers_ = Scalar::None;
  std::vector<Named> names_;
  u32 lets_ = 0, depth_ = 0;
};

}  // namespace

std::string generate_scalar_program(u64 seed, Family family, u32 size) {
  return ScalarProgram(seed, family, size).write();
}

}  // namespace komuz::gen
