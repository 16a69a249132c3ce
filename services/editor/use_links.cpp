// SPDX-License-Identifier: Apache-2.0
#include "services/editor/use_links.h"

#include "services/editor/item_tokens.h"
#include "services/front_end_names.h"
#include "services/item_text.h"

namespace komuz::services {

std::vector<UseLink> list_use_links(const Columns& c, std::string_view text) {
  std::vector<UseLink> links;
  for (const TokenItem& item : list_token_items(c, text)) {
    if (item.word != Token::Use) continue;
    UseLink link;
    Token before = Token::Dot;
    for (Index t = item.first + (item.is_public ? 2 : 1); t < item.last; ++t) {
      const Token token = frontend::word_at(c, t);
      link.has_list = token == Token::LBrace;
      if (token == before || (token != Token::Name && token != Token::Dot)) break;
      before = token;
      if (token == Token::Name) {
        if (link.path.empty())
          link.begin = c.token_start[t];
        else
          link.path += '.';
        link.path += text_of_token(c, t);
        link.end = c.token_start[t] + c.token_length[t];
      }
    }
    if (!link.path.empty()) links.push_back(std::move(link));
  }
  return links;
}

}  // namespace komuz::services
