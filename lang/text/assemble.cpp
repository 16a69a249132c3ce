// SPDX-License-Identifier: Apache-2.0
// Turns text into code, line by line. A line is a pool entry, the header of a function, its slots, a label or an
// instruction.
#include <algorithm>
#include <map>

#include "lang/text/code_fields.h"
#include "lang/text/code_text.h"
#include "lang/text/text_signature.h"

namespace komuz {
namespace {

constexpr size_t kMaxText = 1u << 30;  // keeps every count below 32 bits
constexpr u64 kMost16 = 0xFFFF, kMost32 = 0xFFFF'FFFF;

// kOpCount if there is none.
u32 op_from_mnemonic(std::string_view mnemonic) {
  for (u32 op = 0; op < kOpCount; ++op)
    if (op_row(static_cast<Op>(op)).mnemonic == mnemonic) return op;
  return kOpCount;
}

class Assembler {
 public:
  explicit Assembler(Code& out) : code_(out) {}
  [[nodiscard]] AssemblyError run(std::string_view text);

 private:
  struct Use {
    std::string name;
    u32 instruction;
    u32 line;
  };

  // Functions that return a bool return false after an error, which `error_` then holds.
  bool line(TextLine& line);
  bool pool_line(std::string_view word, TextLine& line, bool& taken);
  bool bytes(TextLine& line, std::vector<u8>& out);
  bool header(std::string_view word, TextLine& line);
  bool attributes(TextLine& line, Function& f, bool& laid_out);
  void lay_out(const Signature& signature, Function& f);
  bool check_layout(const Signature& signature, Function& f);
  bool slots(TextLine& line);
  bool label(std::string_view name);
  bool instruction(std::string_view word, TextLine& line);
  bool field(CodeField field, TextLine& line, Instruction& out);
  bool finish_function();
  bool fail(std::string reason);

