// SPDX-License-Identifier: Apache-2.0
// A text as its items, so that an edit inside of one body costs what that item costs, and not what the text does:
//
//   the text               all but `left` and what it names are blanked
//   fn far() { … }
//   fn left() { near() }     fn left() { near() }
//   fn near() { … }          fn near() { … }
//
// What is left is compiled in place of the text (gathered_text.h). An edit inside of a body leaves all other items as they are: no
// token spans a line, items begin at words such as `fn` wherever these stand, and others see the head alone. Which items have to be
// left for a question is for whoever asks it (quick_check.h, quick_tokens.h).
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend_gpu/frontend.h"
#include "services/quick/gathered_text.h"

namespace komuz::services {

// Bytes of the text.
struct TextPart {
  u32 begin = 0, end = 0;         // from the first token of an item to its last
  u32 body = 0;                   // its `{`; 0: there is none
  u32 name = 0;                   // of a function its name; 0: it is none
  bool has_builtin_name = false;  // a function's
  u32 constant = 0;               // of a constant its name; 0: it is none
  bool can_go = false;            // nobody misses it who does not need it; it has lines of its own
  bool is_code = false;           // of a function, test, property or example
  bool is_example = false;
  bool can_change = false;  // an edit may be in its body
  bool is_kept = false;     // whoever uses the parts wants it to stay
  // Between the part before and it there are blanks and comments of plain words alone, which may go where both parts do.
  bool has_plain_gap = false;
  // Of a function: a value that it may have, with which its body may be replaced; empty: none is known.
  std::string_view value;
  u32 stack_bytes = 0;      // of the function, for whoever uses the parts
  std::vector<u32> needs;   // parts that have a name which stands in it
  std::vector<u32> needed;  // … stood in it since it was settled
};

// An edit inside of one body.
struct BodyEdit {
  u32 part = 0;
  u32 growth = 0;  // how many bytes it adds, modulo 2^32
  u32 end = 0;     // where the part ends afterwards
  // Its brackets do not match, or a word in it begins an item: others do not see its head.
  bool is_broken = false;
  std::vector<u32> needs;  // what the part names afterwards
};

// A word of a text that means nothing there; a name that is near may be what was meant.
struct SoughtWord {
  std::string word;
  bool is_called = false;  // the name may be a function's
};

class TextParts {
 public:
  // Of the columns of a text that was compiled, as it is written.
  void read(const frontend::Columns& c, std::string_view text);
  void clear() { parts_.clear(); }

  [[nodiscard]] std::vector<TextPart>& all() { return parts_; }
  [[nodiscard]] const std::vector<TextPart>& all() const { return parts_; }
  // The number of the first part that ends behind a byte.
  [[nodiscard]] u32 first_behind(u32 byte) const;

  // What makes `now` of the text of the parts, if it is such an edit.
  [[nodiscard]] std::optional<BodyEdit> find_edit(std::string_view before, std::string_view now);
  // From now on the parts are those of the text with the edit. The part needs what it needed before, too, until it is settled.
  void take(const BodyEdit& edit);
  static void settle(TextPart& part) { part.needed.clear(); }

  // The text without the parts that neither are kept nor needed by others that stay.
  [[nodiscard]] GatheredText only_needed(std::string_view text, LeftOut how) const;
  // Also stay those that need one that is kept.
  [[nodiscard]] GatheredText with_users(std::string_view text, LeftOut how) const;
  // … and all types and constants; of all other functions there is the name, `fn far()->() { }`. `sought`: of constants and functions
  // those with names that may be near to one of these are enough; null: all are wanted.
  [[nodiscard]] GatheredText with_names(std::string_view text, LeftOut how,
                                        const std::vector<SoughtWord>* sought = nullptr) const;
  // What stands at a byte with all that it needs, and, as comments, all examples.
  [[nodiscard]] GatheredText around(std::string_view text, u32 byte, LeftOut how) const;
  // What is kept and what is no code, and of functions the heads of all functions, `fn far() -> f64 {0.0}`.
  [[nodiscard]] std::string with_heads(std::string_view text) const;

 private:
  // What is left of a part; of a head the name alone.
  enum class Form : u8 { Gone, Head, Whole };
  // Those that stay by themselves, and all that they need.
  template <class Stays>
  [[nodiscard]] std::vector<Form> with_needs(Stays stays_itself) const;
  [[nodiscard]] GatheredText left_of(std::string_view text, LeftOut how,
                                     const std::vector<Form>& forms) const;
  [[nodiscard]] bool is_user(const TextPart& part) const;
  [[nodiscard]] std::vector<u32> needs_of(const frontend::Columns& c, u32 first, u32 end) const;

  std::vector<TextPart> parts_;
  struct Name {
    u32 hash = 0, part = 0;
    auto operator<=>(const Name&) const = default;
  };
  std::vector<Name> names_;             // of functions, constants, and all in types; sorted
  std::vector<std::string> commented_;  // words of comments that may be read as operands
  frontend::Compiler lexer_;
};

}  // namespace komuz::services
