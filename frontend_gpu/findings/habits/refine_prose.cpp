// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/findings/habits/refine_prose.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "frontend_gpu/findings/habits/refine_marks.h"
#include "frontend_gpu/findings/habits/refine_text.h"
#include "frontend_gpu/names/use_items.h"
#include "frontend_gpu/questions/item_tokens.h"
#include "mend/aliases.h"
#include "mend/source_text.h"

namespace komuz::frontend {

namespace {

// Words are looked up in tables. This is done for the first lines with findings, and for lines that are no longer
// than this.
constexpr size_t kMostLines = 256, kLongestLine = 1000;

enum class LineKind : u8 { Code, Prose, Fence };

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// `Here`, `it's,`: letters with at most one mark behind them. Returns the word without the mark; empty: it is none.
std::string_view plain_word(std::string_view word) {
  constexpr std::string_view kMarks = ".,:;!?";
  if (!word.empty() && kMarks.find(word.back()) != std::string_view::npos) word.remove_suffix(1);
  const bool is_plain =
      !word.empty() && std::ranges::all_of(word, [](char c) { return is_letter(c) || c == '\''; });
  return is_plain ? word : std::string_view();
}
bool is_keyword(std::string_view word) {
  for (u32 k = 0; k < kTokenCount; ++k)
    if (token_row(static_cast<Token>(k)).spelling == word) return true;
  return false;
}
// True for words without a meaning in a program.
bool is_function_word(std::string_view word) {
  static const std::unordered_set<std::string_view> kWords = {
      "the", "The", "a",    "an",    "this", "This", "that", "these", "here", "Here",
      "is",  "are", "we",   "We",    "it",   "It",   "you",  "You",   "of",   "to",
      "my",  "My",  "your", "which", "with", "for",  "can",  "will",  "I",    "below"};
  return kWords.contains(word);
}

// True for a line with at least four words that make up most of it. Two words side by side must mean nothing to
// Komuz, and one word must be only English. The line has no braces and no `=`.
bool reads_as_prose(std::string_view line) {
  constexpr size_t kLeastWords = 4;
  if (line.find_first_of("{}=") != std::string_view::npos) return false;
  size_t parts = 0, words = 0;
  bool is_english = false, has_pair = false, follows_unknown = false;
  while (true) {
    const size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) break;
    line.remove_prefix(begin);
    const std::string_view part = line.substr(0, line.find_first_of(" \t\r"));
    line.remove_prefix(part.size());
    const std::string_view word = plain_word(part);
    const bool is_unknown = !word.empty() && !is_keyword(word) && find_alias(word) == nullptr;
    if (parts == 0 && !word.empty() && !is_unknown) return false;
    has_pair |= is_unknown && follows_unknown;
    follows_unknown = is_unknown;
    is_english |= is_function_word(word);
    ++parts;
    words += !word.empty();
  }
  return words >= kLeastWords && words * 5 >= parts * 3 && is_english && has_pair;
}

LineKind kind_of(std::string_view line) {
  if (line.size() > kLongestLine) return LineKind::Code;
  if (opening_marks(line)) return LineKind::Fence;
  const size_t first = line.find_first_not_of(" \t");
  // `#` and `*` start comments of other languages.
  const bool may_be = first != std::string_view::npos && is_letter(line[first]);
  return may_be && reads_as_prose(line) ? LineKind::Prose : LineKind::Code;
}

class Lines {
 public:
  explicit Lines(const Columns& c) : c_(c) {
    for (u32 at = 0; at < c.bytes; ++at)
      if (c.source[at] == '\n') starts_.push_back(at + 1);
  }
  [[nodiscard]] u32 line_of(u32 place) const {
    return static_cast<u32>(std::upper_bound(starts_.begin(), starts_.end(), place) -
                            starts_.begin()) -
           1;
  }
  [[nodiscard]] u32 count() const { return static_cast<u32>(starts_.size()); }
  [[nodiscard]] u32 begin(u32 line) const { return starts_[line]; }
  [[nodiscard]] std::string_view text(u32 line) const {
    const u32 end = line + 1 < starts_.size() ? starts_[line + 1] - 1 : c_.bytes;
    return {reinterpret_cast<const char*>(c_.source + starts_[line]), end - starts_[line]};
  }

