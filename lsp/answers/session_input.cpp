// SPDX-License-Identifier: Apache-2.0
#include "lsp/answers/session_input.h"

#include "lsp/answers/shapes.h"
#include "services/editor/item_tokens.h"

namespace komuz::lsp {

SessionInput input_of(const Document& document, ByteRange range) {
  frontend::Compiler lexer;
  static_cast<void>(lexer.identify(document.text));
  SessionInput out;
  for (const services::TokenItem& item :
       services::list_token_items(lexer.columns(), document.text)) {
    const bool is_test = item.word == Token::Test || item.word == Token::Prop;
    if (is_test || item.begin > range.end || item.end < range.begin) continue;
    out.text.append(document.text, item.begin, item.end - item.begin).append("\n");
    if (!item.name.empty()) out.names.emplace_back(item.name);
  }
  return out;
}

void add_session_actions(const Question& question, const Document& document, ByteRange range,
                         Json& actions) {
  const services::LiveRef& live = question.workspace.live();
  if (live == nullptr || !live->takes_input) return;
  const SessionInput input = input_of(document, range);
  if (input.names.empty()) return;
  std::string title = "define ";
  for (const std::string& name : input.names)
    title += (&name == input.names.data() ? "`" : ", `") + name + "`";
  title += " in the session";
  const Json lines = range_json(document, range, question.client.encoding);
  actions.push_back({{"title", title},
                     {"kind", "refactor.rewrite"},
                     {"command",
                      {{"title", title},
                       {"command", "komuz.toSession"},
                       {"arguments", Json::array({document.uri, lines})}}}});
}

}  // namespace komuz::lsp
