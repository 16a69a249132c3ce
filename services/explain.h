// SPDX-License-Identifier: Apache-2.0
// What a diagnostic or a trap means, with a wrong and a right example. The texts are the files of services/explanations:
// paragraphs, then the examples as blocks of code. The line that opens a block says what it is:
//
//   ```komuz wrong               gives the diagnostic and no other; of a trap, has a test that ends in it
//   ```komuz wrong with K0407    … and this one beside it, or these
//   ```komuz wrong later         uses what this version does not compile
//   ```komuz right               has neither errors nor warnings; of a trap, its tests pass
//   ```komuz right later
//
// An example may be of several files, each behind a comment with its name, `// lib/packing.komuz`: the last one is the program that
// it is about, the others its modules; of one that is called harness.komuz the others are candidates.
//
// In an example, on the page as in the file, `⟨…⟩` stands for what a page does not show:
//
//   ⟨FF⟩              the byte FF, which may be no text
//   ⟨65 × T# = T##;⟩  the text 65 times, `#` being the number of each, 1, 2, …, and `##` the number before it;
//                     where it is alone on its line, each has a line
//
// What has no wrong example, because no program is known, is described by a paragraph.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lang/diagnostics.h"
#include "lang/traps.h"

namespace komuz::services {

// What can be explained: a diagnostic or a trap.
struct Topic {
  std::string_view name;  // K0401, DIV_ZERO
  std::string_view kind;  // error, warning, note, trap
  std::string message;    // as its table says it, with `…` for what a program fills in
};
// In the order of the tables.
[[nodiscard]] std::vector<Topic> explained_topics();

struct Example {
  std::string source;  // as it is written; empty: there is none
  bool is_later = false;
  std::vector<std::string_view> beside;  // codes that it gives as well
};
struct Explanation {
  Topic topic;
  std::string text;
  Example wrong, right;
};
// By name, in capitals or not, and of a diagnostic by its number; nothing where there is no such name.
[[nodiscard]] std::optional<Explanation> explain(std::string_view name);

// Those that speak of all the words, in their names, messages or texts; what begins with a word is one, too. None of no word.
[[nodiscard]] std::vector<Explanation> explanations_about(std::span<const std::string_view> words);

// What names or words ask for: the explanations of those that are names, or, where none is, all texts that speak of the words.
struct Explained {
  std::vector<Explanation> explanations;
  bool is_list = false;                     // of what was found by words
  std::optional<std::string_view> unknown;  // the first name that there is not
};
[[nodiscard]] Explained find_explanations(std::span<const std::string_view> names);

// Why there is none: "there is no diagnostic or trap `DIV_ZER`", and the name most like it, or `otherwise`.
[[nodiscard]] std::string unknown_topic(std::string_view name, std::string_view otherwise);

[[nodiscard]] std::string render_explanation(const Explanation& explanation);
// "K0401  note     `…` is recursive and has no bound; read as `rec …`", a line.
[[nodiscard]] std::string render_topic(const Topic& topic);
// {"name", "kind", "message", "text", "wrong", "right"}, examples as they are written; "wrong" is null where there is none.
[[nodiscard]] nlohmann::ordered_json explanation_json(const Explanation& explanation);

}  // namespace komuz::services
