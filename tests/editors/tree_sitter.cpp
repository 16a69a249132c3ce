// SPDX-License-Identifier: Apache-2.0
// The grammar of tree-sitter, and its queries. It is a grammar of items, their heads and brackets: what stands inside
// of brackets is a row of tokens. So it has no conflicts but the ones that its precedences decide, a faulty text
// keeps its shape, and what a name means is left to the language server.
#include "tests/editors/grammars.h"
#include "tests/editors/words.h"

namespace komuz::editors {
namespace {

std::string choice(const WordList& list) { return "choice(\"" + join(list, "\", \"") + "\")"; }

// [ "a" "b" ] of a query.
std::string any(const WordList& list) { return "[\"" + join(list, "\" \"") + "\"]"; }
std::string any_of(const char* capture, const WordList& list, const char* predicate) {
  return "(" + std::string(predicate) + " @" + capture + " \"" + join(list, "\" \"") + "\")";
}

constexpr std::string_view kRules = R"js(
// A list whose last element may have a comma behind it.
const list = (element) => optional(seq(element, repeat(seq(",", element)), optional(",")));

module.exports = grammar({
  name: "komuz",
  word: ($) => $.identifier,
  extras: ($) => [/\s/, $.comment, $.doc_comment],
  rules: {
    source_file: ($) =>
      repeat(choice($.function, $.constant, $.type_item, $.use, $.test, $.property, $.space, ";")),

    function: ($) =>
      seq(optional("pub"), "fn", field("name", $._name), field("parameters", $.parameters), "->", field("result", $._type),
        optional(seq("rec", field("depth", choice($.integer, $.identifier, $.type_identifier)))), optional(field("body", $.block))),
    space: ($) =>
      seq("space", field("name", $._name), field("parameters", $.parameters), "->", field("result", $._type),
        "depth", field("depth", $.integer), field("body", $.block)),
    test: ($) => seq("test", field("name", $.string), field("body", $.block)),
    property: ($) => seq("prop", field("name", $.string), field("parameters", $.parens), field("body", $.block)),
    constant: ($) =>
      seq(optional("pub"), "const", field("name", choice($._name, $.type_identifier)), ":", field("type", $._type), "=", repeat1($._token), ";"),
    type_item: ($) =>
      seq(optional("pub"), "type", field("name", $.type_identifier), "=",
        repeat1(choice("|", ".", $.identifier, $.primitive_type, $.constructor, $.brackets, $.parens)), ";"),
    constructor: ($) => prec.right(seq(field("name", $.type_identifier), optional(choice($.parameters, $.brackets)))),
    use: ($) => seq("use", repeat1(choice(alias($.identifier, $.module), ".", $.import_list)), ";"),
    import_list: ($) => seq("{", list(choice($._name, $.type_identifier)), "}"),

    parameters: ($) => seq("(", list($.parameter), ")"),
    parameter: ($) => seq(field("name", choice($._name, $.type_identifier)), ":", field("type", $._type)),
    _type: ($) => choice($.primitive_type, $.type_identifier, $.qualified_type, $.generic_type, $.brackets, $.parens),
    qualified_type: ($) => seq(alias($.identifier, $.module), ".", $.type_identifier),
    generic_type: ($) => seq($.type_identifier, $.brackets),

    block: ($) => seq("{", repeat(choice($._token, ",", ";")), "}"),
    parens: ($) => seq("(", repeat(choice($._token, ",")), ")"),
    brackets: ($) => seq("[", repeat(choice($._token, ",", ";")), "]"),
    _token: ($) =>
      choice($.binding, $.for_head, $.bound, $.call, $._name, $.type_identifier, $.primitive_type, $.block, $.parens, $.brackets, $.hole,
        $.part, $.integer, $.float, $.boolean, $.string, $.character, $.operator, $._keyword),
    binding: ($) => seq(choice("let", "var"), field("pattern", choice($._name, $.type_identifier, $.parens))),
    for_head: ($) => seq("for", field("pattern", choice($._name, $.type_identifier, $.parens))),
    // These words are names where neither a number nor a name stands behind them.
    bound: ($) => prec(2, seq(boundWord, choice($.integer, $.identifier, $.type_identifier))),
    call: ($) => prec(1, seq(field("function", $._name), field("arguments", $.parens))),
    _name: ($) => choice($.identifier, alias(nameWord, $.identifier)),
    _keyword: ($) => keyword,

    primitive_type: ($) => primitive,
    boolean: ($) => boolean,
    operator: ($) => operator,
    identifier: ($) => /[a-z_][0-9A-Za-z_]*/,
    type_identifier: ($) => /[A-Z][0-9A-Za-z_]*/,
    hole: ($) => /\?([A-Za-z_][0-9A-Za-z_]*)?/,
    integer: ($) => /0[xXbBoO][0-9A-Fa-f_]+|[0-9][0-9_]*/,
    float: ($) => /[0-9][0-9_]*(\.[0-9][0-9_]*([eE][+-]?[0-9][0-9_]*)?|[eE][+-]?[0-9][0-9_]*)/,
    // `pair.0.1` has no float in it.
    part: ($) => /\.[0-9][0-9_]*/,
    string: ($) => /"([^"\\\n]|\\.)*"/,
    character: ($) => /'([^'\\\n]|\\.)*'/,
    doc_comment: ($) => token(prec(1, /\/\/[\/!].*/)),
    comment: ($) => token(/\/\/.*/),
  },
});
)js";