  Code& code_;
  std::map<std::string, u32, std::less<>> labels_;  // instructions of the current function
  std::vector<Use> uses_;
  bool has_slots_ = false;  // of the current function
  bool laid_out_ = false;   // the current function gives the rows of its pools
  u32 line_ = 0;
  AssemblyError error_;
};

bool Assembler::fail(std::string reason) {
  error_ = {line_, std::move(reason)};
  return false;
}

AssemblyError Assembler::run(std::string_view text) {
  code_.clear();
  line_ = 1;
  if (text.size() > kMaxText) return {line_, "the text is longer than 1 GiB"};
  for (size_t begin = 0; begin < text.size(); ++line_) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    TextLine words(text.substr(begin, end - begin));
    if (!words.at_end()) {
      if (!line(words)) return error_;
      if (!words.at_end()) return {line_, "there is more on the line than belongs there"};
    }
    begin = end + 1;
  }
  if (!finish_function()) return error_;
  return {};
}

bool Assembler::line(TextLine& line) {
  const std::string_view word = line.word();
  if (word.empty()) return fail("a line starts with a word");
  bool taken = false;
  if (!pool_line(word, line, taken)) return false;
  if (taken) return true;
  if (word == "pub" || function_kind(word)) return header(word, line);
  if (code_.functions.empty())
    return fail("`" + std::string(word) + "` stands before any function");
  if (word == "slots") return slots(line);
  if (line.take(":")) return label(word);
  return instruction(word, line);
}

bool Assembler::pool_line(std::string_view word, TextLine& line, bool& taken) {
  taken = true;
  if (word == "constant") {
    const std::optional<u64> value = line.number(~u64{0});
    if (!value) return fail("a constant is a number of 64 bits");
    code_.constants.push_back(*value);
    return true;
  }
  if (word == "names") {
    const std::optional<std::string> names = line.name();
    if (!names) return fail("`names` takes a string");
    code_.names += *names;
    return true;
  }
  if (word == "types") return bytes(line, code_.types);
  if (word == "slot_types") return bytes(line, code_.slot_types);
  if (word == "parameter") {
    const std::optional<u64> begin = line.number(kMost32), end = line.number(kMost32);
    if (!begin || !end) return fail("`parameter` takes two numbers");
    code_.parameter_names.push_back({static_cast<u32>(*begin), static_cast<u32>(*end)});
    return true;
  }
  taken = false;
  return true;
}

bool Assembler::bytes(TextLine& line, std::vector<u8>& out) {
  while (!line.at_end()) {
    const std::optional<u64> byte = line.number(0xFF);
    if (!byte) return fail("a type code is a number from 0 to 255");
    out.push_back(static_cast<u8>(*byte));
  }
  return true;
}

bool Assembler::header(std::string_view word, TextLine& line) {
  if (!finish_function()) return false;
  Function f;
  f.is_public = word == "pub";
  if (f.is_public) word = line.word();
  const std::optional<FunctionKind> kind = function_kind(word);
  if (!kind) return fail("`pub` stands before `fn`");
  f.kind = *kind;
  f.code_begin = f.code_end = static_cast<u32>(code_.instructions.size());
  Signature s;
  if (std::string reason = read_signature(line, s); !reason.empty()) return fail(std::move(reason));
  laid_out_ = false;
  if (!attributes(line, f, laid_out_)) return false;
  if (!laid_out_)
    lay_out(s, f);
  else if (!check_layout(s, f))
    return false;
  code_.functions.push_back(f);
  has_slots_ = false;
  return true;
}

bool Assembler::attributes(TextLine& line, Function& f, bool& laid_out) {
  while (!line.at_end()) {
    const std::string_view key = line.word();
    if (!line.take("=")) return fail("after a signature only attributes like `rec=64` may stand");
    if (key == "expects") {
      f.expected_trap = trap_from_name(line.word());
      if (f.expected_trap == Trap::None) return fail("`expects` takes the name of a trap");
      continue;
    }
    const bool is_short = key == "rec" || key == "owner";
    const std::optional<u64> value = line.number(is_short ? kMost16 : kMost32);
    if (!value) return fail("`" + std::string(key) + "` takes a number");
    const u32 number = static_cast<u32>(*value);
    if (key == "rec") {
      f.rec = static_cast<u16>(number);
    } else if (key == "owner") {
      f.owner = static_cast<u16>(number);
    } else if (key == "place") {
      f.place = number;
    } else {
      laid_out = true;
      if (key == "name_begin")
        f.name_begin = number;
      else if (key == "types_begin")
        f.types_begin = number;
      else if (key == "slots_begin")
        f.slots_begin = number;
      else if (key == "parameters_begin")
        f.parameters_begin = number;
      else
        return fail("there is no attribute `" + std::string(key) + "`");
    }
  }
  return true;
}

// Appends the signature's entries to the pools.
void Assembler::lay_out(const Signature& signature, Function& f) {
  f.name_begin = static_cast<u32>(code_.names.size());
  code_.names += signature.name;
  f.name_end = static_cast<u32>(code_.names.size());
  f.parameters_begin = static_cast<u32>(code_.parameter_names.size());
  for (const std::string& parameter : signature.parameters) {
    const u32 begin = static_cast<u32>(code_.names.size());
    code_.names += parameter;
    code_.parameter_names.push_back({begin, static_cast<u32>(code_.names.size())});
  }
  f.types_begin = static_cast<u32>(code_.types.size());
  code_.types.insert(code_.types.end(), signature.types.begin(), signature.types.end());
  f.slots_begin = static_cast<u32>(code_.slot_types.size());
  f.parameter_slots = signature.parameter_slots();
  f.result_cells = signature.result_cells();
}

// The pools are given, and must hold the signature.
bool Assembler::check_layout(const Signature& signature, Function& f) {
  const auto holds_name = [&](u64 begin, std::string_view name) {
    return begin <= code_.names.size() &&
           std::string_view(code_.names).substr(begin, name.size()) == name;
  };
  f.name_end = f.name_begin + static_cast<u32>(signature.name.size());
  if (!holds_name(f.name_begin, signature.name)) return fail("`names` holds another name");
  if (u64{f.parameters_begin} + signature.parameters.size() > code_.parameter_names.size())
    return fail("there are not so many `parameter` lines");
  for (size_t p = 0; p < signature.parameters.size(); ++p) {
    const NameRange range = code_.parameter_names[f.parameters_begin + p];
    const std::string& name = signature.parameters[p];
    if (range.end - range.begin != name.size() || !holds_name(range.begin, name))
      return fail("a `parameter` line holds another name than `" + name + "`");
  }
  if (u64{f.types_begin} + signature.types.size() > code_.types.size() ||
      !std::equal(signature.types.begin(), signature.types.end(),
                  code_.types.begin() + f.types_begin))
    return fail("`types` holds other types");
  f.parameter_slots = signature.parameter_slots();
  f.result_cells = signature.result_cells();
  return true;
}

bool Assembler::slots(TextLine& line) {
  Function& f = code_.functions.back();
  if (has_slots_) return fail("a function has one line of slots");
  has_slots_ = true;
  u32 count = 0;
  for (; !line.at_end(); ++count) {
    const Scalar type = take_cell_type(line);
    if (type == Scalar::None) return fail("a slot has a scalar type, or is a reference to one");
    if (count == kMost16) return fail("there are more than 65535 slots");
    if (!laid_out_) {
      code_.slot_types.push_back(static_cast<u8>(type));
    } else if (u64{f.slots_begin} + count >= code_.slot_types.size() ||
               code_.slot_types[f.slots_begin + count] != static_cast<u8>(type)) {
      return fail("`slot_types` holds other slots");
    }
  }
  f.slots = static_cast<u16>(count);
  return true;
}

bool Assembler::label(std::string_view name) {
  const size_t at = code_.instructions.size() - code_.functions.back().code_begin;
  const bool is_new = labels_.emplace(name, static_cast<u32>(at)).second;
  return is_new || fail("there are two labels `" + std::string(name) + "`");
}

bool Assembler::instruction(std::string_view word, TextLine& line) {
  Function& f = code_.functions.back();
  const u32 at = static_cast<u32>(code_.instructions.size()) - f.code_begin;
  if (word[0] >= '0' && word[0] <= '9') {
    if (word != std::to_string(at))
      return fail("this is instruction " + std::to_string(at) + ", not " + std::string(word));
    word = line.word();
  }
  const u32 op = op_from_mnemonic(word);
  if (op == kOpCount) return fail("there is no operation `" + std::string(word) + "`");
  Instruction i = {static_cast<Op>(op), Scalar::None, 0, 0};
  for (CodeField next : code_fields(op_row(i.op).form))
    if (!field(next, line, i)) return false;
  u32 place = 0;
  if (line.take("@")) {
    const std::optional<u64> number = line.number(kMost32);
    if (!number) return fail("`@` takes the byte offset of a place");
    place = static_cast<u32>(*number);
  }
  code_.instructions.push_back(i);
  code_.places.push_back(place);
  f.code_end = static_cast<u32>(code_.instructions.size());
  return true;
}

bool Assembler::field(CodeField field, TextLine& line, Instruction& out) {
  const auto set_a = [&](std::optional<u64> number) {
    if (!number) return fail("expected a number up to 65535");
    out.a = static_cast<u16>(*number);
    return true;
  };
  const auto set_b = [&](std::optional<u64> number) {
    if (!number) return fail("expected a number up to 4294967295");
    out.b = static_cast<u32>(*number);
    return true;
  };
  switch (field) {
    case CodeField::Type:
      out.type = take_cell_type(line);
      return out.type != Scalar::None || fail("expected a scalar type");
    case CodeField::NumberA: return set_a(line.number(kMost16));
    case CodeField::TypeA:
      out.a = static_cast<u8>(scalar_from_name(line.word()));
      return out.a != 0 || fail("expected a second scalar type");
    case CodeField::TrapA:
      out.a = static_cast<u8>(trap_from_name(line.word()));
      return out.a != 0 || fail("expected the name of a trap");
    case CodeField::NumberB: return set_b(line.number(kMost32));
    case CodeField::ConstantB:
      if (!line.take("#")) return fail("expected `#` and the number of a constant");
      return set_b(line.number(kMost32));
    case CodeField::TargetB: {
      if (!line.take("->")) return fail("expected `->` and a target");
      std::optional<std::string> name = line.name();
      if (!name) return set_b(line.number(kMost32));
      uses_.push_back({std::move(*name), static_cast<u32>(code_.instructions.size()), line_});
      return true;
    }
    case CodeField::HighAndLowB:
    case CodeField::LowAndHighB: {
      const std::optional<u64> first = line.number(kMost16), second = line.number(kMost16);
      if (!first || !second) return fail("expected two numbers up to 65535");
      const bool is_high_first = field == CodeField::HighAndLowB;
      out.b = static_cast<u32>(is_high_first ? *first << 16 | *second : *second << 16 | *first);
      return true;
    }
  }
  return fail("expected a field");
}

bool Assembler::finish_function() {
  for (const Use& use : uses_) {
    const auto label = labels_.find(use.name);
    if (label == labels_.end()) {
      error_ = {use.line, "there is no label `" + use.name + "`"};
      return false;
    }
    code_.instructions[use.instruction].b = label->second;
  }
  labels_.clear();
  uses_.clear();
  return true;
}

}  // namespace

AssemblyError assemble(std::string_view text, Code& out) { return Assembler(out).run(text); }

}  // namespace komuz
