// SPDX-License-Identifier: Apache-2.0
// Explains a diagnostic or a trap, with a wrong and a right example. The texts are the files of
// services/explanations: paragraphs, then the examples as blocks of code. The line that opens a block says what it
// is:
//
//   ```komuz wrong               gives the diagnostic and no other; for a trap, has a test that ends in it
//   ```komuz wrong with K0407    gives also this one, or several
//   ```komuz wrong later         uses what this version does not compile
//   ```komuz right               has neither errors nor warnings; for a trap, its tests pass
//   ```komuz right later
//
// An example may have several files, each after a comment with its name, `// lib/packing.komuz`. The last file is the
// program in question, the others are its modules. If one is called harness.komuz, the others are candidates.
//
// In an example, on the page as in the file, `⟨…⟩` stands for what a page does not show:
//
//   ⟨FF⟩              the byte FF, which may not be text
//   ⟨65 × T# = T##;⟩  the text 65 times; `#` is the number of each, 1, 2, …, and `##` the number before it;
//                     if it is alone on its line, each copy has a line
//
// A diagnostic without a wrong example, because no program is known, is described by a paragraph.
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

// A topic with an explanation: a diagnostic or a trap.
struct Topic {
  std::string_view name;  // K0401, DIV_ZERO
  std::string_view kind;  // error, warning, note, trap
  std::string message;    // from its table, with `…` for a program's parts
};
// In the order of the tables.
[[nodiscard]] std::vector<Topic> explained_topics();

struct Example {
  std::string source;  // as it is written; empty: there is none
  bool is_later = false;
  std::vector<std::string_view> beside;  // codes of diagnostics that it gives as well
};
struct Explanation {
  Topic topic;
  std::string text;
  Example wrong, right;
};
// Finds a topic by name, in capitals or not, or a diagnostic by its number; nothing if there is none.
[[nodiscard]] std::optional<Explanation> explain(std::string_view name);

// Topics that mention all the words in their names, messages or texts; a word in a text may be longer. Without words
// the result is empty.
[[nodiscard]] std::vector<Explanation> explanations_about(std::span<const std::string_view> words);

// The answer to names or words: the explanations of those that are names or, if none is, all texts that mention the
// words.
struct Explained {
  std::vector<Explanation> explanations;
  bool is_list = false;                     // a list of texts that mention words
  std::optional<std::string_view> unknown;  // the first unknown name
};
[[nodiscard]] Explained find_explanations(std::span<const std::string_view> names);

// Why there is no explanation: "there is no diagnostic or trap `DIV_ZER`", and the most similar name, or `otherwise`.
[[nodiscard]] std::string unknown_topic(std::string_view name, std::string_view otherwise);

[[nodiscard]] std::string render_explanation(const Explanation& explanation);
// One line: "K0401  note     `…` is recursive and has no bound; read as `rec …`".
[[nodiscard]] std::string render_topic(const Topic& topic);
// {"name", "kind", "message", "text", "wrong", "right"}, with examples as they are written; "wrong" is null if there
// is none.
[[nodiscard]] nlohmann::ordered_json explanation_json(const Explanation& explanation);

}  // namespace komuz::services
