// SPDX-License-Identifier: Apache-2.0
#include "services/editor/token_kinds.h"

#include <algorithm>

#include "engine/candidates/load_modules.h"
#include "frontend_gpu/view.h"
#include "services/format/comments.h"
#include "services/front_end_names.h"
#include "services/item_text.h"

namespace komuz::services {
namespace {

class TokenKinds {
 public:
  explicit TokenKinds(const Analysis& analysis)
      : analysis_(analysis), c_(analysis.columns()), written_(analysis.written()) {}

  std::vector<KnownToken> list() {
    if (written_.tokens == 0) return {};
    const Comments comments(written_);
    const Index tokens = analysis_.written_tokens();
    for (Index t = 0; t <= tokens; ++t) {
      // Behind the last token there are those of the end, or what modules show.
      if (t <= written_.tokens)
        for (const Comment& comment : comments.before(t)) add_comment(comment);
      if (t < tokens) add_token(t);
    }
    return std::move(found_);
  }

 private:
  void add(KnownToken token) {
    const auto size = static_cast<u32>(analysis_.text().size());
    token.end = std::min(token.end, size);
    if (token.begin < token.end) found_.push_back(token);
  }
  void add_comment(const Comment& comment) {
    const auto begin =
        static_cast<size_t>(comment.text.data() - reinterpret_cast<const char*>(written_.source));
    if (begin >= analysis_.text().size()) return;
    add({static_cast<u32>(begin),
         static_cast<u32>(begin + comment.text.size()),
         TextKind::Comment,
         {}});
  }
  // The same token where the front end looked at it; kNone: it was mended away.
  Index analysed(Index t) {
    if (&written_ == &c_) return t;
    const u32 begin = written_.token_start[t];
    while (next_ < analysis_.own_tokens() && c_.token_start[next_] < begin) ++next_;
    const bool is_same = next_ < analysis_.own_tokens() && c_.token_start[next_] == begin &&
                         c_.token_length[next_] == written_.token_length[t];
    return is_same ? next_ : kNone;
  }
  void add_token(Index t) {
    KnownToken token;
    token.begin = written_.token_start[t];
    token.end = token.begin + written_.token_length[t];
    const Index known = analysed(t);
    const Index node = known == kNone ? kNone : analysis_.node_of(known);
    const Symbol symbol = symbol_of(analysis_, node);
    if (symbol.kind != Symbol::Kind::None && symbol_kind(symbol, token)) {
      token.defines = defining_node(analysis_, symbol) == node;
      return add(token);
    }
    const bool is_name = node != kNone && frontend::node_kind(c_, node) == Node::Name;
    const bool is_called =
        t + 1 < written_.tokens && frontend::token_at(written_, t + 1) == Token::LParen;
    const auto kind = text_kind_of(frontend::token_at(written_, t), text_of_token(written_, t),
                                   {is_name, is_called});
    if (!kind) return;
    token.kind = *kind;
    add(token);
  }

  // False: the name means nothing that has a colour.
  bool symbol_kind(const Symbol& symbol, KnownToken& token) const {
    switch (symbol.kind) {
      case Symbol::Kind::None: return false;
      case Symbol::Kind::Field: token.name = NameKind::Field; return true;
      case Symbol::Kind::Scalar:
        token.name = NameKind::Type;
        token.is_given = true;
        return true;
      case Symbol::Kind::Builtin:
        token.name = builtin_kind(symbol.number);
        token.is_given = true;
        return true;
      case Symbol::Kind::Binding: break;
    }
    token.name = binding_kind(symbol.number, token);
    const Module* const module = analysis_.module_of(c_.item[c_.bind_node[symbol.number]]);
    token.is_given = module != nullptr && module->path.starts_with(engine::kStandardPrefix);
    return token.name.has_value();
  }
  [[nodiscard]] static NameKind builtin_kind(u32 ref) {
    if (frontend::is_builtin_function(ref)) return NameKind::Function;
    if (frontend::is_collection(ref))
      return frontend::is_option_constructor(ref) ? NameKind::Constructor : NameKind::Operation;
    return frontend::is_chain(ref) ? NameKind::Operation : NameKind::Constant;
  }
  [[nodiscard]] std::optional<NameKind> binding_kind(u32 b, KnownToken& token) const {
    switch (c_.bind_kind[b]) {
      case BindKind::Function:
        return frontend::is_space(c_, c_.item[c_.bind_node[b]]) ? NameKind::Space
                                                                : NameKind::Function;
      case BindKind::Constant: return NameKind::Constant;
      case BindKind::Type: return NameKind::Type;
      case BindKind::Constructor: return NameKind::Constructor;
      case BindKind::Import:
      case BindKind::Module: return NameKind::Module;
      case BindKind::Parameter: return NameKind::Parameter;
      case BindKind::Var: token.is_variable = true; return NameKind::Variable;
      case BindKind::Let:
      case BindKind::For:
      case BindKind::Pattern:
      case BindKind::Lambda: return NameKind::Variable;
      case BindKind::Limit:
      case BindKind::Match: break;
    }
    return std::nullopt;
  }

  const Analysis& analysis_;
  const Columns& c_;
  const Columns& written_;
  Index next_ = 0;
  std::vector<KnownToken> found_;
};

}  // namespace

std::vector<KnownToken> list_tokens(const Analysis& analysis) {
  return TokenKinds(analysis).list();
}

}  // namespace komuz::services