 private:
  const Columns& c_;
  std::vector<u32> starts_ = {0};
};

// Keeps only lines that start with a token between items.
void keep_outer(const Columns& c, const Lines& lines, std::unordered_map<u32, LineKind>& kinds) {
  const std::vector<Index> first_nodes = find_first_nodes(c);
  Index item = 0;
  u32 depth = 0, looked_at = ~0u;
  for (Index t = 0; t < c.tokens; ++t) {
    bool starts_item = false;
    while (item < c.items && c.token[first_nodes[item]] <= t) {
      starts_item = item != 0 && c.token[first_nodes[item]] == t;
      depth = 0;
      ++item;
    }
    if (is_first_on_line(c, t) || t == 0) {
      looked_at = lines.line_of(c.token_start[t]);
      if (depth != 0 || starts_item) kinds.erase(looked_at);
    }
    depth += opens(token_at(c, t));
    if (closes(token_at(c, t)) && depth != 0) --depth;
  }
}

// The end of the program's own text, without the blanks there. Interfaces of modules may stand behind it.
u32 end_of_text(const Columns& c) {
  const Index head = find_public_use(c);
  const u32 end = head == kNone ? c.bytes : c.token_start[head];
  return static_cast<u32>(trimmed_end(source_of(c).substr(0, end)).size());
}

// Reports the marks with which a line starts; they are to be left out.
Diagnostic make_marks(const Lines& lines, u32 line) {
  const Marks marks = *opening_marks(lines.text(line));
  const u32 begin = lines.begin(line) + marks.begin, end = lines.begin(line) + marks.end;
  return make_diagnostic(DiagnosticCode::ProseLine, begin, end - begin, begin, end);
}

// The marks around the program, and the code between them.
struct Block {
  Marks open, close;
  u32 begin, end;  // the code between them, without the ends of lines that hold marks alone
  u32 text_end;
  [[nodiscard]] bool holds(u32 place) const { return place >= open.end && place < close.begin; }
};
// The end of the thoughts that a model writes before its answer. They may hold blocks of their own. The mark that
// opens them may be missing, because it is often part of the question; then the mark that closes them starts a
// line.
u32 end_of_thoughts(std::string_view text) {
  constexpr std::string_view kOpen = "<think", kClose = "</think";
  // Mostly there is none, which is found out faster from the front.
  if (text.find(kClose) == std::string_view::npos) return 0;
  const bool is_open = trimmed(text.substr(0, kLongestLine)).starts_with(kOpen);
  for (size_t at = text.rfind(kClose); at != std::string_view::npos;
       at = at == 0 ? at : text.rfind(kClose, at - 1)) {
    const size_t before = text.substr(0, at).find_last_not_of(" \t");
    const bool starts_line = before == std::string_view::npos || text[before] == '\n';
    const size_t close = text.find('>', at);
    if ((is_open || starts_line) && close != std::string_view::npos)
      return static_cast<u32>(close + 1);
    if (at == 0) break;
  }
  return 0;
}
// An answer with more blocks is read as it is.
constexpr size_t kMostBlocks = 16;
// The marks of the lines that start in bytes [begin, end). If there are more than so many blocks have, some are
// left out.
std::vector<Marks> find_marks(const Lines& lines, u32 begin, u32 end) {
  std::vector<Marks> marks;
  for (u32 line = 0;
       line < lines.count() && lines.begin(line) < end && marks.size() <= 2 * kMostBlocks; ++line) {
    const u32 place = lines.begin(line);
    if (place < begin) continue;
    const std::string_view text = lines.text(line);
    for (const std::optional<Marks>& found : {opening_marks(text), closing_marks(text)})
      if (found) marks.push_back({place + found->begin, place + found->end});
  }
  return marks;
}
// The names that the items of a block define: words behind keywords, and, for types, words with capitals on the
// same line.
std::vector<std::string_view> names_of_items(std::string_view code) {
  std::vector<std::string_view> names;
  while (!code.empty()) {
    const std::string_view line = code.substr(0, code.find('\n'));
    code.remove_prefix(std::min(line.size() + 1, code.size()));
    if (!starts_item(line)) continue;
    const bool makes_type = line.find("type ") != std::string_view::npos;
    std::string_view before;
    for (size_t at = 0; at < line.size();) {
      const std::string_view word = word_at(line, static_cast<u32>(at));
      const bool is_capital = makes_type && !word.empty() && word[0] >= 'A' && word[0] <= 'Z';
      if (is_capital || is_among(before, {"const", "type", "fn", "space"})) names.push_back(word);
      if (!word.empty()) before = word;
      at += std::max<size_t>(word.size(), 1);
    }
  }
  return names;
}
bool has_entry(std::string_view code) {
  while (!code.empty()) {
    const std::string_view line = code.substr(0, code.find('\n'));
    code.remove_prefix(std::min(line.size() + 1, code.size()));
    if (starts_item(line) && trimmed(line).starts_with("pub fn ")) return true;
  }
  return false;
}
// The program among the blocks that marks make in pairs: the only block, or the only one with a `pub fn`, if that
// one is complete without the others. marks.size(): there is none.
size_t program_of(std::string_view source, const std::vector<Marks>& marks) {
  const auto code_of = [&](size_t k) {
    return source.substr(marks[k].end, marks[k + 1].begin - marks[k].end);
  };
  if (marks.size() == 2) return 0;
  size_t program = marks.size();
  for (size_t k = 0; k < marks.size(); k += 2) {
    if (!has_entry(code_of(k))) continue;
    if (program != marks.size()) return marks.size();
    program = k;
  }
  if (program == marks.size()) return program;
  const std::string_view code = code_of(program);
  const std::vector<std::string_view> own = names_of_items(code);
  for (size_t k = 0; k < marks.size(); k += 2)
    for (const std::string_view name : names_of_items(code_of(k)))
      if (has_word(code, name) && std::ranges::find(own, name) == own.end()) return marks.size();
  return program;
}
std::optional<Block> find_block(const Columns& c, const Lines& lines) {
  const std::string_view source = source_of(c);
  if (source.find("```") == std::string_view::npos && source.find("~~~") == std::string_view::npos)
    return std::nullopt;
  const u32 end = end_of_text(c), first = end_of_thoughts(source.substr(0, end));
  const std::vector<Marks> marks = find_marks(lines, first, end);
  if (marks.empty() || marks.size() > 2 * kMostBlocks || marks.size() % 2 != 0) return std::nullopt;
  for (size_t k = 1; k < marks.size(); ++k)
    if (marks[k - 1].end > marks[k].begin) return std::nullopt;
  const size_t program = program_of(source, marks);
  if (program == marks.size()) return std::nullopt;
  const Marks open = marks[program], close = marks[program + 1];
  Block block{open, close, open.end, close.begin, end};
  for (u32 line = 0; line < lines.count() && lines.begin(line) < end; ++line) {
    const u32 place = lines.begin(line);
    const auto behind = std::ranges::upper_bound(marks, place, {}, &Marks::begin);
    const bool is_outside = (behind - marks.begin()) % 2 == 0;
    if (is_outside && place >= first && starts_item(lines.text(line))) return std::nullopt;
  }
  while (block.begin < block.end && (source[block.begin] == '\r' || source[block.begin] == '\n'))
    if (source[block.begin++] == '\n') break;
  while (block.end > block.begin && (source[block.end - 1] == ' ' || source[block.end - 1] == '\t'))
    --block.end;
  if (block.end > block.begin && source[block.end - 1] == '\n') --block.end;
  return block;
}

// Reports a line. Its edit leaves out bytes [begin, end); where these are none there is no edit, because the line
// may be worth reading.
Diagnostic make_line(const Lines& lines, u32 line, u32 begin, u32 end) {
  std::string_view text = lines.text(line);
  const auto first = static_cast<u32>(text.find_first_not_of(" \t"));
  text = text.substr(0, text.find_last_not_of(" \t\r") + 1);
  return make_diagnostic(DiagnosticCode::ProseLine, lines.begin(line) + first,
                         static_cast<u32>(text.size()) - first, begin, end);
}

// Leaves out all that stands around the block, together with its fences.
void keep_block(const Lines& lines, const Block& block, std::vector<Finding>& findings) {
  std::unordered_set<u32> said = {lines.line_of(block.open.begin),
                                  lines.line_of(block.close.begin)};
  const Index item = findings.front().item;
  std::erase_if(findings, [&](Finding& finding) {
    const u32 place = finding.diagnostic.begin, line = lines.line_of(place);
    if (block.holds(place)) return false;
    if (!said.insert(line).second) return true;
    finding.diagnostic = make_line(lines, line, 0, 0);
    finding.node = kNone;
    return false;
  });
  const auto leave_out = [&](Marks marks, u32 begin, u32 end) {
    const Diagnostic d = make_diagnostic(DiagnosticCode::ProseLine, marks.begin,
                                         marks.end - marks.begin, begin, end);
    findings.push_back({d, item, kNone});
  };
  leave_out(block.open, 0, block.begin);
  leave_out(block.close, block.end, block.text_end);
}

// Handles thoughts with a program behind them that stands in no block: one finding leaves out all of them. Errors
// in the program are those that it has without the thoughts.
bool keep_thoughts(const Columns& c, const Lines& lines, std::vector<Finding>& findings) {
  const std::string_view text = source_of(c).substr(0, end_of_text(c));
  const u32 end = end_of_thoughts(text);
  if (std::ranges::none_of(findings, [&](const Finding& f) { return f.diagnostic.begin < end; }))
    return false;
  const u32 behind =
      static_cast<u32>(std::min(text.find_first_not_of(" \t\r\n", end), text.size()));
  const auto begin = static_cast<u32>(text.find_first_not_of(" \t\r\n"));
  const u32 line = lines.line_of(begin);
  const u32 line_end = lines.begin(line) + static_cast<u32>(lines.text(line).size());
  const Finding thoughts{
      make_diagnostic(DiagnosticCode::ProseLine, begin, std::min(line_end, end) - begin, 0, behind),
      findings.front().item, kNone};
  findings = {thoughts};
  return true;
}

// `fn f() -> i64 { 1 }```, where no mark opens the block: its marks are one finding.
void refine_closing_marks(const Lines& lines, std::vector<Finding>& findings) {
  std::unordered_set<u32> said;
  std::erase_if(findings, [&](Finding& finding) {
    Diagnostic& d = finding.diagnostic;
    if (d.code() != DiagnosticCode::BadCharacter) return false;
    const u32 line = lines.line_of(d.begin);
    const std::string_view text = lines.text(line);
    const std::optional<Marks> marks =
        text.size() > kLongestLine ? std::nullopt : closing_marks(text);
    if (!marks || d.begin < lines.begin(line) + marks->begin) return false;
    if (!said.insert(line).second) return true;
    const u32 begin = lines.begin(line) + marks->begin, end = lines.begin(line) + marks->end;
    d = make_diagnostic(DiagnosticCode::ProseLine, begin, end - begin, begin, end);
    finding.node = kNone;
    return false;
  });
}

}  // namespace

