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
  TokenNumbers(const Document& document, Encoding encoding, size_t most)
      : document_(document), encoding_(encoding) {
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
  u32 line_ = 0, at_ = 0;  // where the last token begins
  Numbers numbers_;
};

Numbers numbers_of(const Question& question, const Document& document, ByteRange bytes) {
  const std::vector<KnownToken>& tokens = question.workspace.list_tokens(document);
  const auto first = std::ranges::upper_bound(tokens, bytes.begin, {}, &KnownToken::end);
  const auto last = std::ranges::lower_bound(tokens, bytes.end, {}, &KnownToken::begin);
  const std::span wanted(first, std::max(first, last));
  TokenNumbers numbers(document, question.client.encoding, wanted.size());
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
// another.
std::string id_of(const Numbers& numbers) {
  Hash128 hash;
  add_text(hash, {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(u32)});
  return std::to_string(hash.low);
}

Outcome all_tokens(Workspace::SentTokens& sent, Numbers numbers) {
  sent.before = {};
  sent.id = id_of(numbers);
  sent.numbers = std::move(numbers);
  std::string out = R"({"data":)";
  write(sent.numbers, out);
  return WrittenJson{out + R"(,"resultId":")" + sent.id + R"("})"};
}

// One edit, of whole tokens.
Outcome edited_tokens(Workspace::SentTokens& sent, Numbers numbers) {
  const Numbers& before = sent.numbers;
  const size_t most = std::min(before.size(), numbers.size());
  size_t first = static_cast<size_t>(
      std::mismatch(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(most),
                    numbers.begin())
          .first -
      before.begin());
  first -= first % kPerToken;
  size_t last = 0;
  while (last < most - first &&
         before[before.size() - 1 - last] == numbers[numbers.size() - 1 - last])
    ++last;
  last -= last % kPerToken;
  std::string out = R"({"edits":[)";
  if (before != numbers) {
    out += R"({"data":)";
    write(std::span(numbers).subspan(first, numbers.size() - last - first), out);
    out += R"(,"deleteCount":)" + std::to_string(before.size() - last - first) + R"(,"start":)" +
           std::to_string(first) + "}";
    const auto from = before.begin() + static_cast<std::ptrdiff_t>(first);
    const auto to = before.end() - static_cast<std::ptrdiff_t>(last);
    sent.before = {sent.id, first, numbers.size() - last - first, {from, to}};
    sent.id = id_of(numbers);
    sent.numbers = std::move(numbers);
  }
  return WrittenJson{out + R"(],"resultId":")" + sent.id + R"("})"};
}

}  // namespace

Outcome answer_tokens(const Question& question) {
  const Read<DocumentRef> read = read_document(question);
  if (!read) return *read.refusal;
  const Document& document = *read.value;
  return all_tokens(question.workspace.sent_tokens(document),
                    numbers_of(question, document, all_of(document)));
}

Outcome answer_tokens_delta(const Question& question) {
  const Read<DocumentRef> read = read_document(question);
  if (!read) return *read.refusal;
  const Document& document = *read.value;
  const Json& id = member(question.params, "previousResultId");
  if (!id.is_string())
    return Refusal{ErrorCode::InvalidParams, "`previousResultId` is missing, or no text"};
  Workspace::SentTokens& sent = question.workspace.sent_tokens(document);
  Numbers numbers = numbers_of(question, document, all_of(document));
  const bool has_those_before = id != sent.id && sent.go_back_to(id.get_ref<const std::string&>());
  return has_those_before || id == sent.id ? edited_tokens(sent, std::move(numbers))
                                           : all_tokens(sent, std::move(numbers));
}

Outcome answer_tokens_of_range(const Question& question) {
  const Read<Stretched> read = read_stretch(question);
  if (!read) return *read.refusal;
  std::string out = R"({"data":)";
  write(numbers_of(question, *read.value.document, read.value.bytes), out);
  return WrittenJson{out + "}"};
}

}  // namespace komuz::lsp
