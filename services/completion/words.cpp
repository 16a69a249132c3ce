// SPDX-License-Identifier: Apache-2.0
// Words of the language, from the tables of tokens and of the grammar.
#include "frontend_gpu/view.h"
#include "services/completion/question.h"
#include "services/completion/sources.h"
#include "services/front_end_names.h"

namespace komuz::services {

namespace {

bool is_word(const TokenRow& row) {
  return !row.spelling.empty() && row.spelling[0] >= 'a' && row.spelling[0] <= 'z';
}
template <class Visit>
void for_each_word(Visit visit) {
  for (u32 k = 0; k < kTokenCount; ++k)
    if (const auto token = static_cast<Token>(k); is_word(token_row(token)))
      visit(token, token_row(token));
}
void add_word(const TokenRow& row, u32 order, Candidates& out) {
  out.add({std::string(row.spelling), NameKind::Keyword, "", "", ""}, Nearness::Word, order);
}

}  // namespace

void add_item_words(Candidates& out) {
  for_each_word([&](Token token, const TokenRow& row) {
    if (row.act == Act::Item) add_word(row, static_cast<u32>(token), out);
  });
}

void add_public_words(Candidates& out) {
  for (const Token token : {Token::Fn, Token::Type, Token::Const})
    add_word(token_row(token), static_cast<u32>(token), out);
}

void add_words(Context context, Candidates& out) {
  const auto& rules = frontend::tables().grammar[static_cast<u32>(context)];
  for_each_word([&](Token token, const TokenRow& row) {
    const bool stands_alone = row.infix != row.alone && row.act != Act::Item;
    if (stands_alone && rules[static_cast<u32>(row.alone)].error == 0)
      add_word(row, static_cast<u32>(token), out);
  });
}

// Each word is tried with what may follow it.
void add_infix_words(const Analysis& analysis, u32 begin, u32 end, Analysis& question,
                     Candidates& out) {
  const auto stands = [&](const TokenRow& row, std::string_view behind) {
    question.read_edited(analysis, begin, end, std::string(row.spelling).append(behind));
    const Index token = question.token_around(begin);
    const Index node = token == kNone ? kNone : question.node_of(token);
    const frontend::Columns& c = question.columns();
    return node != kNone && frontend::node_kind(c, node) == row.infix &&
           frontend::node_context(c, node) != Context::Skipped && c.left[node] != kNone &&
           frontend::node_context(c, c.left[node]) != Context::Skipped;
  };
  for_each_word([&](Token token, const TokenRow& row) {
    if (row.infix == Node::None || !out.wants(row.spelling)) return;
    for (const std::string_view behind : {" x", " x {}", " {}"})
      if (stands(row, behind)) return add_word(row, static_cast<u32>(token), out);
  });
}

}  // namespace komuz::services
