// SPDX-License-Identifier: Apache-2.0
// Turns code into text. The text names things where they occur, and the assembler lays out names, types and slots one
// function behind the other. Code with another layout is printed with its pools and the ranges of each function.
#include <algorithm>
#include <cstdio>

#include "lang/text/code_fields.h"
#include "lang/text/code_text.h"

namespace komuz {
namespace {

constexpr size_t kPlaceColumn = 44;

bool is_identifier(std::string_view name) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !name.empty() && is_letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9');
  });
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    const u8 byte = static_cast<u8>(c);
    if (byte >= 0x20 && byte < 0x7F && c != '"' && c != '\\') {
      out += c;
    } else {
      char hex[5];
      std::snprintf(hex, sizeof hex, "\\x%02X", byte);
      out += hex;
    }
  }
  return out + "\"";
}

std::string name_text(std::string_view name) {
  return is_identifier(name) ? std::string(name) : quoted(name);
}

std::string attribute(std::string_view name, u64 value) {
  return " " + std::string(name) + "=" + std::to_string(value);
}

std::string cell_types_text(std::span<const u8> types) {
  std::string text;
  for (u8 type : types) text += " " + cell_type_text(static_cast<Scalar>(type));
  return text + "\n";
}

std::string numbers_text(std::span<const u8> numbers) {
  std::string text;
  for (u8 number : numbers) text += " " + std::to_string(number);
  return text + "\n";
}

std::string constants_text(std::span<const u64> constants) {
  std::string text;
  char hex[32];
  for (u64 constant : constants) {
    std::snprintf(hex, sizeof hex, "constant 0x%016llX\n",
                  static_cast<unsigned long long>(constant));
    text += hex;
  }
  return text;
}

std::string pools_text(const CodeView& code) {
  std::string text = "names " + quoted(code.names) + "\n";
  text += "types" + numbers_text(code.types) + "slot_types" + numbers_text(code.slot_types);
  for (const NameRange& name : code.parameter_names)
    text += "parameter " + std::to_string(name.begin) + " " + std::to_string(name.end) + "\n";
  return text;
}

std::string header_text(const CodeView& code, const Function& f, bool with_ranges) {
  std::string text = f.is_public ? "pub " : "";
  text += function_word(f.kind);
  text += " ";
  text += name_text(code.name(f)) + "(";
  const std::string_view parameters = code.parameter_types(f);
  size_t at = 2;
  for (u32 p = 0; at < parameters.size(); ++p) {
    const NameRange name = code.parameter_names[f.parameters_begin + p];
    const size_t end = skip_type(parameters, at);
    if (p > 0) text += ", ";
    text += name_text(code.names.substr(name.begin, name.end - name.begin)) + ": " +
            type_text(parameters.substr(at, end - at));
    at = end;
  }
  text += ") -> " + type_text(code.result_type(f));
  if (f.rec != 0) text += attribute("rec", f.rec);
  if (is_side_entry(f.kind)) text += attribute("owner", f.owner);
  if (f.expected_trap != Trap::None) text += " expects=" + std::string(trap_name(f.expected_trap));
  text += attribute("place", f.place);
  if (with_ranges)
    text += attribute("name_begin", f.name_begin) + attribute("types_begin", f.types_begin) +
            attribute("slots_begin", f.slots_begin) +
            attribute("parameters_begin", f.parameters_begin);
  return text + "\n  slots" + cell_types_text(code.slot_types.subspan(f.slots_begin, f.slots));
}

std::string field_text(Instruction i, CodeField field) {
  switch (field) {
    case CodeField::Type: return cell_type_text(i.type);
    case CodeField::NumberA: return std::to_string(i.a);
    case CodeField::TypeA: return std::string(scalar_name(static_cast<Scalar>(i.a)));
    case CodeField::TrapA: return std::string(trap_name(static_cast<Trap>(i.a)));
    case CodeField::NumberB: return std::to_string(i.b);
    case CodeField::ConstantB: return "#" + std::to_string(i.b);
    case CodeField::TargetB: return "->" + std::to_string(i.b);
    case CodeField::HighAndLowB:
      return std::to_string(i.b >> 16) + " " + std::to_string(i.b & 0xFFFF);
    case CodeField::LowAndHighB:
      return std::to_string(i.b & 0xFFFF) + " " + std::to_string(i.b >> 16);
  }
  return "";
}

std::string instruction_text(const CodeView& code, const Function& f, u32 at) {
  const Instruction i = code.instructions[at];
  const OpRow& row = op_row(i.op);
  char number[16];
  std::snprintf(number, sizeof number, "%6u  ", at - f.code_begin);
  std::string text = number + std::string(row.mnemonic);
  for (CodeField field : code_fields(row.form)) text += " " + field_text(i, field);
  if (text.size() < kPlaceColumn) text.resize(kPlaceColumn, ' ');
  text += " @" + std::to_string(code.places[at]);
  if (row.form == OpForm::Call) text += "  ; " + name_text(code.name(code.functions[i.a]));
  return text + "\n";
}

std::string code_text(const CodeView& code, bool with_ranges) {
  std::string text = constants_text(code.constants);
  if (with_ranges) text += pools_text(code);
  for (const Function& f : code.functions) {
    text += "\n" + header_text(code, f, with_ranges);
    for (u32 at = f.code_begin; at < f.code_end; ++at) text += instruction_text(code, f, at);
  }
  return text;
}

bool same_layout(const Function& a, const Function& b) {
  return a.name_begin == b.name_begin && a.name_end == b.name_end &&
         a.types_begin == b.types_begin && a.slots_begin == b.slots_begin &&
         a.parameters_begin == b.parameters_begin;
}

bool same_layout(const CodeView& a, const CodeView& b) {
  return a.names == b.names && std::ranges::equal(a.types, b.types) &&
         std::ranges::equal(a.slot_types, b.slot_types) &&
         std::ranges::equal(a.parameter_names, b.parameter_names) &&
         std::ranges::equal(a.functions, b.functions,
                            [](const Function& x, const Function& y) { return same_layout(x, y); });
}

}  // namespace

std::string disassemble(const CodeView& code) {
  std::string text = code_text(code, false);
  Code again;
  if (!assemble(text, again) && same_layout(code, again.view())) return text;
  return code_text(code, true);
}

}  // namespace komuz
