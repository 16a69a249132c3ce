// SPDX-License-Identifier: Apache-2.0
#include "engine/cases/signature.h"

#include <algorithm>

#include "lang/text/text_signature.h"

namespace komuz::engine {
namespace {

// The number of elements of the parameters' tuple.
size_t parameter_count(std::string_view tuple_code) {
  return tuple_code.size() < 2 ? 0 : static_cast<u8>(tuple_code[1]);
}

std::string_view parameter_name(const CodeView& code, const Function& function, size_t parameter) {
  const NameRange range = code.parameter_names[function.parameters_begin + parameter];
  return code.names.substr(range.begin, range.end - range.begin);
}

}  // namespace

std::string Signature::text() const {
  std::string out = "(";
  size_t at = 2;
  for (size_t i = 0; i < names.size(); ++i) {
    const size_t end = skip_type(parameter_types, at);
    if (i != 0) out += ", ";
    out += names[i] + ": " + type_text(std::string_view(parameter_types).substr(at, end - at));
    at = end;
  }
  return out + ") -> " + type_text(result_type);
}

bool has_variable_parts(std::string_view type_code) {
  for (size_t at = 0; at < type_code.size();) {
    const TypeHead head = read_type_head(type_code, at);
    if (head.code == kListCode || head.code == kSumCode || head.code == kOptionCode) return true;
    at = head.end;
  }
  return false;
}

Result<Signature> read_signature(std::string_view text) {
  std::string headed(text);
  if (text.starts_with('(')) headed.insert(0, "fn");  // as text() gives it
  TextLine line(headed);
  static_cast<void>(line.take("pub"));
  // An assembly header needs a name: `fn` serves as one if there is none.
  TextLine behind_fn = line;
  if (behind_fn.take("fn") && TextLine(behind_fn).name()) line = behind_fn;
  komuz::Signature read;
  if (std::string reason = komuz::read_signature(line, read); !reason.empty())
    return input_problem(std::move(reason));
  if (!line.at_end()) return input_problem("there is text behind the result's type");
  Signature out;
  const auto result = read.types.begin() + static_cast<std::ptrdiff_t>(read.result_at);
  out.parameter_types.assign(read.types.begin(), result);
  out.result_type.assign(result, read.types.end());
  out.names = std::move(read.parameters);
  return out;
}

std::string without_parameters(std::string_view text) {
  for (const std::string_view any : {"...", "…"})
    if (const size_t at = text.find(any); at != std::string_view::npos)
      return std::string(text.substr(0, at)) + std::string(text.substr(at + any.size()));
  return {};
}

Signature signature_of(const CodeView& code, const Function& function) {
  Signature out;
  out.parameter_types = code.parameter_types(function);
  out.result_type = code.result_type(function);
  for (size_t i = 0; i < parameter_count(out.parameter_types); ++i)
    out.names.emplace_back(parameter_name(code, function, i));
  return out;
}

bool has_signature(const CodeView& code, const Function& function, const Signature& wanted,
                   bool names_too) {
  if (code.parameter_types(function) != wanted.parameter_types) return false;
  if (code.result_type(function) != wanted.result_type) return false;
  if (!names_too) return true;
  for (size_t i = 0; i < wanted.names.size(); ++i)
    if (parameter_name(code, function, i) != wanted.names[i]) return false;
  return true;
}

EntryChoice choose_entry(const CodeView& code, std::string_view name) {
  EntryChoice choice;
  size_t found = 0;
  std::string public_names;
  for (size_t i = 0; i < code.functions.size(); ++i) {
    const Function& function = code.functions[i];
    if (function.kind != FunctionKind::Function) continue;
    if (!name.empty() ? code.name(function) != name : !function.is_public) continue;
    choice.function = i;
    if (++found > 1) public_names += ", ";
    public_names += code.name(function);
  }
  if (found == 1) return choice;
  if (!name.empty()) {
    choice.refusal = "there is no function `" + std::string(name) + "`";
  } else if (found == 0) {
    choice.refusal = "there is no `pub fn`: mark the entry with `pub`, or name it with --entry";
  } else {
    choice.refusal = "there are several `pub fn`: " + public_names + "; name one with --entry";
  }
  return choice;
}

EntryChoice choose_entry(const CodeView& code, std::string_view name, const Signature& wanted) {
  EntryChoice choice = choose_entry(code, name);
  if (choice.refusal.empty() || !name.empty()) return choice;
  const bool has_public = std::ranges::any_of(code.functions, [](const Function& f) {
    return f.kind == FunctionKind::Function && f.is_public;
  });
  size_t having = 0, taking = 0, last_having = 0, last_taking = 0;
  for (size_t i = 0; i < code.functions.size(); ++i) {
    const Function& f = code.functions[i];
    if (f.kind != FunctionKind::Function || f.owner != 0 || f.is_public != has_public) continue;
    if (code.name(f).find('.') != std::string_view::npos) continue;  // of a module
    if (has_signature(code, f, wanted, false)) {
      ++having;
      last_having = i;
    }
    if (parameter_count(code.parameter_types(f)) == parameter_count(wanted.parameter_types)) {
      ++taking;
      last_taking = i;
    }
  }
  if (having == 1) return {last_having, {}};
  return having == 0 && taking == 1 ? EntryChoice{last_taking, {}} : choice;
}

}  // namespace komuz::engine
