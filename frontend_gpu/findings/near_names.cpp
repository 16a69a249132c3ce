// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/findings/near_names.h"

#include <algorithm>

#include "frontend_gpu/findings/habits/refine_keywords.h"
#include "frontend_gpu/findings/habits/refine_spaces.h"
#include "frontend_gpu/questions/comma_lists.h"
#include "frontend_gpu/tree/tree.h"
#include "mend/aliases.h"
#include "mend/builtin_words.h"
#include "mend/habits/from_forms.h"
#include "mend/habits/from_items.h"
#include "mend/near_miss.h"
#include "mend/source_text.h"

namespace komuz::frontend {

namespace {

// Names after so many are not compared.
constexpr size_t kMostChoices = 4096;

// What a name stands for where it is bound.
enum class Bound : u8 {
  Nothing,
  Function,
  Space,
  Type,
  Constant,
  Constructor,
  Bare,
  Local,
  Imported
};

bool may_stand(DiagnosticCode code, Bound bound) {
  switch (bound) {
    case Bound::Nothing: return false;
    case Bound::Imported: return code != DiagnosticCode::UnknownSpace;
    case Bound::Space: return code == DiagnosticCode::UnknownSpace;
    case Bound::Function: return code == DiagnosticCode::UnknownFunction;
    case Bound::Type: return code == DiagnosticCode::UnknownType;
    case Bound::Local: return code == DiagnosticCode::UnknownName;
    case Bound::Constructor:
      return code == DiagnosticCode::UnknownConstructor || code == DiagnosticCode::UnknownFunction;
    case Bound::Constant:
    case Bound::Bare:
      return code == DiagnosticCode::UnknownConstructor || code == DiagnosticCode::UnknownName;
  }
  return false;
}

bool is_near(std::string_view word, std::string_view found) {
  if (found.empty() || found == word) return false;
  return found.starts_with(word) || is_same_but_for_case(found, word) ||
         letters_apart(word, found) <= (word.size() + 1) / 3;
}

// True if a word of the language itself may stand there.
bool may_stand(DiagnosticCode code, BuiltinWord::Kind kind) {
  switch (kind) {
    case BuiltinWord::Kind::Type: return code == DiagnosticCode::UnknownType;
    case BuiltinWord::Kind::Constant:
      return code == DiagnosticCode::UnknownName || code == DiagnosticCode::UnknownConstructor;
    case BuiltinWord::Kind::Function: return code == DiagnosticCode::UnknownFunction;
  }
  return false;
}
// The nearest word of the language; 0: none is near. Names of two letters are near too many words.
u32 nearest_builtin(DiagnosticCode code, std::string_view word) {
  if (word.size() < 3) return 0;
  const std::vector<BuiltinWord>& words = builtin_words();
  std::vector<std::string_view> choices;
  std::vector<size_t> numbers;
  for (size_t k = 0; k < words.size(); ++k)
    if (may_stand(code, words[k].kind)) {
      choices.push_back(words[k].spelling);
      numbers.push_back(k);
    }
  const std::string_view found = nearest_word(word, choices);
  if (!is_near(word, found)) return 0;
  for (size_t k = 0; k < choices.size(); ++k)
    if (choices[k].data() == found.data()) return near_word(numbers[k]);
  return 0;
}

// Names, and where they are written.
class Choices {
 public:
  explicit Choices(const Columns& c) : c_(c) {}
  void add(Index t) {
    if (words_.size() < kMostChoices) words_.push_back(text_of(c_, t));
  }
  void add(const Choices& others) {
    words_.insert(words_.end(), others.words_.begin(), others.words_.end());
  }
  void clear() { words_.clear(); }
  // The position of the nearest name; 0: no name is near, or only the same name, which is not visible there.
  [[nodiscard]] u32 nearest(std::string_view word) const {
    const std::string_view found = nearest_word(word, words_);
    if (!is_near(word, found)) return 0;
    return place_of(found);
  }
  // The position of a name that differs only in its capitals.
  [[nodiscard]] u32 same_but_for_case(std::string_view word) const {
    const auto found = std::ranges::find_if(
        words_, [word](std::string_view one) { return is_same_but_for_case(one, word); });
    return found == words_.end() ? 0 : place_of(*found);
  }
  // The position of the nearest name that differs in at most `most` letters; 0: there is none.
  [[nodiscard]] u32 nearest(std::string_view word, size_t most) const {
    for (size_t letters = 0; letters <= most; ++letters)
      for (const std::string_view found : words_)
        if (letters_apart(word, found) == letters) return place_of(found);
    return 0;
  }

 private:
  [[nodiscard]] u32 place_of(std::string_view found) const {
    return static_cast<u32>(found.data() - reinterpret_cast<const char*>(c_.source));
  }

