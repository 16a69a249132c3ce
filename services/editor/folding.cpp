// SPDX-License-Identifier: Apache-2.0
#include "services/editor/folding.h"

#include <algorithm>

#include "frontend_gpu/view.h"
#include "services/format/comments.h"
#include "services/front_end_names.h"
#include "services/items.h"

namespace komuz::services {
namespace {

bool has_line_end(std::string_view text) { return text.find('\n') != std::string_view::npos; }

// Brackets that fit each other, as the tokens are written.
void add_brackets(const Columns& c, Index tokens, std::vector<Fold>& folds) {
  std::vector<Index> open;
  for (Index t = 0; t < tokens; ++t) {
    const Token token = frontend::word_at(c, t);
    const Act act = token_row(token).act;
    // An item ends what the ones before it left open.
    if (act == Act::Item) open.clear();
    if (act == Act::Paren || act == Act::Brace) open.push_back(t);
    if (act != Act::Close || open.empty()) continue;
    const Index opener = open.back();
    if (static_cast<u8>(frontend::token_at(c, opener)) + 1 != static_cast<u8>(token)) continue;
    open.pop_back();
    folds.push_back({c.token_start[opener], c.token_start[t], FoldKind::Code});
  }
}

void add_comments(const Columns& c, Index tokens, std::vector<Fold>& folds) {
  const Comments comments(c);
  for (Index t = 0; t <= std::min(tokens, Index{c.tokens}); ++t) {
    std::optional<Fold> run;
    const auto end_run = [&] {
      if (run) folds.push_back(*run);
      run.reset();
    };
    for (const Comment& comment : comments.before(t)) {
      const auto begin =
          static_cast<u32>(comment.text.data() - reinterpret_cast<const char*>(c.source));
      const auto end = begin + static_cast<u32>(comment.text.size());
      if (!comment.owns_line || comment.blank_before) end_run();
      if (!comment.owns_line) continue;
      if (!run) run = Fold{begin, end, FoldKind::Comment};
      run->end = end;
    }
    end_run();
  }
}

void add_uses(const Analysis& analysis, std::vector<Fold>& folds) {
  std::optional<Fold> run;
  for (const TextItem& item : list_items(analysis.columns(), analysis.text())) {
    if (item.form != ItemForm::Use) {
      if (run) folds.push_back(*run);
      run.reset();
      continue;
    }
    if (!run) run = Fold{item.head_begin, item.end, FoldKind::Uses};
    run->end = item.end;
  }
  if (run) folds.push_back(*run);
}

}  // namespace

std::vector<Fold> list_folds(const Analysis& analysis) {
  std::vector<Fold> folds;
  const Columns& c = analysis.written();
  if (c.tokens != 0) {
    add_brackets(c, analysis.written_tokens(), folds);
    add_comments(c, analysis.written_tokens(), folds);
  }
  add_uses(analysis, folds);
  const std::string_view text = analysis.text();
  std::erase_if(folds, [&](const Fold& fold) {
    return fold.begin >= fold.end || fold.end > text.size() ||
           !has_line_end(text.substr(fold.begin, fold.end - fold.begin));
  });
  std::ranges::stable_sort(folds, {}, &Fold::begin);
  return folds;
}

}  // namespace komuz::services
