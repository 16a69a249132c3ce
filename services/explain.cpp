// SPDX-License-Identifier: Apache-2.0
#include "services/explain.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "mend/near_miss.h"
#include "services/explanation_texts.h"

namespace komuz::services {
namespace {

// A message of diagnostics.def without its arguments. Arguments that only add a half-sentence leave nothing behind.
std::string pattern_of(std::string_view message) {
  constexpr std::string_view kAdded[] = {"{alias}",   "{function}",      "{convert}", "{chain}",
                                         "{above b}", "{near b}",        "{remedy}",  "{label}",
                                         "{record}",  "{bound of loop}", "{uses}",    "{own}"};
  std::string out;
  while (!message.empty()) {
    const size_t open = message.find('{'), close = message.find('}', open);
    const bool is_argument =
        close != std::string_view::npos && open + 1 < close && message[open + 1] != ' ';
    if (!is_argument) {  // the braces of a block
      const size_t end = open == std::string_view::npos ? message.size() : open + 1;
      out += message.substr(0, end);
      message.remove_prefix(end);
      continue;
    }
    out += message.substr(0, open);
    if (std::ranges::find(kAdded, message.substr(open, close + 1 - open)) == std::end(kAdded))
      out += "…";
    message.remove_prefix(close + 1);
  }
  return out;
}

std::string in_capitals(std::string_view name) {
  std::string out(name);
  for (char& c : out) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return out;
}

// "K0201" of "k0201", "K201" and "201"; "DIV_ZERO" of "div_zero".
std::string topic_name(std::string_view name) {
  constexpr size_t kDigits = 4;
  std::string out = in_capitals(name);
  const size_t digits = out.starts_with('K') ? 1 : 0;
  const bool is_number = digits < out.size() && out.size() <= digits + kDigits &&
                         out.find_first_not_of("0123456789", digits) == std::string::npos;
  if (!is_number) return out;
  return "K" + std::string(digits + kDigits - out.size(), '0') + out.substr(digits);
}

bool is_word_character(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// True if a word of the text begins with this one. Both are in capitals.
bool speaks_of(std::string_view text, std::string_view word) {
  for (size_t at = 0; (at = text.find(word, at)) != text.npos; ++at)
    if (at == 0 || !is_word_character(text[at - 1]) || !is_word_character(word.front()))
      return true;
  return false;
}

std::string_view next_line(std::string_view& text) {
  const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end);
  return line;
}

// "K0407 K0409\n"
std::vector<std::string_view> words_in(std::string_view text) {
  constexpr std::string_view kBetween = " \n";
  std::vector<std::string_view> words;
  for (size_t begin = 0; (begin = text.find_first_not_of(kBetween, begin)) != text.npos;) {
    const size_t end = std::min(text.find_first_of(kBetween, begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return words;
}

// Reads the block whose opening line was `fence`; `text` becomes the text behind it.
Example read_example(std::string_view fence, std::string_view& text) {
  Example example;
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    if (line.starts_with("```")) break;
    example.source += line;
  }
  example.is_later = fence.find(" later") != std::string_view::npos;
  constexpr std::string_view kWith = " with ";
  if (const size_t with = fence.find(kWith); with != std::string_view::npos)
    example.beside = words_in(fence.substr(with + kWith.size()));
  return example;
}

void read_text(std::string_view text, Explanation& out) {
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    if (line.starts_with("```komuz wrong"))
      out.wrong = read_example(line, text);
    else if (line.starts_with("```komuz right"))
      out.right = read_example(line, text);
    else
      out.text += line;
  }
  while (out.text.ends_with('\n')) out.text.pop_back();
  out.text += '\n';
}

// What the marks of an example mean that is not shown byte by byte.
std::string legend_of(std::string_view example) {
  if (example.find("⟨") == std::string_view::npos) return {};
  const bool counts = example.find(" × ") != std::string_view::npos;
  if (!counts) return ", where ⟨FF⟩ is the byte FF";
  const bool numbers = example.find('#') != std::string_view::npos;
  return numbers ? ", where ⟨9 × …⟩ is 9 times the text, # the number of each"
                 : ", where ⟨9 × …⟩ is 9 times the text";
}

std::string render_example(std::string_view title, const Example& example) {
  if (example.source.empty()) return {};
  std::string out = "\n" + std::string(title) + legend_of(example.source);
  out += example.is_later ? " (not supported yet):\n" : ":\n";
  for (std::string_view rest = example.source; !rest.empty();) {
    const std::string_view line = next_line(rest);
    out += line == "\n" ? "" : "    ";
    out += line;
  }
  return out;
}

}  // namespace

std::vector<Topic> explained_topics() {
  std::vector<Topic> topics;
#define DIAGNOSTIC(Name, code, severity, message) \
  topics.push_back({code, severity_name(Severity::severity), pattern_of(message)});
#define HOST_DIAGNOSTIC DIAGNOSTIC
#include "lang/diagnostics.def"
#define TRAP(Name, number, spelling, sentence) topics.push_back({spelling, "trap", sentence});
#include "lang/traps.def"
  return topics;
}

std::optional<Explanation> explain(std::string_view name) {
  const std::string wanted = topic_name(name);
  const auto texts = explanation_texts();
  const auto text = std::ranges::find(texts, wanted, &ExplanationText::name);
  std::vector<Topic> topics = explained_topics();
  const auto topic = std::ranges::find(topics, wanted, &Topic::name);
  if (text == texts.end() || topic == topics.end()) return std::nullopt;
  Explanation explanation;
  explanation.topic = std::move(*topic);
  read_text(text->text, explanation);
  return explanation;
}

std::vector<Explanation> explanations_about(std::span<const std::string_view> words) {
  std::vector<std::string> wanted;
  for (const std::string_view some : words)
    for (const std::string_view word : words_in(some)) wanted.push_back(in_capitals(word));
  std::vector<Explanation> found;
  if (wanted.empty()) return found;
  for (const Topic& topic : explained_topics()) {
    std::optional<Explanation> explanation = explain(topic.name);
    if (!explanation) continue;
    const std::string text =
        in_capitals(std::string(topic.name) + "\n" + topic.message + "\n" + explanation->text);
    if (std::ranges::all_of(wanted, [&](const std::string& word) { return speaks_of(text, word); }))
      found.push_back(std::move(*explanation));
  }
  return found;
}

Explained find_explanations(std::span<const std::string_view> names) {
  Explained found;
  for (const std::string_view name : names) {
    if (auto explanation = explain(name))
      found.explanations.push_back(std::move(*explanation));
    else if (!found.unknown)
      found.unknown = name;
  }
  found.is_list = found.explanations.empty();
  if (!found.is_list) return found;
  found.explanations = explanations_about(names);
  if (!found.explanations.empty()) found.unknown.reset();
  return found;
}

std::string unknown_topic(std::string_view name, std::string_view otherwise) {
  const std::vector<Topic> topics = explained_topics();
  std::vector<std::string_view> names;
  for (const Topic& topic : topics) names.push_back(topic.name);
  const std::string wanted = in_capitals(name);
  std::string_view near = nearest_word(wanted, names);
  // A name is a word of its own: one that shares only half of its letters is not meant.
  if (!near.starts_with(wanted) && letters_apart(wanted, near) * 3 > wanted.size()) near = {};
  return "there is no diagnostic or trap `" + std::string(name) + "`" +
         (near.empty() ? std::string(otherwise) : "; did you mean `" + std::string(near) + "`?");
}

std::string render_topic(const Topic& topic) {
  std::string out(topic.name);
  out.resize(10, ' ');
  out += topic.kind;
  out.resize(19, ' ');
  return out + topic.message + "\n";
}

std::string render_explanation(const Explanation& explanation) {
  const Topic& topic = explanation.topic;
  return std::string(topic.kind) + " " + std::string(topic.name) + ": " + topic.message + "\n\n" +
         explanation.text + render_example("Wrong", explanation.wrong) +
         render_example("Right", explanation.right);
}

nlohmann::ordered_json explanation_json(const Explanation& explanation) {
  std::string text = explanation.text.substr(0, explanation.text.size() - 1);
  for (size_t at = 1; at + 1 < text.size(); ++at)
    if (text[at] == '\n' && text[at - 1] != '\n' && text[at + 1] != '\n') text[at] = ' ';
  nlohmann::ordered_json object;
  object["name"] = explanation.topic.name;
  object["kind"] = explanation.topic.kind;
  object["message"] = explanation.topic.message;
  object["text"] = text;
  object["wrong"] = nullptr;
  if (!explanation.wrong.source.empty()) object["wrong"] = explanation.wrong.source;
  object["right"] = explanation.right.source;
  return object;
}

}  // namespace komuz::services
