// SPDX-License-Identifier: Apache-2.0
// The generated parts of docs/bytecode.md agree with the tables. KOMUZ_UPDATE=1 in the environment rewrites them.
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "lang/text/code_fields.h"
#include "lang/text/code_file.h"
#include "tests/lang/assembled.h"

namespace komuz {
namespace {

const std::string kDocument = std::string(KOMUZ_SOURCE_DIR) + "/docs/bytecode.md";

std::string read_document() {
  std::ifstream in(kDocument, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// The lines between `<!-- part: … -->` and `<!-- end of part -->`.
void expect_part(const std::string& part, const std::string& content) {
  std::string document = read_document();
  const size_t head = document.find("<!-- " + part + ": ");
  ASSERT_NE(head, std::string::npos);
  const size_t begin = document.find('\n', head) + 1;
  const size_t end = document.find("<!-- end of " + part + " -->");
  ASSERT_NE(end, std::string::npos);
  if (std::getenv("KOMUZ_UPDATE") != nullptr) {
    document.replace(begin, end - begin, content);
    std::ofstream(kDocument, std::ios::binary) << document;
  } else {
    EXPECT_EQ(document.substr(begin, end - begin), content)
        << "run with KOMUZ_UPDATE=1 and look at the change";
  }
}

std::string_view fields_text(CodeField field) {
  switch (field) {
    case CodeField::Type: return "T";
    case CodeField::NumberA: return "a";
    case CodeField::TypeA: return "type a";
    case CodeField::TrapA: return "trap a";
    case CodeField::NumberB: return "b";
    case CodeField::ConstantB: return "#b";
    case CodeField::TargetB: return "->b";
    case CodeField::HighAndLowB: return "b >> 16, b & FFFFh";
    case CodeField::LowAndHighB: return "b & FFFFh, b >> 16";
  }
  return "";
}

std::string types_text(TypeSet types) {
  struct Named {
    TypeSet types;
    std::string_view name;
  };
  constexpr Named kNamed[] = {
      {type_set::kAny, "any"},       {type_set::kNumber, "number"},     {type_set::kInt, "integer"},
      {type_set::kSigned, "signed"}, {type_set::kUnsigned, "unsigned"}, {type_set::kFloat, "float"},
      {type_set::kBool, "bool"},     {type_set::kI64, "i64"},           {type_set::kU8, "u8"},
      {type_set::kU64, "u64"},
  };
  std::string text;
  for (const Named& named : kNamed) {
    if ((types & named.types) != named.types) continue;
    if (!text.empty()) text += ", ";
    text += named.name;
    types = static_cast<TypeSet>(types & ~named.types);
  }
  EXPECT_EQ(types, 0) << "a set of types without a name";
  return text;
}

std::string traps_text(u16 traps) {
  std::string text;
  for (u32 trap = 1; trap < kTrapCount; ++trap)
    if (traps >> trap & 1) text += (text.empty() ? "" : ", ") + std::string(trap_name(Trap(trap)));
  return text;
}

std::string cell_text(std::string_view text) {
  std::string cell;
  for (char c : text) cell += c == '|' ? std::string("\\|") : std::string(1, c);
  return cell;
}

TEST(BytecodeDocument, ListsTheOperations) {
  std::string table =
      "| op | mnemonic | fields | types T | stack | traps | meaning |\n"
      "| ---: | --- | --- | --- | --- | --- | --- |\n";
  for (u32 op = 0; op < kOpCount; ++op) {
    const OpRow& row = op_row(static_cast<Op>(op));
    std::string fields;
    for (CodeField field : code_fields(row.form))
      fields += (fields.empty() ? "" : ", ") + std::string(fields_text(field));
    table += "| " + std::to_string(op) + " | `" + std::string(row.mnemonic) + "` | " + fields +
             " | " + types_text(row.types) + " | " + std::string(op_form_row(row.form).stack) +
             " | " + traps_text(row.traps) + " | " + cell_text(row.meaning) + " |\n";
  }
  expect_part("operations", table);
}

std::string hex_dump(const std::vector<u8>& bytes) {
  std::string text;
  char buffer[32];
  for (size_t at = 0; at < bytes.size(); ++at) {
    if (at % 16 == 0) {
      std::snprintf(buffer, sizeof buffer, "%04zX ", at);
      text += buffer;
    }
    std::snprintf(buffer, sizeof buffer, at % 8 == 0 ? "  %02X" : " %02X", bytes[at]);
    text += buffer;
    if (at % 16 == 15 || at + 1 == bytes.size()) text += '\n';
  }
  return text;
}

TEST(BytecodeDocument, ShowsADump) {
  const Code code = checked(
      "constant 1\n"
      "pub fn f(n: i64) -> i64 place=7\n slots i64\n"
      "LOAD_VAR i64 0 @29\nLOAD_CONST i64 #0 @33\nCOMPARE_LT i64 @31\nJUMP_IF_FALSE 1 ->else @26\n"
      "LOAD_CONST i64 #0 @37\nJUMP 1 ->merge @26\n"
      "else:\nLOAD_VAR i64 0 @48\nLOAD_VAR i64 0 @52\nBINARY_MUL i64 @50\n"
      "merge:\nRETURN @7\n");
  std::vector<u8> file;
  write_code_file(code.view(), file);
  expect_part("dump",
              "`pub fn f(n: i64) -> i64 { if n < 1 { 1 } else { n * n } }` as text\n\n```\n" +
                  disassemble(code.view()) + "```\n\nand as a file of " +
                  std::to_string(file.size()) + " bytes\n\n```\n" + hex_dump(file) + "```\n");
}

}  // namespace
}  // namespace komuz
