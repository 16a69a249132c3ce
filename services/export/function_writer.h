// SPDX-License-Identifier: Apache-2.0
// One function of a script as text: its head, its statements, and the wrapper of an entry that calls itself.
#pragma once
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "services/export/script.h"
#include "services/export/write_records.h"

namespace komuz::services {

inline bool is_python_like(ExportTarget target) {
  return target == ExportTarget::Python || target == ExportTarget::Julia;
}
inline bool is_c_like(ExportTarget target) {
  return target == ExportTarget::C || target == ExportTarget::Cuda;
}
// Variables live from their declaration to the end of its block.
inline bool has_blocks(ExportTarget target) { return !is_python_like(target); }

// A function that calls itself has its depth as a last parameter.
inline bool has_default_depth(ExportTarget target) {
  return target == ExportTarget::Python || target == ExportTarget::Javascript;
}

inline constexpr std::string_view kDeep =
    "km_deep_";  // before the name of an entry that has a wrapper
// The struct of C with several results of a function.
inline std::string result_name(std::string_view function) {
  if (function.starts_with(kDeep)) function.remove_prefix(kDeep.size());
  return "km_result_" + std::string(function);
}

class FunctionWriter {
 public:
  FunctionWriter(const Script& script, u32 number, const std::vector<std::string>& functions,
                 ExportTarget target, TermWriter& terms, std::string own_name,
                 const EntryTypes* types)
      : script_(script),
        f_(script.functions[number]),
        functions_(functions),
        target_(target),
        terms_(terms),
        own_name_(std::move(own_name)),
        types_(types) {
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
    if (types_ != nullptr) name_cells_of_records();
  }

  bool write(std::string& out) {
    std::vector<std::string> parameters = parameter_list();
    if (f_.cycle != 0) parameters.push_back(terms_.line(SyntaxForm::Depth, {}));
    put(terms_.line(types_ != nullptr ? SyntaxForm::EntryFunction : SyntaxForm::Function,
                    {{'n', own_name_}, {'p', joined(parameters)}, {'r', result_type(own_name_)}}));
    open();
    if (f_.cycle != 0) put(terms_.line(SyntaxForm::CheckDepth, {{'v', std::to_string(f_.rec)}}));
    start();
    find_else_ifs();
    for (at_ = 0; at_ < f_.statements.size(); ++at_)
      if (skipped_[at_] == 0 && !step(f_.statements[at_])) return false;
    close(SyntaxForm::EndFunction);
    out += text_;
    return true;
  }
  // The entry where `inner` is what calls itself, with cells for parameters.
  void write_wrapper(std::string& out, const std::string& inner) {
    put(terms_.line(
        SyntaxForm::EntryFunction,
        {{'n', own_name_}, {'p', joined(parameter_list())}, {'r', result_type(inner)}}));
    open();
    start();
    std::vector<std::string> arguments;
    for (u32 k = 0; k < f_.parameters; ++k)
      if (!f_.variables[k].is_inside) arguments.push_back(names_[k]);
    if (!has_default_depth(target_)) arguments.emplace_back("1");
    std::string value = terms_.line(SyntaxForm::Call, {{'n', inner}, {'v', joined(arguments)}});
    if (types_->result_record != kNoRecord) {
      std::vector<std::string> cells = {value};
      if (f_.results.size() > 1) {
        cells.clear();
        for (size_t k = 0; k < f_.results.size(); ++k)
          cells.push_back("km_r" + std::to_string(k + 1));
        put_call(cells, f_.results, inner, value);
      }
      value = record_text(cells);
    }
    put(terms_.line(SyntaxForm::Return, {{'v', value}}));
    close(SyntaxForm::EndFunction);
    out += text_;
  }
  [[nodiscard]] const std::string& refusal() const { return terms_.refusal(); }
  // `inner`: the function whose several results these are.
  [[nodiscard]] std::string result_type(const std::string& inner) {
    if (types_ != nullptr && types_->result_record != kNoRecord)
      return types_->records[types_->result_record].name;
    std::vector<std::string> types;
    for (const Scalar type : f_.results)
      types.emplace_back(terms_.table().types[static_cast<u8>(type)]);
    if (types.size() == 1) return types[0];
    if (is_c_like(target_)) return result_name(inner);
    return terms_.line(SyntaxForm::TupleType, {{'v', joined(types)}});
  }

