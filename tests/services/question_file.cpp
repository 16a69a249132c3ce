// SPDX-License-Identifier: Apache-2.0
#include "tests/services/question_file.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/candidates/load_modules.h"
#include "services/complete.h"
#include "services/definition.h"
#include "services/editor/selection_ranges.h"
#include "services/editor/type_definition.h"
#include "services/hover.h"
#include "services/references.h"
#include "services/signature.h"

namespace komuz::test {

using services::Analysis;
using services::TextPlace;

namespace {

constexpr std::string_view kAnswer = "//:";

std::string_view without_blanks(std::string_view line) {
  const size_t first = line.find_first_not_of(' ');
  return first == std::string_view::npos ? std::string_view{} : line.substr(first);
}
bool is_answer(std::string_view line) { return without_blanks(line).starts_with(kAnswer); }

// The text behind the `^`; empty if the line is no question.
std::string_view question_of(std::string_view line) {
  const size_t mark = line.find("^ ");
  const std::string_view before = without_blanks(line.substr(0, mark));
  const bool asks = mark != std::string_view::npos && before.starts_with("//") &&
                    before.find_first_not_of("/ ") == std::string_view::npos;
  return asks ? line.substr(mark + 2) : std::string_view{};
}

// "3:5 `half`"
std::string shown_place(std::string_view text, u32 begin, u32 end) {
  size_t line = 1, start = 0;
  for (size_t k = 0; k < begin; ++k)
    if (text[k] == '\n') ++line, start = k + 1;
  return std::to_string(line) + ":" + std::to_string(begin - start + 1) + " `" +
         std::string(text.substr(begin, end - begin)) + "`";
}

class Answers {
 public:
  explicit Answers(std::string_view text) : text_(text), analysis_(&loader_.library()) {
    loader_.load(text);
    analysis_.read(text);
  }
  std::string answer(std::string_view question, u32 place) {
    using Ask = std::string (Answers::*)(u32);
    static constexpr std::pair<std::string_view, Ask> kQuestions[] = {
        {"hover", &Answers::hover},           {"definition", &Answers::definition},
        {"references", &Answers::references}, {"signature", &Answers::signature},
        {"complete", &Answers::complete},     {"type", &Answers::type},
        {"around", &Answers::around},
    };
    for (const auto& [word, ask] : kQuestions)
      if (question == word) return (this->*ask)(place);
    return "no such question\n";
  }

 private:
  std::string hover(u32 place) {
    const auto found = services::hover(analysis_, place);
    if (!found) return "nothing\n";
    std::string out = "`" + std::string(text_.substr(found->begin, found->end - found->begin)) +
                      "` " + found->kind + ": " + found->signature + "\n";
    if (!found->module.empty()) out += "in " + found->module + "\n";
    return out + found->text;
  }
  std::string place_text(const TextPlace& place) {
    if (place.in != services::PlaceIn::Module) return shown_place(text_, place.begin, place.end);
    const Library& library = loader_.library();
    const std::string& text = library[library.find(place.module)].text;
    return place.module + " " + shown_place(text, place.begin, place.end);
  }
  std::string definition(u32 place) {
    const auto found = services::find_definition(analysis_, place);
    return (found ? place_text(*found) : "nowhere") + "\n";
  }
  std::string references(u32 place) {
    std::string out;
    for (const services::Reference& r : services::find_references(analysis_, place))
      out += place_text(r.place) + (r.defines ? " defines" : "") + "\n";
    return out.empty() ? "none\n" : out;
  }
  std::string type(u32 place) {
    std::string out;
    for (const TextPlace& found : services::find_type_definitions(analysis_, place))
      out += place_text(found) + "\n";
    return out.empty() ? "none\n" : out;
  }
  // What is on one line of the stretches around the place.
  std::string around(u32 place) {
    std::string out;
    for (const services::SelectionRange& one : services::selections_around(analysis_, place)) {
      const std::string_view words = text_.substr(one.begin, one.end - one.begin);
      if (words.find('\n') == std::string_view::npos) out.append(words).append("\n");
    }
    return out;
  }
  // The parameter that the place is for stands between «».
  std::string signature(u32 place) {
    const auto found = services::call_signature(analysis_, place);
    if (!found) return "none\n";
    std::string out = found->signature;
    if (found->active < found->parameters.size()) {
      const auto [begin, end] = found->parameters[found->active];
      out.insert(end, "»").insert(begin, "«");
    }
    if (!found->module.empty()) out += "\nin " + found->module;
    return out + "\n" + found->text;
  }
  // The word, the type that is wanted, and the first of what may stand there.
  std::string complete(u32 place) {
    constexpr size_t kMost = 6;
    const services::Completions found = services::complete(analysis_, place);
    std::string out = "`" + std::string(text_.substr(found.begin, found.end - found.begin)) + "`";
    if (!found.expected.empty()) out += " of type " + found.expected;
    out += ", " + std::to_string(found.list.size()) + "\n";
    for (size_t k = 0; k < std::min(found.list.size(), kMost); ++k) {
      const services::Completion& one = found.list[k];
      out += "  " + one.text + "  " + std::string(services::name_kind_word(one.kind));
      if (!one.signature.empty()) out += ": " + one.signature;
      if (!one.text_line.empty()) out += "  " + one.text_line;
      out += "\n";
    }
    return out;
  }

  std::string_view text_;
  engine::ModuleLoader loader_;
  Analysis analysis_;
};

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

std::string answered(std::string_view text) {
  // The answers are no part of what is asked about.
  std::string asked;
  for (const std::string_view line : lines_of(text))
    if (!is_answer(line)) asked.append(line).append("\n");
  Answers answers(asked);
  std::string out;
  u32 at = 0, source = 0;  // where the line starts, and the last one that is no question
  for (const std::string_view line : lines_of(asked)) {
    out.append(line).append("\n");
    const std::string_view question = question_of(line);
    if (question.empty()) source = at;
    at += static_cast<u32>(line.size()) + 1;
    if (question.empty()) continue;
    const auto column = static_cast<u32>(line.find('^'));
    const std::string answer = answers.answer(question, source + column);
    for (const std::string_view words : lines_of(answer))
      out.append(kAnswer).append(" ").append(words).append("\n");
  }
  return out;
}

}  // namespace komuz::test
