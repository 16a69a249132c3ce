// SPDX-License-Identifier: Apache-2.0
#include "mend/stated_entry.h"

#include <algorithm>
#include <vector>

#include "mend/function_head.h"
#include "mend/habits/from_updates.h"
#include "mend/source_text.h"

namespace komuz {
namespace {

constexpr std::string_view kHeads[] = {"fn", "def", "func", "function", "fun"};
constexpr std::string_view kItems[] = {
    "use",  "const", "type", "test",   "prop", "space", "import", "from",  "class", "struct",
    "enum", "impl",  "#",    "static", "///",  "mod",   "trait",  "async", "public"};

// The names of the functions that lines of a text define; nothing if a line starts another item.
std::optional<std::vector<std::string_view>> functions_of(std::string_view source) {
  std::vector<std::string_view> names;
  for (size_t begin = 0; begin < source.size();) {
    const size_t end = std::min(source.find('\n', begin), source.size());
    std::string_view line = source.substr(begin, end - begin);
    begin = end + 1;
    if (line.empty() || line[0] == ' ' || line[0] == '\t') continue;
    if (line.starts_with("pub ")) line = trimmed(line.substr(4));
    const std::string_view word = word_at(line, 0);
    if (std::ranges::find(kHeads, word) != std::end(kHeads)) {
      const std::string_view rest = trimmed(line.substr(word.size()));
      const std::string_view name = word_at(rest, 0);
      if (!is_name(name) || source_at(rest, static_cast<u32>(name.size()), 1) != "(")
        return std::nullopt;
      names.push_back(name);
      continue;
    }
    // `mod(a, b)` is a value.
    if (!word.empty() && trimmed(line.substr(word.size())).starts_with('(')) continue;
    for (const std::string_view item : kItems)
      if (word == item || (word.empty() && line.starts_with(item))) return std::nullopt;
  }
  return names;
}
// `x, y` of `(x: f64, y: f64)`
std::vector<std::string_view> parameters_of(std::string_view signature) {
  const size_t open = signature.find('(');
  const size_t close = closing_bracket_of_lines(signature, open);
  std::vector<std::string_view> names;
  if (close == std::string_view::npos) return names;
  for (const std::string_view part : parts_of(signature.substr(open + 1, close - open - 1)))
    names.push_back(trimmed(part.substr(0, part.find(':'))));
  return names;
}
// The body of a lambda or of `f(x) = e`, and its parameters; otherwise the text.
struct Body {
  std::string_view text;
  std::vector<std::string_view> parameters;  // empty: those of the signature
};
Body body_of(std::string_view source) {
  std::string_view head;
  size_t mark = std::string_view::npos, length = 0;
  if (source.starts_with("lambda ")) {
    mark = source.find(':');
    length = 1;
    head = source.substr(7, mark == std::string_view::npos ? 0 : mark - 7);
  } else if (const size_t arrow = find_outside(source, "=>"); arrow != std::string_view::npos) {
    mark = arrow;
    length = 2;
    head = source.substr(0, arrow);
  } else if (source.starts_with('|')) {
    mark = source.find('|', 1);
    length = 1;
    head = source.substr(1, mark == std::string_view::npos ? 0 : mark - 1);
  }
  if (mark == std::string_view::npos) return {source, {}};
  head = trimmed(head);
  if (head.starts_with('(') && head.ends_with(')')) head = head.substr(1, head.size() - 2);
  Body body{trimmed(source.substr(mark + length)), parts_of(head)};
  if (!std::ranges::all_of(body.parameters, is_name) || body.parameters.empty())
    return {source, {}};
  return body;
}
std::string with_name(std::string_view source, std::string_view name, std::string_view wanted) {
  std::string text;
  for (size_t at = 0; at < source.size();) {
    const std::string_view word = word_at(source, static_cast<u32>(at));
    if (word.empty()) {
      text += source[at++];
      continue;
    }
    at += word.size();
    text += word == name && source_at(source, static_cast<u32>(at), 1) == "(" ? wanted : word;
  }
  return text;
}

}  // namespace

std::optional<StatedEntry> with_stated_entry(std::string_view source, std::string_view signature,
                                             EntryName name) {
  const std::optional<std::vector<std::string_view>> functions = functions_of(source);
  if (!functions) return std::nullopt;
  const size_t begin = signature.find("fn ") + 3;
  const std::string wanted(word_at(signature, static_cast<u32>(begin)));
  if (functions->size() > 1) return std::nullopt;
  if (!functions->empty()) {
    const std::string own(functions->front());
    const bool renames = name == EntryName::Stated && own != wanted;
    std::string text = renames ? with_name(source, own, wanted) : std::string(source);
    const std::string_view now = renames ? std::string_view(wanted) : own;
    const std::optional<FunctionHead> head = find_head(text, now);
    if (head)
      if (const auto edit = head_edit(head->name + static_cast<u32>(now.size()), signature, text))
        text = text.substr(0, edit->begin) + edit->text + text.substr(edit->end);
    if (text == source) return std::nullopt;
    return StatedEntry{std::move(text),
                       "`" + own + "` is given the head `" + std::string(signature) + "`", 1};
  }
  const Body body = body_of(trimmed(source));
  if (body.text.empty()) return std::nullopt;
  std::string head(signature);
  if (!body.parameters.empty()) {
    const std::vector<std::string_view> stated = parameters_of(signature);
    if (stated.size() != body.parameters.size()) return std::nullopt;
    std::string own = "fn " + wanted + "(";
    for (size_t k = 0; k < body.parameters.size(); ++k)
      own += (k == 0 ? "" : ", ") + std::string(body.parameters[k]);
    own += ") {";
    const auto edit = head_edit(static_cast<u32>(wanted.size()) + 3, signature, own);
    if (!edit) return std::nullopt;
    head = "pub fn " + wanted + edit->text;
  }
  const bool has_lines = body.text.find('\n') != std::string_view::npos;
  const std::string before = head + (has_lines ? " {\n" : " { ");
  std::string text = before + std::string(body.text) + (has_lines ? "\n}\n" : " }\n");
  if (trimmed(source).starts_with("lambda "))  // a lambda of Python
    if (const auto mended = quotients_of_python(
            std::string_view(text).substr(before.size(), body.text.size()), text))
      text.replace(before.size(), body.text.size(), *mended);
  return StatedEntry{std::move(text), "the text is the body of `" + head + "`", 1};
}

}  // namespace komuz
