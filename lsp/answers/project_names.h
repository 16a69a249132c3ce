// SPDX-License-Identifier: Apache-2.0
// The texts of a project that may use what a name of one document means, open ones before files.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/answers/question.h"
#include "services/editor/item_tokens.h"
#include "services/editor/name_uses.h"

namespace komuz::lsp {

// True if the document is a candidate, and the function of it is one that its harness leaves open.
[[nodiscard]] bool fills_open(const Question& question, const Document& document,
                              const services::SharedName& shared);

struct NamingText {
  DocumentRef document;
  // What the name is called there: of the text itself, or of each of the modules that are the file that has it.
  std::vector<services::SharedName> names;
  services::KeptText kept;  // what of it spells one of the words
  // For it and others that find the same modules, which are loaded; examples are tests.
  std::shared_ptr<services::Analysis> analysis;
};
struct NamingTexts {
  std::vector<NamingText> list;
  // Where the name is defined: a path; empty: in the document, which is no file.
  std::string home;
  bool has_home = false;  // it is in the list
};
// What a harness leaves open, and what candidates define in its place, is one name. `shared`: as the document spells it. Texts that spell none of the words are left out. Nothing: a stop came before.
[[nodiscard]] std::optional<NamingTexts> texts_naming(const Question& question,
                                                      const Document& document,
                                                      const services::SharedName& shared,
                                                      std::vector<std::string_view> words);

}  // namespace komuz::lsp
