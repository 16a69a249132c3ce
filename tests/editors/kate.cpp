// SPDX-License-Identifier: Apache-2.0
// The syntax of Kate, KWrite, KDevelop and Qt Creator. The first rule that matches at a place wins. Regular
// expressions see what stands before them on the line.
#include "tests/editors/grammars.h"
#include "tests/editors/patterns.h"
#include "tests/editors/words.h"

namespace komuz::editors {
namespace {

std::string in_xml(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}
std::string list(const char* name, const WordList& words) {
  std::string text = "    <list name=\"" + std::string(name) + "\">\n";
  for (const std::string_view word : words)
    text += "      <item>" + std::string(word) + "</item>\n";
  return text + "    </list>\n";
}
std::string rule(const char* attribute, const std::string& pattern) {
  return "        <RegExpr attribute=\"" + std::string(attribute) +
         "\" context=\"#stay\" String=\"" + in_xml(pattern) + "\"/>\n";
}
std::string keyword(const char* attribute, const char* name) {
  return "        <keyword attribute=\"" + std::string(attribute) +
         "\" context=\"#stay\" String=\"" + name + "\"/>\n";
}
std::string item(const char* name, const char* style) {
  return "      <itemData name=\"" + std::string(name) + "\" defStyleNum=\"" + style +
         "\" spellChecking=\"" +
         (std::string_view(style) == "dsComment" || std::string_view(style) == "dsDocumentation"
              ? "true"
              : "false") +
         "\"/>\n";
}
// `{ … }`, `[ … ]` and `( … )` fold.
std::string brackets() {
  std::string text;
  const char* const pairs[] = {"{}", "[]", "()"};
  const char* const regions[] = {"Braces", "Brackets", "Parentheses"};
  for (int k = 0; k < 3; ++k)
    for (int end = 0; end < 2; ++end)
      text += "        <DetectChar attribute=\"Symbol\" context=\"#stay\" char=\"" +
              std::string(1, pairs[k][end]) + "\" " + (end == 0 ? "beginRegion" : "endRegion") +
              "=\"" + regions[k] + "\"/>\n";
  return text;
}

}  // namespace

std::string kate_syntax() {
  const Words& w = words();
  std::string operators;
  for (const std::string_view spelling : w.operators)
    for (const char c : spelling)
      if (operators.find(c) == std::string::npos) operators += c;
  return R"(<?xml version="1.0" encoding="UTF-8"?>
<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- KOMUZ_UPDATE=1 on editors_test writes this file from the tables in lang/. -->
<!DOCTYPE language>
<language name="Komuz" section="Sources" version="1" kateversion="5.0" indenter="cstyle" extensions="*.komuz" author="The Komuz Authors" license="Apache-2.0">
  <highlighting>
)" + list("items", w.items) +
         list("statements", together({w.declarations, w.statements})) + list("control", w.control) +
         list("values", w.values) + list("types", w.types) +
         list("constants", together({w.constants, w.constructors})) + R"(    <contexts>
      <context name="Program" attribute="Normal Text" lineEndContext="#stay">
        <DetectSpaces/>
        <RegExpr attribute="Documentation" context="Documentation" String="//[/!]" lookAhead="true"/>
        <Detect2Chars attribute="Comment" context="Comment" char="/" char1="/"/>
        <DetectChar attribute="String" context="String" char="&quot;"/>
        <DetectChar attribute="Character" context="Character" char="'"/>
)" + rule("Hole", kHole) +
         keyword("Item", "items") + keyword("Statement", "statements") +
         keyword("Control", "control") + keyword("Boolean", "values") +
         rule("Item", naming_word()) + rule("Item", claiming_word()) + rule("Control", in_word()) +
         rule("Bound", bound_word()) + keyword("Type", "types") + keyword("Constant", "constants") +
         rule("Type", kTypeName) + rule("Builtin", any_word(w.functions) + R"((?=\s*\())") +
         rule("Builtin", R"((?<=\.))" + any_word(w.methods) + R"((?=\s*\())") +
         rule("Function", kCalledName) +
         // What the patterns of numbers should not see the middle of.
         "        <DetectIdentifier attribute=\"Normal Text\" context=\"#stay\"/>\n" +
         rule("Number", kPartNumber) + rule("Number", kRadixNumber) + rule("Float", kFloatNumber) +
         rule("Number", kWholeNumber) + brackets() +
         "        <AnyChar attribute=\"Operator\" context=\"#stay\" String=\"" + in_xml(operators) +
         "\"/>\n" +
         R"(      </context>
      <context name="String" attribute="String" lineEndContext="#pop">
        <RegExpr attribute="Escape" context="#stay" String="\\."/>
        <DetectChar attribute="String" context="#pop" char="&quot;"/>
      </context>
      <context name="Character" attribute="Character" lineEndContext="#pop">
        <RegExpr attribute="Escape" context="#stay" String="\\."/>
        <DetectChar attribute="Character" context="#pop" char="'"/>
      </context>
      <context name="Comment" attribute="Comment" lineEndContext="#pop">
        <DetectSpaces/>
        <IncludeRules context="##Comments"/>
        <DetectIdentifier/>
      </context>
      <context name="Documentation" attribute="Documentation" lineEndContext="#pop">
        <DetectSpaces/>
        <IncludeRules context="##Comments"/>
        <DetectIdentifier/>
      </context>
    </contexts>
    <itemDatas>
)" + item("Normal Text", "dsNormal") +
         item("Item", "dsKeyword") + item("Statement", "dsKeyword") +
         item("Control", "dsControlFlow") + item("Bound", "dsKeyword") +
         item("Boolean", "dsConstant") + item("Type", "dsDataType") +
         item("Constant", "dsConstant") + item("Function", "dsFunction") +
         item("Builtin", "dsBuiltIn") + item("Hole", "dsPreprocessor") +
         item("Number", "dsDecVal") + item("Float", "dsFloat") + item("String", "dsString") +
         item("Character", "dsChar") + item("Escape", "dsSpecialChar") +
         item("Comment", "dsComment") + item("Documentation", "dsDocumentation") +
         item("Operator", "dsOperator") + item("Symbol", "dsNormal") + R"(    </itemDatas>
  </highlighting>
  <general>
    <comments>
      <comment name="singleLine" start="//" position="afterwhitespace"/>
    </comments>
    <keywords casesensitive="1"/>
  </general>
</language>
)";
}

}  // namespace komuz::editors
