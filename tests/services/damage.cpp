// SPDX-License-Identifier: Apache-2.0
#include "tests/services/damage.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "engine/candidates/load_modules.h"
#include "services/definition.h"
#include "services/hover.h"
#include "services/items.h"

namespace komuz::test {

using frontend::Index;
using services::Analysis;
using services::TextPlace;

namespace {

// Modules beside a program.
class Folder : public engine::ModuleFiles {
 public:
  explicit Folder(std::filesystem::path root) : root_(std::move(root)) {}
  std::optional<engine::ModuleText> read(std::string_view path) override {
    std::string name(path);
    std::ranges::replace(name, '.', '/');
    const std::filesystem::path file = root_ / (name + ".komuz");
    if (!std::filesystem::exists(file)) return std::nullopt;
    return engine::ModuleText{file.string(), read_text(file)};
  }
  std::vector<std::string> list() override { return {}; }

 private:
  std::filesystem::path root_;
};

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
struct Stretch {
  u32 begin, end;
};

}  // namespace

Survival measure_survival(const std::string& text, const std::filesystem::path& folder, u32 first,
                          u32 step, std::string* told) {
  Folder files(folder);
  engine::ModuleLoader loader(&files);
  loader.load(text);
  Analysis analysis(&loader.library());
  analysis.read(text);
  const frontend::Columns& c = analysis.columns();
  std::vector<Question> questions;
  std::vector<Stretch> tokens, items;
  for (Index t = 0; t < analysis.own_tokens(); ++t) {
    const u32 begin = c.token_start[t];
    tokens.push_back({begin, begin + c.token_length[t]});
    if (symbol_of(analysis, analysis.node_of(t)).kind != services::Symbol::Kind::None)
      questions.push_back({begin, ask(analysis, begin)});
  }
  for (Index item = 0; c.nodes != 0 && item < c.items; ++item) {
    const frontend::TokenRange own = analysis.tokens_of(item);
    if (own.first >= analysis.own_tokens() || own.first >= own.end) continue;
    const Index last = std::min(own.end, analysis.own_tokens()) - 1;
    items.push_back({c.token_start[own.first], tokens[last].end});
  }
  Survival found;
  for (size_t t = first; t < tokens.size(); t += step) {
    const Stretch token = tokens[t];
    const auto item = std::ranges::find_if(
        items, [&](const Stretch& i) { return i.begin <= token.begin && token.end <= i.end; });
    const Stretch damaged = item == items.end() ? token : *item;
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

std::vector<std::filesystem::path> corpus() {
  std::vector<std::filesystem::path> found;
  for (const char* folder : {"examples", "stdlib", "tests"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(
             std::filesystem::path(KOMUZ_SOURCE_DIR) / folder))
      if (entry.path().extension() == ".komuz") found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace komuz::test
