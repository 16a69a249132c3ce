// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/private_types.h"

#include <algorithm>

#include "frontend_gpu/findings/habits/refine_text.h"
#include "frontend_gpu/questions/item_tokens.h"
#include "frontend_gpu/questions/type_form.h"

namespace komuz::frontend {

namespace {

class FindPrivateTypes {
 public:
  explicit FindPrivateTypes(const Columns& c)
      : c_(c), first_nodes_(find_first_nodes(c)), is_seen_(c.items) {}

  void operator()(std::vector<Diagnostic>& out) {
    for (Index item = 0; item < c_.items; ++item)
      if (is_own(item) && c_.item_kind[item] == ItemKind::Function &&
          node_kind(c_, c_.item_body[item]) == Node::Fn)
        look_at(item, out);
  }

 private:
  [[nodiscard]] bool is_own(Index item) const {
    return c_.modules == 0 || c_.item_module[item] == 0;
  }
  // Looks at the types that an open function names, and at the types that aliases of these stand for.
  void look_at(Index function, std::vector<Diagnostic>& out) {
    std::vector<Index> named = {function};
    while (!named.empty()) {
      const TokenRange tokens = tokens_of(c_, first_nodes_, named.back());
      named.pop_back();
      for (Index t = tokens.first; t < tokens.end; ++t) {
        const Index type = type_at(t);
        if (type == kNone || is_seen_[type]) continue;
        is_seen_[type] = true;
        if (made_type(c_, type) == kTypeError)
          named.push_back(type);
        else if (c_.item_public[type] == 0)
          out.push_back(private_type(type, function));
      }
    }
  }
  // The item that defines the type which token t names; kNone: t names no type of the harness itself.
  [[nodiscard]] Index type_at(Index t) const {
    const Token behind = token_at(c_, i64{t} + 1), before = token_at(c_, i64{t} - 1);
    if (token_at(c_, t) != Token::Name || behind == Token::Colon || behind == Token::Dot ||
        before == Token::Dot)
      return kNone;
    for (Index item = 0; item < c_.items; ++item)
      if (is_own(item) && c_.item_kind[item] == ItemKind::Type &&
          text_of(c_, c_.token[c_.item_name[item]]) == text_of(c_, t))
        return item;
    return kNone;
  }
  [[nodiscard]] Diagnostic private_type(Index type, Index function) const {
    const Index name = c_.token[c_.item_name[type]], user = c_.token[c_.item_name[function]];
    return make_diagnostic(DiagnosticCode::PrivateOpenType, c_.token_start[name],
                           c_.token_length[name], c_.token_start[user], c_.token_length[user]);
  }

  const Columns& c_;
  std::vector<Index> first_nodes_;
  std::vector<bool> is_seen_;  // for each item
};

}  // namespace

void find_private_types(const Columns& c, std::vector<Diagnostic>& out) {
  FindPrivateTypes find(c);
  find(out);
  std::ranges::sort(out, {}, &Diagnostic::begin);
}

}  // namespace komuz::frontend
