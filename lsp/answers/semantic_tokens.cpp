// SPDX-License-Identifier: Apache-2.0
// Tokens as the protocol wants them: five numbers each, lines and columns from the token before.
#include <algorithm>
#include <charconv>
#include <span>

#include "base/hash.h"
#include "lsp/answers/params.h"
#include "services/editor/token_kinds.h"

namespace komuz::lsp {
namespace {

using services::KnownToken;
using services::NameKind;
using services::TextKind;

enum TokenType : u32 {
#define TOKEN_TYPE(Name, word) k##Name,
#include "lsp/answers/token_legend.def"
};
enum ModifierNumber : u32 {
#define TOKEN_MODIFIER(Name, word) k##Name,
#include "lsp/answers/token_legend.def"
};

u32 type_of_name(NameKind kind) {
  switch (kind) {
    case NameKind::Keyword: return kKeyword;
    case NameKind::Function: return kFunction;
    case NameKind::Operation: return kMethod;
    case NameKind::Space: return kMacro;
    case NameKind::Constant:
    case NameKind::Variable: return kVariable;
    case NameKind::Type: return kType;
    case NameKind::Constructor: return kEnumMember;
    case NameKind::Field: return kProperty;
    case NameKind::Module: return kNamespace;
    case NameKind::Parameter: return kParameter;
  }
  return kVariable;
}
u32 type_of_text(TextKind kind) {
  switch (kind) {
    case TextKind::Keyword: return kKeyword;
    case TextKind::Type: return kType;
    case TextKind::Function: return kFunction;
    case TextKind::Number: return kNumber;
    case TextKind::String: return kString;
    case TextKind::Comment: return kComment;
    case TextKind::Hole: return kMacro;
  }
  return kVariable;
}
u32 modifiers_of(const KnownToken& token) {
  const bool is_value = token.name == NameKind::Variable || token.name == NameKind::Parameter ||
                        token.name == NameKind::Constant;
  u32 bits = 0;
  if (token.defines) bits |= 1u << kDeclaration;
  if (is_value && !token.is_variable) bits |= 1u << kReadonly;
  if (token.is_given) bits |= 1u << kDefaultLibrary;
  return bits;
}

using Numbers = std::vector<u32>;
constexpr size_t kPerToken = 5;

// Places only grow, so each is counted from the one before.
class TokenNumbers {
 public:
  // The first token is counted from a place.
  TokenNumbers(const Document& document, Encoding encoding, size_t most, u32 from)
      : document_(document), encoding_(encoding), line_(document.lines.line_of(from)), at_(from) {
    numbers_.reserve(most * kPerToken);
  }

  void add(const KnownToken& token) {
    const u32 before = line_;
    while (line_ + 1 < document_.lines.lines() && document_.lines.begin(line_ + 1) <= token.begin)
      ++line_;
    if (line_ != before) at_ = document_.lines.begin(line_);
    numbers_.insert(
        numbers_.end(),
        {line_ - before, units(at_, token.begin), units(token.begin, token.end),
         token.name ? type_of_name(*token.name) : type_of_text(token.kind), modifiers_of(token)});
    at_ = token.begin;
  }
  [[nodiscard]] Numbers take() { return std::move(numbers_); }

 private:
  [[nodiscard]] u32 units(u32 begin, u32 end) const {
    return count_units(std::string_view(document_.text).substr(begin, end - begin), encoding_);
  }

