// SPDX-License-Identifier: Apache-2.0
// Questions at any place of any text: whatever stands there, there is an answer or none. KOMUZ_SEEDS says how many
// texts are asked; a failure is a crash, or a place outside of the text.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "base/random.h"
#include "engine/load_modules.h"
#include "services/complete.h"
#include "services/definition.h"
#include "services/hover.h"
#include "services/references.h"
#include "services/signature.h"
#include "tests/services/damage.h"

namespace komuz::test {
namespace {

using services::Analysis;

constexpr std::string_view kPieces[] = {"(", ")",  "[",      "]",    "{",    "}",        ";",
                                        ",", ".",  "?",      "use ", "fn ",  "pub use ", "\"",
                                        "'", "//", "match ", "=>",   "\xFF", "\n"};

std::string damaged(std::string text, Random& random) {
  for (u32 k = random.below(4); k > 0 && !text.empty(); --k) {
    const size_t at = random.below(text.size());
    switch (random.below(4)) {
      case 0: text.erase(at, 1 + random.below(12)); break;
      case 1: text.insert(at, random.pick(kPieces)); break;
      case 2: text.resize(at); break;
      default: text.insert(at, text.substr(random.below(text.size()), 1 + random.below(40))); break;
    }
  }
  return text;
}

// Empty, or what is wrong with the answers.
std::string ask_everything(Analysis& analysis, u32 place) {
  const auto size = static_cast<u32>(analysis.text().size());
  const auto is_outside = [&](u32 begin, u32 end) { return begin > end || end > size; };
  const auto hovered = services::hover(analysis, place);
  if (hovered && is_outside(hovered->begin, hovered->end)) return "hover";
  const auto definition = services::find_definition(analysis, place);
  if (definition && definition->in == services::PlaceIn::Text &&
      is_outside(definition->begin, definition->end))
    return "definition";
  for (const auto& reference : services::find_references(analysis, place))
    if (is_outside(reference.place.begin, reference.place.end)) return "reference";
  if (const auto call = services::call_signature(analysis, place))
    for (const auto& parameter : call->parameters)
      if (parameter.end > call->signature.size()) return "signature";
  const services::Completions completions = services::complete(analysis, place);
  return is_outside(completions.begin, completions.end) ? "completions" : "";
}

TEST(ServicesFuzz, AnyPlaceOfAnyText) {
  const char* const wanted = std::getenv("KOMUZ_SEEDS");
  const u64 seeds = wanted == nullptr ? 400 : std::strtoull(wanted, nullptr, 10);
  std::vector<std::string> texts;
  for (const auto& path : corpus()) texts.push_back(read_text(path));
  engine::ModuleLoader loader;
  for (const std::string& text : texts) loader.load(text);
  Analysis analysis(&loader.library());
  for (u64 seed = 1; seed <= seeds; ++seed) {
    Random random(seed);
    const std::string text = damaged(random.pick(texts), random);
    analysis.read(text);
    for (u32 k = 0; k < 4; ++k) {
      const u32 place = random.below(text.size() + 2);
      ASSERT_EQ(ask_everything(analysis, place), "") << "seed " << seed << ", byte " << place;
    }
  }
}

}  // namespace
}  // namespace komuz::test