 private:
  // A cell of a record is written as a field of the parameter, unless the function assigns it.
  void name_cells_of_records() {
    for (const EntryParameter& parameter : types_->parameters) {
      if (parameter.record == kNoRecord) continue;
      const std::string own =
          target_names({parameter.name}, terms_.table().form(SyntaxForm::Reserved), names_)[0];
      record_names_.push_back(own);
      const std::vector<RecordCell> cells = cells_of_record(*types_, parameter.record);
      for (u32 k = 0; k < cells.size(); ++k) {
        const u32 slot = parameter.first + k;
        const RecordCell& cell = cells[k];
        if (f_.variables[slot].is_inside) continue;
        std::string text = own + cell.array_path;
        if (cell.length != 0 && f_.variables[slot].length == 0)
          text = terms_.line(
              SyntaxForm::Element,
              {{'n', text},
               {'v', terms_.line(SyntaxForm::ConstantIndex, {{'v', std::to_string(cell.index)}})}});
        if (f_.variables[slot].stores != 0)
          stored_cells_.emplace_back(slot, text);
        else
          names_[slot] = text;
      }
    }
  }
  std::vector<std::string> parameter_list() {
    std::vector<std::string> out;
    const auto put_cell = [&](u32 slot) {
      declared_[slot] = 1;
      const ScriptVariable& variable = f_.variables[slot];
      if (variable.is_inside) return;
      out.push_back(terms_.line(
          variable.length != 0 ? SyntaxForm::ArrayParameter : SyntaxForm::Parameter,
          {{'n', names_[slot]}, {'l', std::to_string(variable.length)}}, {variable.type}));
    };
    if (types_ == nullptr) {
      for (u32 k = 0; k < f_.parameters; ++k) put_cell(k);
      return out;
    }
    size_t records = 0;
    for (const EntryParameter& parameter : types_->parameters) {
      if (parameter.record != kNoRecord) {
        for (u32 k = 0; k < parameter.cells; ++k) declared_[parameter.first + k] = 1;
        for (const auto& [slot, text] : stored_cells_) declared_[slot] = 0;
        out.push_back(terms_.line(
            SyntaxForm::Parameter,
            {{'n', record_names_[records++]}, {'T', types_->records[parameter.record].name}}));
        continue;
      }
      // Where a slice knows its length, only the reference is a parameter.
      const bool knows_length = parameter.is_slice && knows_lengths();
      if (knows_length) declared_[parameter.first] = 1;
      for (u32 k = knows_length ? 1 : 0; k < parameter.cells; ++k) put_cell(parameter.first + k);
    }
    return out;
  }
  [[nodiscard]] bool knows_lengths() const {
    return !terms_.table().form(SyntaxForm::SliceLength).empty();
  }
  // Lines that give cells of parameters names.
  void start() {
    if (types_ == nullptr) return;
    for (const EntryParameter& parameter : types_->parameters) {
      if (!parameter.is_slice || !knows_lengths()) continue;
      const bool is_used =
          f_.cycle != 0 || std::ranges::any_of(f_.terms, [&](const Term& term) {
            return term.kind == TermKind::Variable && term.number == parameter.first;
          });
      if (is_used)
        put(terms_.line(SyntaxForm::SliceLength,
                        {{'n', names_[parameter.first]}, {'v', names_[parameter.first + 1]}}));
    }
    for (const auto& [slot, text] : stored_cells_) assign(slot, text);
  }
  [[nodiscard]] std::string record_text(const std::vector<std::string>& cells) {
    return record_value(*types_, types_->result_record, cells, terms_);
  }

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
      else if (!has_default_depth(target_))
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
      form = f_.variables[variable].stores > 1 || is_reference(type) ? SyntaxForm::Variable
                                                                     : SyntaxForm::Constant;
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
    if (types_ != nullptr && types_->result_record != kNoRecord) {
      value = record_text(values);
    } else if (values.size() != 1) {
      if (is_c_like(target_))
        value = terms_.line(SyntaxForm::RecordValue, {{'n', result_type(own_name_)}, {'v', value}});
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
    std::vector<Scalar> types;
    for (const u32 target : s.targets) types.push_back(f_.variables[target].type);
    put_call(targets, types, functions_[s.number], text);
    return true;
  }
  // Variables of these names, with the several results of a call.
  void put_call(const std::vector<std::string>& targets, const std::vector<Scalar>& types,
                const std::string& function, const std::string& text) {
    if (!is_c_like(target_))
      return put(terms_.line(SyntaxForm::CallTuple, {{'v', joined(targets)}, {'c', text}}));
    const std::string result = "km_results" + std::to_string(++results_);
    put("const " + result_name(function) + " " + result + " = " + text + ";");
    for (size_t k = 0; k < targets.size(); ++k)
      put("const " + std::string(terms_.table().types[static_cast<u8>(types[k])]) + " " +
          targets[k] + " = " + result + ".part" + std::to_string(k) + ";");
  }

  const Script& script_;
  const ScriptFunction& f_;
  const std::vector<std::string>& functions_;
  ExportTarget target_;
  TermWriter& terms_;
  std::string own_name_;
  const EntryTypes* types_;  // of the entry, as callers see it; null: parameters are cells
  std::string text_;
  std::vector<std::string> names_;
  std::vector<std::string> record_names_;                  // of parameters
  std::vector<std::pair<u32, std::string>> stored_cells_;  // of records, which are assigned
  std::vector<u8> declared_;
  std::vector<std::vector<u8>> scopes_;
  std::vector<u32> lines_ = {0};
  std::vector<u8> skipped_;  // statements that another one's line has
  size_t at_ = 0, depth_ = 0;
  u32 results_ = 0;
};

}  // namespace komuz::services