  const Columns& c_;
  std::vector<std::string_view> words_;
};

// Reads the names of all items. It reads variables only of the item with the wanted token, before that token.
class ReadNames {
 public:
  ReadNames(const Columns& c, DiagnosticCode code, Index wanted)
      : c_(c), code_(code), wanted_(wanted) {}

  [[nodiscard]] Choices operator()() {
    Choices names(c_), variables(c_);
    count_work(c_, c_.tokens);
    for (Index t = 0; t < c_.tokens; ++t) {
      const Token token = token_at(c_, t);
      // Behind the head of a module, nothing belongs to the program itself.
      if (token == Token::Use && t > 0 && token_at(c_, t - 1) == Token::Pub) break;
      if (starts_item(t, token)) {
        if (t < wanted_) variables.clear();
        item_ = token;
        depth_ = 0;
        in_head_ = true;
      }
      if (token == Token::LBrace) in_head_ = false;
      if (closes(token) && depth_ > 0) --depth_;
      const Bound bound = token == Token::Name && t != wanted_ ? bound_by(t) : Bound::Nothing;
      if (bound == Bound::Local && t > wanted_) continue;
      if (may_stand(code_, bound)) (bound == Bound::Local ? variables : names).add(t);
      if (opens(token)) ++depth_;
    }
    variables.add(names);
    return variables;
  }

 private:
  [[nodiscard]] bool starts_item(Index t, Token token) const {
    return starts_space(c_, t) || token == Token::Use || token == Token::Const ||
           token == Token::Type || token == Token::Fn || token == Token::Test ||
           token == Token::Prop;
  }
  [[nodiscard]] Bound bound_by(Index t) const {
    const Token before = t > 0 ? token_at(c_, t - 1) : Token::Error;
    const Token behind = t + 1 < c_.tokens ? token_at(c_, t + 1) : Token::Error;
    switch (item_) {
      case Token::Use: return depth_ == 1 ? Bound::Imported : Bound::Nothing;
      case Token::Const: return before == Token::Const ? Bound::Constant : Bound::Nothing;
      case Token::Type:
        if (before == Token::Type) return Bound::Type;
        if (depth_ != 0 || (before != Token::Assign && before != Token::Pipe))
          return Bound::Nothing;
        return behind == Token::LParen ? Bound::Constructor : Bound::Bare;
      default: break;
    }
    if (before == Token::Fn) return Bound::Function;
    if (before == Token::Space && starts_space(c_, t - 1)) return Bound::Space;
    const bool declared = before == Token::Let || before == Token::Var || before == Token::For ||
                          (in_head_ && behind == Token::Colon);
    return declared ? Bound::Local : Bound::Nothing;
  }