std::string highlights(bool is_for_helix) {
  const Words& w = words();
  const std::string number = is_for_helix ? "@constant.numeric" : "@number";
  const std::string boolean = is_for_helix ? "@constant.builtin.boolean" : "@boolean";
  const std::string control = is_for_helix ? "@keyword.control" : "@keyword";
  const std::string hole = is_for_helix ? "@function.macro" : "@macro";
  const auto line = [](const std::string& what, const std::string& capture) {
    return what + " " + capture + "\n";
  };
  std::string text =
      "; SPDX-License-Identifier: Apache-2.0\n"
      "; KOMUZ_UPDATE=1 on editors_test writes this file from the tables in lang/.\n";
  // Which of several patterns wins is not the same in all editors: so none of them overlap.
  const auto split = [&text](const std::string& before, const std::string& behind,
                             const char* special, const char* plain, const WordList& list) {
    text += "(" + before + "@" + special + behind + "\n  " + any_of(special, list, "#any-of?") +
            ")\n(" + before + "@" + plain + behind + "\n  " + any_of(plain, list, "#not-any-of?") +
            ")\n";
  };
  split("(call function: (identifier) ", ")", "function.builtin", "function",
        together({w.functions, w.methods}));
  split("(type_identifier) ", "", "constant.builtin", "type",
        together({w.constants, w.constructors}));
  text +=
      "(function name: (identifier) @function)\n(space name: (identifier) @function)\n"
      "(parameter name: (identifier) @variable.parameter)\n(module) @namespace\n";
  text +=
      line(any(together({w.items, w.before_name, w.before_string, w.declarations})), "@keyword");
  text += line(any(together({w.bounds})), "@keyword");
  text += line(any(together({w.statements, w.control, w.in})), control);
  text += line("(primitive_type)", "@type.builtin") + line("(boolean)", boolean) +
          line("(integer)", number) + line("(float)", number) + line("(part)", number) +
          line("(string)", "@string") +
          line("(character)", is_for_helix ? "@constant.character" : "@character") +
          line("(hole)", hole) + line("(operator)", "@operator") + line("(comment)", "@comment") +
          line("(doc_comment)",
               is_for_helix ? "@comment.block.documentation" : "@comment.documentation") +
          line(R"s(["(" ")" "[" "]" "{" "}"])s", "@punctuation.bracket") +
          line(R"(["," ";"])", "@punctuation.delimiter");
  return text;
}

}  // namespace

std::string tree_sitter_grammar() {
  const Words& w = words();
  WordList operators;
  for (const std::string_view spelling : w.operators) operators.push_back(spelling);
  // What starts a binding or the head of a loop has rules of its own.
  WordList keywords = together({w.statements, w.control, w.in});
  std::erase(keywords, "for");
  return "// SPDX-License-Identifier: Apache-2.0\n"
         "// KOMUZ_UPDATE=1 on editors_test writes this file from the tables in lang/.\n"
         "// Items, their heads and brackets; what stands inside of brackets is a row of tokens.\n"
         "const keyword = " +
         choice(keywords) + ";\nconst boundWord = " + choice(w.bounds) +
         ";\nconst nameWord = " + choice(together({w.bounds, w.before_name, w.before_string})) +
         ";\nconst primitive = " + choice(w.types) + ";\nconst boolean = " + choice(w.values) +
         ";\nconst operator = " + choice(operators) + ";\n" + std::string(kRules);
}
std::string tree_sitter_highlights() { return highlights(false); }
std::string helix_highlights() { return highlights(true); }

}  // namespace komuz::editors
