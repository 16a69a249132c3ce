// SPDX-License-Identifier: Apache-2.0
// KOMUZ_UPDATE=1 on editors_test writes this file from the tables in lang/.
// Items, their heads and brackets; what stands inside of brackets is a row of tokens.
const keyword = choice("return", "assert", "if", "else", "while", "match", "break", "continue", "in");
const boundWord = choice("limit", "depth", "rec");
const nameWord = choice("limit", "depth", "rec", "space", "test", "prop");
const primitive = choice("bool", "i32", "i64", "u8", "u32", "u64", "f32", "f64");
const boolean = choice("true", "false");
const operator = choice("+%=", "-%=", "*%=", "<<=", ">>=", "..=", "=>", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "->", "..", "||", "&&", "==", "!=", "<=", ">=", "<<", ">>", "+%", "-%", "*%", "**", "=", ":", "<", ">", "|", "^", "&", "+", "-", "*", "/", "%", "!", ".");

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
