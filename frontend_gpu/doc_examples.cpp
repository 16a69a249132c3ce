// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/doc_examples.h"

#include <algorithm>

namespace komuz::frontend {

namespace {

constexpr std::string_view kItemText{"\0assert", 7};
static_assert(kItemText.size() == kExampleComment.size() &&
              static_cast<u8>(kItemText[0]) == kExampleMark);

// The position of the example's mark on the line that starts at `at`; npos: the line has none. No token or comment
// spans a line end, so the first bytes of a line decide.
size_t find_example(std::string_view source, size_t at) {
  const size_t first = source.find_first_not_of(" \t", at);
  if (first == std::string_view::npos) return first;
  const std::string_view line = source.substr(first, kExampleComment.size() + 1);
  const bool is_example =
      line.starts_with(kExampleComment) && (line.ends_with(' ') || line.ends_with('\t'));
  return is_example ? first : std::string_view::npos;
}

// The mark of a line that is meant as an example and is none: `/// >>` or `///>>>`, with the blanks behind the
// mark. Empty: the line is an example, or prose. `>>` also marks a quotation inside a quotation, so the text behind
// the mark must read as code.
std::string_view wrong_mark(std::string_view source, size_t at) {
  const size_t first = std::min(source.find_first_not_of(" \t", at), source.size());
  const std::string_view line = source.substr(first, source.find('\n', first) - first);
  if (!line.starts_with("///") || find_example(source, at) != std::string_view::npos) return {};
  const size_t brackets = line.find_first_not_of(" \t", 3);
  if (brackets == std::string_view::npos) return {};
  const size_t behind = std::min(line.find_first_not_of('>', brackets), line.size());
  const size_t code = std::min(line.find_first_not_of(" \t", behind), line.size());
  const std::string_view text = line.substr(code);
  const bool reads_as_code =
      text.find("==") != std::string_view::npos || text.find('(') != std::string_view::npos;
  const size_t count = behind - brackets;
  return (count == 3 || (count == 2 && reads_as_code)) && !text.empty() ? line.substr(0, code)
                                                                        : std::string_view{};
}

// True if an item starts with the first token behind byte `at`.
bool stands_above_item(const Columns& c, size_t at, size_t end) {
  const u32* const starts = &c.token_start[0];
  const auto token = static_cast<Index>(std::upper_bound(starts, starts + c.tokens, at) - starts);
  const Index* const items = &c.item_node[0];
  const Index* const item = std::lower_bound(
      items, items + c.items, token, [&](Index node, Index t) { return c.token[node] < t; });
  // The interfaces of modules stand behind `end`.
  return item != items + c.items && c.token[*item] == token && c.token_start[token] < end;
}

}  // namespace

OpenedExamples open_examples(const Columns& c, std::string_view source) {
  OpenedExamples opened;
  if (c.nodes == 0 || source.find("///") == std::string_view::npos) return opened;
  std::string text(source);
  bool found = false;
  for (size_t line = 0; line < source.size();
       line = std::min(source.find('\n', line), source.size() - 1) + 1) {
    if (const std::string_view mark = wrong_mark(source, line); !mark.empty())
      opened.lost.push_back(make_diagnostic(DiagnosticCode::ExampleMark,
                                            static_cast<u32>(mark.data() - source.data()),
                                            static_cast<u32>(mark.size())));
    const size_t at = find_example(source, line);
    if (at == std::string_view::npos) continue;
    if (!stands_above_item(c, at, source.size())) {
      opened.lost.push_back(make_diagnostic(DiagnosticCode::LostExample, static_cast<u32>(at),
                                            static_cast<u32>(kExampleComment.size())));
      continue;
    }
    text.replace(at, kItemText.size(), kItemText);
    found = true;
  }
  if (found) opened.text = std::move(text);
  return opened;
}

}  // namespace komuz::frontend
