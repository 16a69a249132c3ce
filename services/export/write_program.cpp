// SPDX-License-Identifier: Apache-2.0
#include "services/export/write_program.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace komuz::services {
namespace {

bool is_python_like(ExportTarget target) {
  return target == ExportTarget::Python || target == ExportTarget::Julia;
}
bool is_c_like(ExportTarget target) {
  return target == ExportTarget::C || target == ExportTarget::Cuda;
}
// Variables live from their declaration to the end of its block.
bool has_blocks(ExportTarget target) { return !is_python_like(target); }

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

class FunctionWriter {
 public:
  FunctionWriter(const Script& script, u32 number, const std::vector<std::string>& functions,
                 ExportTarget target, TermWriter& terms, std::string own_name)
      : script_(script),
        f_(script.functions[number]),
        functions_(functions),
        target_(target),
        terms_(terms),
        own_name_(std::move(own_name)) {
    std::vector<std::string> wanted;
    u32 temporaries = 0;
    for (const ScriptVariable& variable : f_.variables) {
      // No variables: names that nobody takes.
      if (variable.is_inside)
        wanted.push_back("km inside");
      else
        wanted.push_back(variable.name.empty() ? "t" + std::to_string(++temporaries)
                                               : variable.name);
    }
    names_ = target_names(wanted, terms.table().form(SyntaxForm::Reserved), functions);
    declared_.assign(f_.variables.size(), 0);
  }

  bool write(std::string& out) {
    std::vector<std::string> parameters;
    for (u32 k = 0; k < f_.parameters; ++k) {
      declared_[k] = 1;
      if (f_.variables[k].is_inside) continue;
      const u32 length = f_.variables[k].length;
      parameters.push_back(
          terms_.line(length != 0 ? SyntaxForm::ArrayParameter : SyntaxForm::Parameter,
                      {{'n', names_[k]}, {'l', std::to_string(length)}}, {f_.variables[k].type}));
    }
    if (f_.cycle != 0) parameters.push_back(terms_.line(SyntaxForm::Depth, {}));
    const std::string result = result_type();
    const bool is_entry = f_.is_entry && !(f_.cycle != 0 && needs_wrapper());
    put(terms_.line(is_entry ? SyntaxForm::EntryFunction : SyntaxForm::Function,
                    {{'n', own_name_}, {'p', joined(parameters)}, {'r', result}}));
    open();
    if (f_.cycle != 0) put(terms_.line(SyntaxForm::CheckDepth, {{'v', std::to_string(f_.rec)}}));
    find_else_ifs();
    for (at_ = 0; at_ < f_.statements.size(); ++at_)
      if (skipped_[at_] == 0 && !step(f_.statements[at_])) return false;
    close(SyntaxForm::EndFunction);
    out += text_;
    return true;
  }
  [[nodiscard]] const std::string& refusal() const { return terms_.refusal(); }
  [[nodiscard]] bool needs_wrapper() const {
    return target_ != ExportTarget::Python && target_ != ExportTarget::Javascript;
  }
  [[nodiscard]] std::string result_type() {
    std::vector<std::string> types;
    for (const Scalar type : f_.results)
      types.emplace_back(terms_.table().types[static_cast<u8>(type)]);
    if (types.size() == 1) return types[0];
    if (is_c_like(target_)) return "km_result_" + own_name_;
    return terms_.line(SyntaxForm::TupleType, {{'v', joined(types)}});
  }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  void put(const std::string& line) {
    if (line.empty()) return;
    const size_t width = is_c_like(target_) || target_ == ExportTarget::Javascript ? 2 : 4;
    text_ += std::string(depth_ * width, ' ') + line + "\n";
    ++lines_.back();
  }
  void open() {
    ++depth_;
    lines_.push_back(0);
    scopes_.push_back(declared_);
  }
  void close(SyntaxForm end) {
    leave();
    put(terms_.line(end, {}));
  }
  void leave() {
    if (lines_.back() == 0) put(terms_.line(SyntaxForm::Empty, {}));
    lines_.pop_back();
    --depth_;
    if (has_blocks(target_)) declared_ = std::move(scopes_.back());
    scopes_.pop_back();
  }