  const Columns& c_;
  DiagnosticCode code_;
  Index wanted_;
  Token item_ = Token::Error;
  u32 depth_ = 0;
  bool in_head_ = true;
};

// True for an unknown name where values stand.
bool may_mean_space(DiagnosticCode code) {
  return code == DiagnosticCode::UnknownFunction || code == DiagnosticCode::FunctionWithoutUse ||
         code == DiagnosticCode::UnknownName;
}

// Looks among the names that stand before a `:` directly between the parentheses.
u32 nearest_field(const Columns& c, Index paren, std::string_view word) {
  Choices fields(c);
  for (Index i = c.begin[paren]; i < c.end[paren]; ++i)
    if (node_kind(c, i) == Node::Colon && c.left[i] != kNone &&
        c.key[i] / kKeysPerDepth == c.key[paren] / kKeysPerDepth + 1)
      fields.add(c.token[c.left[i]]);
  return fields.nearest(word);
}

std::string_view word_of(const Columns& c, const Diagnostic& d) {
  return {reinterpret_cast<const char*>(c.source + d.begin), d.length};
}

// True if a constructor makes a record of these arguments: `V` for `Vec2(1.0, 2.0)` or `Vec2(x: 1.0, y: 2.0)`.
bool takes_arguments(const Columns& c, Index constructor, Index call) {
  const Index close = closer_of(c, constructor + 1);
  if (close == kNone) return false;
  std::vector<std::string_view> fields;
  for (Index t = constructor + 2; t < close; ++t) {
    const Token before = token_at(c, i64{t} - 1);
    const bool starts = before == Token::LParen || before == Token::Comma;
    if (starts && token_at(c, i64{t} + 1) == Token::Colon && opener_of(c, t) == constructor + 1)
      fields.push_back(text_of(c, t));
  }
  if (fields.empty() || fields.size() != count_elements(c, c.right[call])) return false;
  ElementsBackwards elements(c, c.right[call]);
  for (Index e = elements.next(); e != kNone; e = elements.next())
    if (node_kind(c, e) == Node::Colon && c.left[e] != kNone &&
        std::ranges::count(fields, text_of(c, c.token[c.left[e]])) == 0)
      return false;
  return true;
}
// The position of the only record that a call with such arguments can make; 0: there is none, or there are several.
u32 only_record(const Columns& c, Index name) {
  const Index call = parent_of(c, name);
  const std::string_view word = text_of(c, c.token[name]);
  const bool is_capital = !word.empty() && word[0] >= 'A' && word[0] <= 'Z';
  if (!is_capital || call == kNone || node_kind(c, call) != Node::Call || c.left[call] != name)
    return 0;
  u32 found = 0;
  count_work(c, c.tokens);
  for (Index t = 0; t + 3 < c.tokens; ++t) {
    const bool is_record = token_at(c, t) == Token::Type && token_at(c, t + 2) == Token::Assign &&
                           text_of(c, t + 1) == text_of(c, t + 3) &&
                           token_at(c, t + 4) == Token::LParen;
    if (!is_record || !takes_arguments(c, t + 3, call)) continue;
    if (found != 0) return 0;
    found = c.token_start[t + 3];
  }
  return found;
}

// True for a word of another language for which there is separate advice.
bool is_known_elsewhere(std::string_view word) {
  return find_alias(word) != nullptr || !operator_of_method(word).empty();
}

// If a word is near to a keyword and as near to a name, the name is preferred. If what follows fits only that
// keyword, just an equal name is preferred.
void prefer_name(const Columns& c, Finding& finding) {
  Diagnostic& row = finding.diagnostic;
  const auto keyword = static_cast<Token>(row.a);
  const std::string_view word = word_of(c, row);
  const size_t letters = letters_from_keyword(word, keyword);
  const Index t = token_from(c, row.begin), found = c.token[finding.node];
  const auto nearest = [&](DiagnosticCode code, size_t most) {
    return ReadNames(c, code, t)().nearest(word, most);
  };
  if (found == t) {
    const bool is_call = token_at(c, i64{t} + 1) == Token::LParen;
    const DiagnosticCode code =
        is_call ? DiagnosticCode::UnknownFunction : DiagnosticCode::UnknownName;
    if (const u32 near = nearest(code, letters); near != 0)
      row = make_diagnostic(code, row.begin, row.length, 0, near);
    return;
  }
  const bool fits_all = keyword == Token::Return || keyword == Token::Assert;
  const size_t most = fits_all ? letters : 0;
  if (nearest(DiagnosticCode::UnknownFunction, most) == 0 &&
      nearest(DiagnosticCode::UnknownName, most) == 0)
    return;
  row = make_diagnostic(DiagnosticCode::ExpectedOperator, c.token_start[found],
                        c.token_length[found], 0, 0);
}

}  // namespace

bool seeks_name(const Columns& c, const Diagnostic& d) {
  switch (d.code()) {
    case DiagnosticCode::AssignedUnknown:
    case DiagnosticCode::MisspeltKeyword:
    case DiagnosticCode::UnknownConstructor:
    case DiagnosticCode::UnknownSpace: return true;
    case DiagnosticCode::UnknownFunction:
    case DiagnosticCode::UnknownType:
    case DiagnosticCode::UnknownName: return find_alias(word_of(c, d)) == nullptr;
    default: return false;
  }
}

void suggest_name(const Columns& c, Finding& finding) {
  Diagnostic& row = finding.diagnostic;
  if (may_mean_space(row.code()) && refine_space(c, finding.node, row)) return;
  const std::string_view word = word_of(c, row);
  switch (row.code()) {
    case DiagnosticCode::UnknownRecordField:
      row.b = nearest_field(c, c.error_a[finding.node], word);
      return;
    case DiagnosticCode::AssignedUnknown:  // the variable exists, misspelled
      if (const u32 near =
              ReadNames(c, DiagnosticCode::UnknownName, c.token[finding.node])().nearest(word))
        row = make_diagnostic(DiagnosticCode::UnknownName, row.begin, row.length, 0, near);
      return;
    case DiagnosticCode::MisspeltKeyword:
      if (row.b == kGluedKeyword) return;
      return prefer_name(c, finding);
    case DiagnosticCode::UnknownSpace:  // the word behind the `?`
      row.b = ReadNames(c, row.code(), c.token[finding.node])().nearest(word.substr(1));
      return;
    case DiagnosticCode::UnknownConstructor:
      if (is_known_elsewhere(word)) {
        row.b = ReadNames(c, row.code(), c.token[finding.node])().same_but_for_case(word);
        return;
      }
      [[fallthrough]];
    case DiagnosticCode::UnknownFunction:
    case DiagnosticCode::UnknownType:
    case DiagnosticCode::UnknownName:
      if (is_known_elsewhere(word)) return;
      row.b = ReadNames(c, row.code(), c.token[finding.node])().nearest(word);
      if (row.b == 0) row.b = nearest_builtin(row.code(), word);
      if (row.b == 0 && row.code() == DiagnosticCode::UnknownFunction)
        row.b = only_record(c, finding.node);
      return;
    default: return;
  }
}

}  // namespace komuz::frontend
