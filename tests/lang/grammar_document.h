// SPDX-License-Identifier: Apache-2.0
// The grammar of grammar_rules.def as text for tools that let a language model write only what parses: Lark's EBNF
// over tokens and, over characters, the GBNF of llama.cpp and the EBNF of XGrammar. All contain the words and
// operators of the tables in lang/.
//
// Line ends: a token includes adjacent line ends that have no meaning there. These are the line ends before and
// behind an infix operator, behind an opening bracket, and before a closing one. The remaining line ends stand where
// language.md has an implicit `;`.
#pragma once
#include <string>

namespace komuz {

[[nodiscard]] std::string lark_grammar();
[[nodiscard]] std::string gbnf_grammar();
[[nodiscard]] std::string ebnf_grammar();

}  // namespace komuz