  [[nodiscard]] std::string arguments_of(u32 callee, std::vector<std::string> arguments) const {
    const ScriptFunction& of = script_.functions[callee];
    if (of.cycle != 0) {
      const bool is_same = of.cycle == f_.cycle;
      // Where the parameter has a default, 1 is it.
      if (is_same)
        arguments.push_back("km_depth + 1");
      else if (target_ != ExportTarget::Python && target_ != ExportTarget::Javascript)
        arguments.push_back("1");
    }
    return joined(arguments);
  }
  bool text_of(u32 term, std::string& out, u8 least = 0) {
    Piece piece;
    const auto call = [&](const Term& of, const std::vector<Piece>& operands) {
      std::vector<std::string> arguments;
      for (const Piece& operand : operands) arguments.push_back(operand.text);
      return Piece{terms_.line(SyntaxForm::Call, {{'n', functions_[of.number]},
                                                  {'v', arguments_of(of.number, arguments)}}),
                   kOperandLevel};
    };
    if (!terms_.write(f_, term, names_, call, piece)) return false;
    out = piece.level < least ? "(" + piece.text + ")" : piece.text;
    return true;
  }
  bool texts_of(std::span<const u32> terms, std::vector<std::string>& out) {
    for (const u32 term : terms)
      if (!text_of(term, out.emplace_back())) return false;
    return true;
  }
  void assign(u32 variable, const std::string& value) {
    const Scalar type = f_.variables[variable].type;
    SyntaxForm form = SyntaxForm::Assign;
    if (declared_[variable] == 0)
      form = f_.variables[variable].stores > 1 ? SyntaxForm::Variable : SyntaxForm::Constant;
    declared_[variable] = 1;
    put(terms_.line(form, {{'n', names_[variable]}, {'v', value}}, {type}));
  }

  // An `else` with an `if` alone is one word in all of them: the `if` and its end are marked.
  void find_else_ifs() {
    const std::vector<Statement>& all = f_.statements;
    skipped_.assign(all.size(), 0);
    std::vector<size_t> open;
    for (size_t k = 0; k < all.size(); ++k) {
      if (all[k].kind == StatementKind::If) open.push_back(k);
      if (all[k].kind != StatementKind::EndIf) continue;
      const size_t start = open.back();
      open.pop_back();
      const bool is_alone = start > 0 && all[start - 1].kind == StatementKind::Else &&
                            k + 1 < all.size() && all[k + 1].kind == StatementKind::EndIf;
      if (is_alone) skipped_[start] = skipped_[k] = 1;
    }
  }

