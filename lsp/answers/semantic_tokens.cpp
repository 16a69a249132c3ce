// SPDX-License-Identifier: Apache-2.0
// Tokens as the protocol wants them: five numbers each, lines and columns from the token before.
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

}  // namespace

Outcome answer_tokens(const Question& question) {
  const Read<DocumentRef> read = read_document(question);
  if (!read) return *read.refusal;
  const Document& document = *read.value;
  const Encoding encoding = question.client.encoding;
  Json numbers = Json::array();
  Position before;
  for (const KnownToken& token : services::list_tokens(question.workspace.analyse(document))) {
    const Position at = document.position_of(token.begin, encoding);
    const std::string_view text =
        std::string_view(document.text).substr(token.begin, token.end - token.begin);
    const bool is_same_line = at.line == before.line;
    numbers.push_back(at.line - before.line);
    numbers.push_back(is_same_line ? at.character - before.character : at.character);
    numbers.push_back(count_units(text, encoding));
    numbers.push_back(token.name ? type_of_name(*token.name) : type_of_text(token.kind));
    numbers.push_back(modifiers_of(token));
    before = at;
  }
  return Json{{"data", std::move(numbers)}};
}

}  // namespace komuz::lsp