void refine_prose(const Columns& c, std::vector<Finding>& findings) {
  if (findings.empty()) return;
  const Lines lines(c);
  if (const std::optional<Block> block = find_block(c, lines))
    return keep_block(lines, *block, findings);
  if (keep_thoughts(c, lines, findings)) return;
  refine_closing_marks(lines, findings);
  std::set<u32> looked_at;
  for (const Finding& finding : findings) {
    looked_at.insert(lines.line_of(finding.diagnostic.begin));
    if (looked_at.size() > kMostLines) looked_at.erase(std::prev(looked_at.end()));
  }
  std::unordered_map<u32, LineKind> kinds;
  for (const u32 line : looked_at) kinds.emplace(line, kind_of(lines.text(line)));
  std::erase_if(kinds, [](const auto& entry) { return entry.second == LineKind::Code; });
  if (kinds.empty()) return;
  keep_outer(c, lines, kinds);
  std::unordered_set<u32> said;
  std::erase_if(findings, [&](Finding& finding) {
    const u32 line = lines.line_of(finding.diagnostic.begin);
    const auto found = kinds.find(line);
    if (found == kinds.end()) return false;
    if (!said.insert(line).second) return true;
    finding.diagnostic = make_line(lines, line, 0, 0);
    if (found->second == LineKind::Fence) finding.diagnostic = make_marks(lines, line);
    finding.node = kNone;
    return false;
  });
}

}  // namespace komuz::frontend