  const Document& document_;
  Encoding encoding_;
  u32 line_, at_;  // where the last token begins
  Numbers numbers_;
};

Numbers numbers_of(const Question& question, const Document& document, ByteRange bytes) {
  const std::vector<KnownToken>& tokens = question.workspace.list_tokens(document);
  const auto first = std::ranges::upper_bound(tokens, bytes.begin, {}, &KnownToken::end);
  const auto last = std::ranges::lower_bound(tokens, bytes.end, {}, &KnownToken::begin);
  const std::span wanted(first, std::max(first, last));
  TokenNumbers numbers(document, question.client.encoding, wanted.size(), 0);
  for (const KnownToken& token : wanted) numbers.add(token);
  return numbers.take();
}
ByteRange all_of(const Document& document) { return {0, static_cast<u32>(document.text.size())}; }

void write(std::span<const u32> numbers, std::string& out) {
  out += '[';
  for (size_t k = 0; k < numbers.size(); ++k) {
    char digits[16];
    const auto end = std::to_chars(digits, std::end(digits), numbers[k]).ptr;
    if (k != 0) out += ',';
    out.append(digits, end);
  }
  out += ']';
}

// Says what the tokens are, not which text they are of: a document that is closed and opened again is not taken for
// another. The id of tokens that an edit makes of others says which these were, and the edit.
std::string id_of(std::string_view before, size_t first, size_t removed,
                  std::span<const u32> numbers) {
  Hash128 hash;
  add_text(hash, before);
  hash.add(first);
  hash.add(removed);
  add_text(hash, {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()});
  return std::to_string(hash.low);
}

Outcome all_tokens(Workspace::SentTokens& sent, Numbers numbers) {
  sent.before = {};
  sent.id = id_of("", 0, 0, numbers);
  sent.numbers = std::move(numbers);
  std::string out = R"({"data":)";
  write(sent.numbers, out);
  return WrittenJson{out + R"(,"resultId":")" + sent.id + R"("})"};
}

// One edit: in the place of so many of the numbers that were sent, from the first one on, there are others.
struct NumbersEdit {
  size_t first = 0, removed = 0;
  std::span<const u32> added;
};
// … without what is as it was at both ends, in whole tokens.
NumbersEdit trimmed(const Numbers& before, NumbersEdit edit) {
  const std::span old = std::span(before).subspan(edit.first, edit.removed);
  const size_t most = std::min(old.size(), edit.added.size());
  size_t first = 0, last = 0;
  while (first < most && old[first] == edit.added[first]) ++first;
  first -= first % kPerToken;
  while (last < most - first &&
         old[old.size() - 1 - last] == edit.added[edit.added.size() - 1 - last])
    ++last;
  last -= last % kPerToken;
  return {edit.first + first, edit.removed - first - last,
          edit.added.subspan(first, edit.added.size() - first - last)};
}
void make(const NumbersEdit& edit, Numbers& numbers) {
  const auto at = numbers.begin() + static_cast<std::ptrdiff_t>(edit.first);
  const auto both = static_cast<std::ptrdiff_t>(std::min(edit.removed, edit.added.size()));
  std::copy(edit.added.begin(), edit.added.begin() + both, at);
  numbers.erase(at + both, at + static_cast<std::ptrdiff_t>(edit.removed));
  numbers.insert(at + both, edit.added.begin() + both, edit.added.end());
}

Outcome edited_tokens(Workspace::SentTokens& sent, const NumbersEdit& whole) {
  const NumbersEdit edit = trimmed(sent.numbers, whole);
  std::string out = R"({"edits":[)";
  if (edit.removed != 0 || !edit.added.empty()) {
    out += R"({"data":)";
    write(edit.added, out);
    out += R"(,"deleteCount":)" + std::to_string(edit.removed) + R"(,"start":)" +
           std::to_string(edit.first) + "}";
    const auto from = sent.numbers.begin() + static_cast<std::ptrdiff_t>(edit.first);
    sent.before = {sent.id,
                   edit.first,
                   edit.added.size(),
                   {from, from + static_cast<std::ptrdiff_t>(edit.removed)}};
    sent.id = id_of(sent.id, edit.first, edit.removed, edit.added);
    make(edit, sent.numbers);
  }
  return WrittenJson{out + R"(],"resultId":")" + sent.id + R"("})"};
}

// The numbers of the tokens that a change concerns, with the first one behind it, which is counted from the last of them.
Numbers numbers_of(const Question& question, const Document& document,
                   const std::vector<KnownToken>& tokens,
                   const services::QuickTokens::Change& change) {
  const size_t end = std::min<size_t>(tokens.size(), size_t{change.first} + change.added + 1);
  const u32 from = change.first == 0 ? 0 : tokens[change.first - 1].begin;
  TokenNumbers numbers(document, question.client.encoding, end - change.first, from);
  for (size_t k = change.first; k < end; ++k) numbers.add(tokens[k]);
  return numbers.take();
}

}  // namespace

Outcome answer_tokens(const Question& question) {
  const Read<DocumentRef> read = read_document(question);
  if (!read) return *read.refusal;
  const Document& document = *read.value;
  Numbers numbers = numbers_of(question, document, all_of(document));
  question.workspace.listed_tokens(document).mark();
  return all_tokens(question.workspace.sent_tokens(document), std::move(numbers));
}

Outcome answer_tokens_delta(const Question& question) {
  const Read<DocumentRef> read = read_document(question);
  if (!read) return *read.refusal;
  const Document& document = *read.value;
  const Json& id = member(question.params, "previousResultId");
  if (!id.is_string())
    return Refusal{ErrorCode::InvalidParams, "`previousResultId` is missing, or no text"};
  const std::vector<KnownToken>& tokens = question.workspace.list_tokens(document);
  services::QuickTokens& listed = question.workspace.listed_tokens(document);
  Workspace::SentTokens& sent = question.workspace.sent_tokens(document);
  const auto change = listed.change();
  listed.mark();
  // What has changed since is known of those that were made last, and these may have been dropped.
  const bool has_those_before = id != sent.id && sent.go_back_to(id.get_ref<const std::string&>());
  if (id != sent.id) return all_tokens(sent, numbers_of(question, document, all_of(document)));
  if (!change || has_those_before) {
    const Numbers numbers = numbers_of(question, document, all_of(document));
    return edited_tokens(sent, {0, sent.numbers.size(), numbers});
  }
  const Numbers numbers = numbers_of(question, document, tokens, *change);
  const size_t first = change->first * kPerToken;
  const size_t removed = numbers.size() - change->added * kPerToken + change->removed * kPerToken;
  return edited_tokens(sent, {first, removed, numbers});
}

Outcome answer_tokens_of_range(const Question& question) {
  const Read<Stretched> read = read_stretch(question);
  if (!read) return *read.refusal;
  std::string out = R"({"data":)";
  write(numbers_of(question, *read.value.document, read.value.bytes), out);
  return WrittenJson{out + "}"};
}

}  // namespace komuz::lsp
