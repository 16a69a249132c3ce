// SPDX-License-Identifier: Apache-2.0
// The grammar of grammar_rules.def as text for tools that let a language model write only what parses: Lark's EBNF over
// tokens, and over characters the GBNF of llama.cpp and the EBNF of XGrammar. All hold the words and operators of the tables in lang/.
//
// Line ends. A token takes those beside it which mean nothing there: an infix operator before and behind it, an opening
// bracket behind, a closing one before. So the line ends that are left stand where language.md has an implicit `;`.
#pragma once
#include <string>

namespace komuz {

[[nodiscard]] std::string lark_grammar();
[[nodiscard]] std::string gbnf_grammar();
[[nodiscard]] std::string ebnf_grammar();

}  // namespace komuz