  bool step(const Statement& s) {
    std::string value, second;
    switch (s.kind) {
      case StatementKind::Assign:
        if (!text_of(s.term, value)) return false;
        assign(s.variable, value);
        return true;
      case StatementKind::Declare:
        declared_[s.variable] = 1;
        put(terms_.line(SyntaxForm::Declare, {{'n', names_[s.variable]}},
                        {f_.variables[s.variable].type}));
        return true;
      case StatementKind::MakeArray: return make_array(s);
      case StatementKind::StoreElement:
        if (!text_of(s.second, second) || !text_of(s.term, value)) return false;
        put(terms_.line(SyntaxForm::StoreElement,
                        {{'n', names_[s.variable]},
                         {'v', terms_.index(f_, s.second, second, f_.variables[s.variable].length,
                                            s.number != 0)},
                         {'e', value}}));
        return true;
      case StatementKind::Call: return call(s);
      case StatementKind::If:
        if (!text_of(s.term, value)) return false;
        put(terms_.line(SyntaxForm::If, {{'c', value}}));
        open();
        return true;
      case StatementKind::CountDown:
        put(terms_.line(SyntaxForm::CountDown, {{'n', names_[s.variable]}}));
        return true;
      case StatementKind::Else:
        leave();
        if (at_ + 1 < skipped_.size() && skipped_[at_ + 1] != 0) {
          if (!text_of(f_.statements[at_ + 1].term, value)) return false;
          put(terms_.line(SyntaxForm::ElseIf, {{'c', value}}));
          open();
          return true;
        }
        put(terms_.line(SyntaxForm::Else, {}));
        open();
        return true;
      case StatementKind::EndIf: close(SyntaxForm::EndIf); return true;
      case StatementKind::Loop:
        put(terms_.line(SyntaxForm::Loop, {}));
        open();
        return true;
      case StatementKind::While:
        if (!text_of(s.term, value)) return false;
        put(terms_.line(SyntaxForm::While, {{'c', value}}));
        open();
        return true;
      case StatementKind::For: {
        if (!text_of(s.term, value) || !text_of(s.second, second, kOperandLevel)) return false;
        const SyntaxForm form = s.number != 0 ? SyntaxForm::ForInclusive : SyntaxForm::For;
        put(terms_.line(form, {{'n', names_[s.variable]}, {'l', value}, {'h', second}},
                        {f_.variables[s.variable].type}));
        open();
        declared_[s.variable] = 1;
        return true;
      }
      case StatementKind::EndLoop: close(SyntaxForm::EndLoop); return true;
      case StatementKind::BreakUnless:
        if (!text_of(s.term, value)) return false;
        put(terms_.line(SyntaxForm::BreakUnless, {{'c', value}}));
        return true;
      case StatementKind::Break: put(terms_.line(SyntaxForm::Break, {})); return true;
      case StatementKind::Continue: put(terms_.line(SyntaxForm::Continue, {})); return true;
      case StatementKind::Require:
        if (!text_of(s.term, value)) return false;
        put(terms_.line(SyntaxForm::Require,
                        {{'c', value}, {'e', std::string(trap_name(s.trap))}}));
        return true;
      case StatementKind::Trap:
        put(terms_.line(SyntaxForm::Trap, {{'e', std::string(trap_name(s.trap))}}));
        return true;
      case StatementKind::Return: return give(s);
    }
    return false;
  }
  bool make_array(const Statement& s) {
    const ScriptVariable& array = f_.variables[s.variable];
    std::vector<std::string> values;
    if (!texts_of(s.values, values)) return false;
    const bool is_fill =
        !terms_.table().form(SyntaxForm::ArrayFill).empty() && values.size() > 2 &&
        f_.terms[s.values[0]].kind == TermKind::Constant &&
        std::ranges::all_of(s.values, [&](u32 value) {
          const Term& term = f_.terms[value];
          return term.kind == TermKind::Constant && term.cell == f_.terms[s.values[0]].cell;
        });
    const std::string length = std::to_string(array.length);
    const std::string value =
        is_fill
            ? terms_.line(SyntaxForm::ArrayFill, {{'v', values[0]}, {'l', length}}, {array.type})
            : terms_.line(SyntaxForm::ArrayOf, {{'v', joined(values)}}, {array.type});
    const bool is_new = declared_[s.variable] == 0;
    declared_[s.variable] = 1;
    put(terms_.line(is_new ? SyntaxForm::MakeArray : SyntaxForm::RemakeArray,
                    {{'n', names_[s.variable]}, {'v', value}, {'l', length}}, {array.type}));
    return true;
  }
  bool give(const Statement& s) {
    std::vector<std::string> values;
    if (!texts_of(s.values, values)) return false;
    std::string value = joined(values);
    if (values.size() != 1) {
      if (is_c_like(target_))
        value = (target_ == ExportTarget::C ? "(" + result_type() + ")" : result_type()) + "{" +
                value + "}";
      else
        value = terms_.line(SyntaxForm::Tuple, {{'v', value}});
    }
    put(terms_.line(SyntaxForm::Return, {{'v', value}}));
    return true;
  }
  bool call(const Statement& s) {
    std::vector<std::string> arguments, targets;
    if (!texts_of(s.values, arguments)) return false;
    for (const u32 target : s.targets) {
      targets.push_back(names_[target]);
      declared_[target] = 1;
    }
    const std::string text = terms_.line(
        SyntaxForm::Call, {{'n', functions_[s.number]}, {'v', arguments_of(s.number, arguments)}});
    if (is_c_like(target_)) {
      const std::string result = "km_results" + std::to_string(++results_);
      put("const km_result_" + functions_[s.number] + " " + result + " = " + text + ";");
      for (size_t k = 0; k < targets.size(); ++k)
        put("const " +
            std::string(terms_.table().types[static_cast<u8>(f_.variables[s.targets[k]].type)]) +
            " " + targets[k] + " = " + result + ".part" + std::to_string(k) + ";");
      return true;
    }
    put(terms_.line(SyntaxForm::CallTuple, {{'v', joined(targets)}, {'c', text}}));
    return true;
  }

  const Script& script_;
  const ScriptFunction& f_;
  const std::vector<std::string>& functions_;
  ExportTarget target_;
  TermWriter& terms_;
  std::string own_name_, text_;
  std::vector<std::string> names_;
  std::vector<u8> declared_;
  std::vector<std::vector<u8>> scopes_;
  std::vector<u32> lines_ = {0};
  std::vector<u8> skipped_;  // statements that another one's line has
  size_t at_ = 0, depth_ = 0;
  u32 results_ = 0;
};

bool is_reserved(const std::string& name, std::string_view reserved) {
  const size_t at = (" " + std::string(reserved) + " ").find(" " + name + " ");
  return at != std::string::npos;
}

// Cells of several results in C.
std::string result_struct(const ScriptFunction& f, const std::string& name,
                          const TargetTable& table) {
  std::string out = "typedef struct {\n";
  for (size_t k = 0; k < f.results.size(); ++k)
    out += "  " + std::string(table.types[static_cast<u8>(f.results[k])]) + " part" +
           std::to_string(k) + ";\n";
  return out + "} km_result_" + name + ";\n\n";
}

}  // namespace

