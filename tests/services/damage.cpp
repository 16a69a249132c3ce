// SPDX-License-Identifier: Apache-2.0
#include "tests/services/damage.h"

#include <algorithm>

#include "engine/candidates/load_modules.h"
#include "services/definition.h"
#include "services/hover.h"
#include "tests/services/program_parts.h"

namespace komuz::test {

using services::Analysis;
using services::TextPlace;

namespace {

struct Answer {
  std::string words;
  std::optional<TextPlace> definition;
};
Answer ask(const Analysis& analysis, u32 place) {
  Answer answer;
  if (const auto found = services::hover(analysis, place))
    answer.words = found->kind + " " + found->signature + " " + found->module + " " + found->text;
  answer.definition = services::find_definition(analysis, place);
  return answer;
}

struct Question {
  u32 place;
  Answer answer;
};

}  // namespace

Survival measure_survival(const std::string& text, const std::filesystem::path& folder, u32 first,
                          u32 step, std::string* told) {
  FolderModules files(folder);
  engine::ModuleLoader loader(&files);
  loader.load(text);
  Analysis analysis(&loader.library());
  analysis.read(text);
  const ProgramParts parts = parts_of(analysis);
  std::vector<Question> questions;
  for (const u32 name : parts.names) questions.push_back({name, ask(analysis, name)});
  Survival found;
  for (size_t t = first; t < parts.tokens.size(); t += step) {
    const Stretch token = parts.tokens[t], damaged = parts.damaged_by(token);
    const u32 length = token.end - token.begin;
    const auto moved = [&](u32 place) { return place >= token.end ? place - length : place; };
    analysis.read(text.substr(0, token.begin) + text.substr(token.end));
    const u64 before = found.asked - found.survived;
    for (const Question& question : questions) {
      if (question.place >= damaged.begin && question.place < damaged.end) continue;
      Answer wanted = question.answer;
      if (wanted.definition && wanted.definition->in == services::PlaceIn::Text) {
        wanted.definition->begin = moved(wanted.definition->begin);
        wanted.definition->end = moved(wanted.definition->end);
      }
      const Answer now = ask(analysis, moved(question.place));
      ++found.asked;
      found.survived += now.words == wanted.words && now.definition == wanted.definition;
    }
    ++found.deletions;
    const u64 lost = found.asked - found.survived - before;
    if (told == nullptr || lost == 0) continue;
    const auto line = static_cast<u64>(std::count(text.begin(), text.begin() + token.begin, '\n'));
    *told += std::to_string(lost) + " lost without `" + text.substr(token.begin, length) +
             "` in line " + std::to_string(line + 1) + "\n";
  }
  return found;
}

}  // namespace komuz::test
