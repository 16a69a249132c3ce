// SPDX-License-Identifier: Apache-2.0
// The grammars of editors/: each is the text of one file there, made of the words in words.h. They colour what a
// line by itself can tell, as services/highlight.h does: what a name means is left to the language server.
#pragma once
#include <string>

namespace komuz::editors {

[[nodiscard]] std::string textmate_grammar();
[[nodiscard]] std::string vscode_configuration();
[[nodiscard]] std::string codemirror_language();
[[nodiscard]] std::string vim_syntax();
[[nodiscard]] std::string kate_syntax();
[[nodiscard]] std::string emacs_words();
[[nodiscard]] std::string tree_sitter_grammar();
[[nodiscard]] std::string tree_sitter_highlights();
[[nodiscard]] std::string helix_highlights();

}  // namespace komuz::editors
