// SPDX-License-Identifier: Apache-2.0
#include "services/editor/format_range.h"

#include "services/editor/item_tokens.h"
#include "services/format.h"
#include "services/front_end_names.h"

namespace komuz::services {
namespace {

struct ItemSpan {
  u32 begin = 0, end = 0;
};
std::vector<ItemSpan> item_spans(frontend::Compiler& lexer, std::string_view text) {
  std::vector<ItemSpan> spans;
  static_cast<void>(lexer.identify(text));
  if (lexer.columns().bytes != text.size()) return spans;
  for (const TokenItem& item : list_token_items(lexer.columns(), text)) {
    // A comment behind its end, on the same line, belongs to it.
    const std::string_view rest = text.substr(item.end, text.find('\n', item.end) - item.end);
    const size_t comment = rest.find_first_not_of(" \t");
    const bool has_comment =
        comment != std::string_view::npos && rest.substr(comment).starts_with("//");
    spans.push_back({item.begin, item.end + static_cast<u32>(has_comment ? rest.size() : 0)});
  }
  return spans;
}
std::string_view text_of(std::string_view text, const ItemSpan& span) {
  return text.substr(span.begin, span.end - span.begin);
}

}  // namespace

FormattedRange format_range(std::string_view text, u32 begin, u32 end,
                            const std::stop_token& stop) {
  FormattedRange out;
  frontend::Compiler compiler;
  compiler.stop_when(stop);
  const std::vector<ItemSpan> before = item_spans(compiler, text);
  const Formatted whole = format(compiler, text);
  std::vector<ItemSpan> after;
  if (whole.ok) after = item_spans(compiler, whole.text);
  // The formatter neither adds items nor moves them.
  const bool is_known = whole.ok && after.size() == before.size();
  for (size_t k = 0; k < before.size(); ++k) {
    const ItemSpan& item = before[k];
    if (item.begin > end || item.end < begin) continue;
    if (is_known) {
      out.items.push_back({item.begin, item.end, std::string(text_of(whole.text, after[k]))});
      continue;
    }
    Formatted own = format(compiler, text_of(text, item));
    if (own.ok) {
      while (own.text.ends_with('\n')) own.text.pop_back();
      out.items.push_back({item.begin, item.end, std::move(own.text)});
    } else if (out.wrong.code() == DiagnosticCode::None && !own.diagnostics.empty()) {
      out.wrong = own.diagnostics.front();
      out.wrong.begin += item.begin;
    }
  }
  return out;
}

}  // namespace komuz::services