std::vector<std::string> target_names(const std::vector<std::string>& wanted,
                                      std::string_view reserved, std::vector<std::string> taken) {
  std::vector<std::string> out;
  for (const std::string& word : wanted) {
    std::string name;
    for (const char c : word)
      name += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '_';
    while (is_reserved(name, reserved) || name.starts_with("km_") || name == "_" ||
           name.starts_with("__"))
      name = name.starts_with("km_") || name.starts_with("_") ? "v" + name : name + "_";
    std::string unique = name;
    for (u32 k = 2; std::ranges::find(taken, unique) != taken.end(); ++k)
      unique = name + "_" + std::to_string(k);
    taken.push_back(unique);
    out.push_back(std::move(unique));
  }
  return out;
}

WrittenText write_program(const Script& script, ExportTarget target, TermWriter& terms) {
  WrittenText out;
  std::vector<std::string> wanted;
  // The entry keeps its name.
  for (const ScriptFunction& f : script.functions) wanted.push_back(f.name);
  std::ranges::reverse(wanted);
  std::vector<std::string> names = target_names(wanted, terms.table().form(SyntaxForm::Reserved));
  std::ranges::reverse(names);
  out.entry = names.back();
  const ScriptFunction& entry = script.functions.back();
  const bool wraps =
      entry.cycle != 0 && target != ExportTarget::Python && target != ExportTarget::Javascript;
  if (wraps) names.back() = "km_deep_" + out.entry;
  std::vector<std::string> texts;
  const std::string_view gap = target == ExportTarget::Python ? "\n\n" : "\n";
  for (u32 k = 0; k < script.functions.size(); ++k) {
    FunctionWriter writer(script, k, names, target, terms, names[k]);
    out.function = k;
    if (script.functions[k].results.empty()) {
      out.refusal = "a function without a value";
      return out;
    }
    if (!writer.write(texts.emplace_back())) {
      out.refusal = terms.refusal();
      return out;
    }
  }
  // C reads from the top down: functions that call each other are named first.
  if (is_c_like(target)) {
    for (u32 k = 0; k < script.functions.size(); ++k)
      if (script.functions[k].results.size() > 1)
        out.text += result_struct(script.functions[k], names[k], terms.table());
    for (u32 k = 0; k < script.functions.size(); ++k)
      if (script.functions[k].cycle != 0)
        out.text += texts[k].substr(0, texts[k].find(" {\n")) + ";\n";
    if (!out.text.empty() && !out.text.ends_with("\n\n")) out.text += "\n";
  }
  for (size_t k = 0; k < texts.size(); ++k) {
    if (k != 0) out.text += gap;
    out.text += texts[k];
  }
  if (wraps) {
    std::vector<std::string> parameters, values;
    for (u32 k = 0; k < entry.parameters; ++k) {
      if (entry.variables[k].is_inside) continue;
      const std::string length = std::to_string(entry.variables[k].length);
      const std::vector<std::string> own = target_names(
          {entry.variables[k].name.empty() ? "a" + std::to_string(k) : entry.variables[k].name},
          terms.table().form(SyntaxForm::Reserved), values);
      values.push_back(own[0]);
      parameters.push_back(terms.line(
          entry.variables[k].length != 0 ? SyntaxForm::ArrayParameter : SyntaxForm::Parameter,
          {{'n', own[0]}, {'l', length}}, {entry.variables[k].type}));
    }
    values.emplace_back("1");
    std::string result(terms.table().types[static_cast<u8>(entry.results[0])]);
    if (entry.results.size() > 1) {
      out.refusal = "a recursive function of several results";
      return out;
    }
    const std::string margin = is_c_like(target) ? "  " : "    ";
    out.text +=
        "\n" +
        terms.line(SyntaxForm::EntryFunction,
                   {{'n', out.entry}, {'p', joined(parameters)}, {'r', result}}) +
        "\n" + margin +
        terms.line(
            SyntaxForm::Return,
            {{'v', terms.line(SyntaxForm::Call, {{'n', names.back()}, {'v', joined(values)}})}}) +
        "\n" + terms.line(SyntaxForm::EndFunction, {}) + "\n";
  }
  return out;
}

}  // namespace komuz::services
