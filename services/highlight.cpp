// SPDX-License-Identifier: Apache-2.0
#include "services/highlight.h"

#include <algorithm>
#include <optional>

#include "frontend_gpu/text/source_text.h"
#include "frontend_gpu/view.h"
#include "lang/types.h"
#include "services/format/comments.h"

namespace komuz::services {
namespace {

using frontend::Columns;
using frontend::Index;

bool is_type_name(std::string_view name) {
  static constexpr std::string_view kScalars[] = {
#define SCALAR(Name, spelling, Type, bytes, class) spelling,
#include "lang/types.def"
  };
  return (name[0] >= 'A' && name[0] <= 'Z') ||
         std::ranges::find(kScalars, name) != std::end(kScalars);
}

// True if there are no tokens to go on with.
bool is_of_lexer(const Diagnostic& d) {
  return d.code() == DiagnosticCode::TooManyTokens || d.code() == DiagnosticCode::InternalRefused;
}

// By token: whether the front end made a name of it.
std::vector<bool> names_of(const Columns& c) {
  std::vector<bool> is_name(c.tokens);
  for (Index i = 0; i < c.nodes; ++i)
    if (frontend::node_kind(c, i) == Node::Name && c.token[i] < c.tokens)
      is_name[c.token[i]] = true;
  return is_name;
}

}  // namespace

std::string_view text_kind_name(TextKind kind) {
  switch (kind) {
    case TextKind::Keyword: return "keyword";
    case TextKind::Type: return "type";
    case TextKind::Function: return "function";
    case TextKind::Number: return "number";
    case TextKind::String: return "string";
    case TextKind::Comment: return "comment";
    case TextKind::Hole: return "hole";
  }
  return "";
}

std::optional<TextKind> text_kind_of(Token token, std::string_view text, TokenLook look) {
  switch (token) {
    case Token::Int:
    case Token::Float:
    case Token::True:
    case Token::False: return TextKind::Number;
    case Token::String:
    case Token::Char: return TextKind::String;
    case Token::Hole: return TextKind::Hole;
    case Token::Error: return std::nullopt;
    default: break;
  }
  if (token == Token::Name || look.is_name) {
    if (is_type_name(text)) return TextKind::Type;
    return look.is_called ? std::optional(TextKind::Function) : std::nullopt;
  }
  const std::string_view spelling = token_row(token).spelling;
  const bool is_word = !spelling.empty() && spelling[0] >= 'a' && spelling[0] <= 'z';
  return is_word ? std::optional(TextKind::Keyword) : std::nullopt;
}

std::vector<Stretch> highlight(frontend::Compiler& compiler, std::string_view source) {
  if (frontend::check_text(source).code() != DiagnosticCode::None) return {};
  frontend::Compilation compilation;
  compiler.compile(source, compilation);
  if (std::ranges::any_of(compilation.diagnostics, is_of_lexer)) return {};
  std::vector<bool> is_name = names_of(compiler.columns());
  if (compiler.columns().nodes == 0) {
    // There are only comments, or there is no tree: only the tokens count.
    static_cast<void>(compiler.identify(source));
    is_name.assign(compiler.columns().tokens, false);
  }
  const Columns& c = compiler.columns();
  const Comments comments(c);
  std::vector<Stretch> found;
  const auto add = [&](size_t begin, size_t length, TextKind kind) {
    // A text that uses modules is compiled with the modules' interfaces behind it.
    if (begin < source.size())
      found.push_back({static_cast<u32>(begin),
                       static_cast<u32>(std::min(begin + length, source.size())), kind});
  };
  for (Index t = 0; t <= c.tokens; ++t) {
    for (const Comment& comment : comments.before(t))
      add(static_cast<size_t>(comment.text.data() - reinterpret_cast<const char*>(c.source)),
          comment.text.size(), TextKind::Comment);
    if (t == c.tokens) break;
    const u32 begin = c.token_start[t], length = c.token_length[t];
    if (begin >= source.size()) break;
    const bool is_called = t + 1 < c.tokens && frontend::token_at(c, t + 1) == Token::LParen;
    const auto kind = text_kind_of(frontend::token_at(c, t), source.substr(begin, length),
                                   {is_name[t], is_called});
    if (kind) add(begin, length, *kind);
  }
  return found;
}

}  // namespace komuz::services
