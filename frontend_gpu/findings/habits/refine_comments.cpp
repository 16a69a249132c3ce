// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "frontend_gpu/findings/habits/refine_brackets.h"
#include "frontend_gpu/findings/habits/refine_text.h"
#include "frontend_gpu/questions/item_tokens.h"
#include "mend/aliases.h"

namespace komuz::frontend {

namespace {

constexpr std::string_view kDocstring = "\"\"\"";

// Bytes [begin, end) of a comment, and the items in which it starts and ends.
struct Comment {
  u32 begin, end;
  Index first_item, last_item;
};

// True for `"""` at the start of a line that is followed by another `"""`.
bool is_docstring(const Columns& c, Index t) {
  return text_of(c, t) == "\"\"" && is_first_on_line(c, t) && touches_next(c, t) &&
         text_of(c, i64{t} + 1).starts_with('"') &&
         source_of(c).find(kDocstring, c.token_start[t] + kDocstring.size()) !=
             std::string_view::npos;
}
bool starts_comment(const Columns& c, Index t) {
  const std::string_view word = text_of(c, t), behind = text_of(c, i64{t} + 1);
  if (word == "/") return (behind == "*" || behind == "**") && touches_next(c, t);
  if (is_docstring(c, t)) return true;
  if (word != "#") return false;
  // `#include`, `#[inline]`
  return !touches_next(c, t) || (behind != "[" && behind != "!" &&
                                 find_alias({word.data(), 1 + behind.size()}) == nullptr);
}
u32 comment_end(const Columns& c, u32 begin) {
  const std::string_view source = source_of(c);
  if (source[begin] == '#')
    return static_cast<u32>(std::min(source.find('\n', begin), source.size()));
  const std::string_view closer = source[begin] == '"' ? kDocstring : "*/";
  const size_t end = source.find(closer, begin + closer.size());
  return static_cast<u32>(end == std::string_view::npos ? c.bytes : end + closer.size());
}

// Finds comments that start in items with findings; other items have none. They come in order.
std::vector<Comment> find_comments(const Columns& c, const std::vector<Finding>& findings) {
  std::vector<Index> items;
  for (const Finding& finding : findings) items.push_back(finding.item);
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
  std::vector<Comment> comments;
  const std::vector<Index> first_nodes = find_first_nodes(c);
  for (const Index item : items) {
    const TokenRange tokens = tokens_of(c, first_nodes, item);
    if (!comments.empty() && tokens.first < c.tokens &&
        c.token_start[tokens.first] < comments.back().end)
      comments.back().last_item = item;
    for (Index t = tokens.first; t < tokens.end; ++t) {
      const u32 begin = c.token_start[t];
      if (!comments.empty() && begin < comments.back().end) continue;
      if (starts_comment(c, t)) comments.push_back({begin, comment_end(c, begin), item, item});
    }
  }
  return comments;
}

}  // namespace

void refine_comments(const Columns& c, std::vector<Finding>& findings) {
  if (findings.empty()) return;
  const std::vector<Comment> comments = find_comments(c, findings);
  if (comments.empty()) return;
  std::erase_if(findings, [&](const Finding& finding) {
    const Diagnostic& d = finding.diagnostic;
    const auto before =
        std::upper_bound(comments.begin(), comments.end(), d.begin,
                         [](u32 place, const Comment& k) { return place < k.begin; });
    if (before != comments.begin() && d.begin < std::prev(before)->end) return true;
    if (!is_of_brackets(d.code())) return false;
    // Its brackets seem to be those of the program.
    const auto last =
        std::lower_bound(comments.begin(), comments.end(), finding.item,
                         [](const Comment& k, Index item) { return k.last_item < item; });
    return last != comments.end() && last->first_item <= finding.item;
  });
  for (const Comment& comment : comments) {
    const u8 first = c.source[comment.begin];
    const u32 length = first == '#' ? 1 : first == '"' ? 3 : 2;
    findings.push_back({make_diagnostic(DiagnosticCode::ForeignComment, comment.begin, length),
                        comment.first_item, kNone});
  }
}

}  // namespace komuz::frontend
