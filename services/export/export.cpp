// SPDX-License-Identifier: Apache-2.0
#include "services/export/export.h"

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

#include "engine/candidates/load_modules.h"
#include "engine/cases/signature.h"
#include "engine/values/value_text.h"
#include "frontend_gpu/view.h"
#include "services/export/formula.h"
#include "services/export/self_check.h"
#include "services/export/write_program.h"
#include "services/front_end_names.h"

namespace komuz::services {
namespace {

// Which names the program gives the slots of its functions; by the numbers of the functions in code.
std::vector<SlotNames> slot_names(const Columns& c, size_t functions) {
  std::vector<SlotNames> names(functions);
  for (u32 b = 0; b < c.binds; ++b) {
    const BindKind kind = c.bind_kind[b];
    const bool is_variable = kind >= BindKind::Parameter && kind <= BindKind::Lambda;
    const Index function = c.item_function[c.item[c.bind_node[b]]];
    if (!is_variable || function == kNone || function >= functions) continue;
    const Index node = c.bind_node[b];
    const char* const text = reinterpret_cast<const char*>(frontend::node_text(c, node));
    const std::string name(text, frontend::node_length(c, node));
    SlotNames& of = names[function];
    const u32 slot = c.bind_value[b];
    if (of.size() <= slot) of.resize(slot + 1);
    if (of[slot].empty() && name != "_") of[slot] = name;
  }
  return names;
}

// Parameters of modules' functions, and of code without source.
void add_parameter_names(const CodeView& code, std::vector<SlotNames>& names) {
  names.resize(code.functions.size());
  for (size_t k = 0; k < code.functions.size(); ++k) {
    const Function& f = code.functions[k];
    const std::string_view types = code.parameter_types(f);
    SlotNames& of = names[k];
    if (of.size() < f.parameter_slots) of.resize(f.parameter_slots);
    size_t at = 2;
    u32 slot = 0;
    for (u32 parameter = 0; at < types.size(); ++parameter) {
      const size_t end = skip_type(types, at);
      const NameRange range = code.parameter_names[f.parameters_begin + parameter];
      const std::string name(code.names.substr(range.begin, range.end - range.begin));
      const u32 cells = static_cast<u32>(count_cells(types.substr(at, end - at)));
      const std::vector<std::string> parts = cell_names(types.substr(at, end - at), name, cells);
      for (u32 cell = 0; cell < cells; ++cell, ++slot) of[slot] = parts[cell];
      at = end;
    }
  }
}

InputPlace place_in(const std::string& source, const std::string& file, u32 place) {
  InputPlace out;
  out.file = file;
  if (place >> 24 != 0 || place > source.size()) return out;
  out.line = 1;
  u32 start = 0;
  for (u32 k = 0; k < place; ++k)
    if (source[k] == '\n') {
      ++out.line;
      start = k + 1;
    }
  out.column = place - start + 1;
  return out;
}

std::string library_of(ExportTarget target) {
  switch (target) {
    case ExportTarget::Python: return "Python's `math`";
    case ExportTarget::Numpy: return "NumPy";
    case ExportTarget::C: return "the C library";
    case ExportTarget::Cuda: return "CUDA's library";
    case ExportTarget::Julia: return "Julia";
    case ExportTarget::Rust: return "Rust's library";
    case ExportTarget::Excel: return "the spreadsheet";
    case ExportTarget::Sql: return "the database";
    case ExportTarget::Javascript: return "the engine's `Math`";
    default: return {};
  }
}

std::vector<std::string> notes_of(ExportTarget target, const Script& script, const Uses& uses) {
  std::vector<std::string> notes;
  if (!uses.measured.empty()) {
    std::string names;
    for (const Op op : uses.measured)
      names += (names.empty() ? "" : ", ") + std::string(op_spelling(op, Scalar::F64));
    u32 most = 0;
    bool is_known = true;
    for (const Op op : uses.measured)
      for (const Scalar type : {Scalar::F64, Scalar::F32}) {
        const std::optional<u32> one = measured_ulps(target, op, type);
        most = std::max(most, one.value_or(0));
        is_known &= one.has_value();
      }
    notes.push_back(names + ": of " + library_of(target) + ", whose results " +
                    (is_known ? "were seen to differ from those of Komuz by at most " +
                                    std::to_string(most) + " ulp"
                              : "may differ from those of Komuz in their last digits"));
  }
  const bool recurses =
      std::ranges::any_of(script.functions, [](const ScriptFunction& f) { return f.cycle != 0; });
  if (target_row(target).form == TargetForm::Program && (script.has_loops || recurses))
    notes.emplace_back("there is no step budget: what ends in FUEL in Komuz goes on here");
  switch (target) {
    case ExportTarget::Latex:
    case ExportTarget::Mathml:
      notes.emplace_back(
          "for readers: the operations of Komuz round, and those of integers end in a trap where a "
          "result does not fit");
      break;
    case ExportTarget::Sympy:
      notes.emplace_back(
          "SymPy computes with real numbers: nothing rounds before `evalf`, and where Komuz has "
          "NaN, an infinity or a trap, SymPy may "
          "have a complex number, `zoo`, `nan` or an integer of any size");
      break;
    case ExportTarget::Excel:
      notes.emplace_back(
          "where a step is NaN, infinite or a trap in Komuz, the cell has an error; comparisons "
          "and differences of numbers that "
          "agree in about 15 digits count as equal there, and numbers below 2.3e-308 as 0");
      if (uses.has_integers)
        notes.emplace_back("integers are exact up to 2^53, and do not end in OVERFLOW or RANGE");
      break;
    case ExportTarget::Sql:
      notes.emplace_back(
          "NULL is NaN; a quotient by 0 is NULL, not an infinity. Columns of f64 have to be DOUBLE "
          "(REAL in SQLite)");
      if (uses.has_integers)
        notes.emplace_back(
            "where an integer does not fit 64 bits, SQLite goes on with a REAL and DuckDB ends the "
            "query; other widths are not checked");
      break;
    case ExportTarget::Julia:
      notes.emplace_back(
          "the text for Julia follows its manual; it is not run by the tests of Komuz");
      break;
    default: break;
  }
  return notes;
}

std::string comment_of(const TargetRow& row, const std::string& text) {
  if (row.comment.empty()) return {};
  const size_t blank = row.comment.find(' ');
  const std::string open(row.comment.substr(0, blank));
  const std::string close(blank == std::string_view::npos ? "" : row.comment.substr(blank));
  std::string line = text;
  // Where a comment has an end, hyphens may belong to it.
  for (size_t at = 0; !close.empty() && (at = line.find("--", at)) != std::string::npos;)
    line.insert(++at, " ");
  return open + " " + line + close + "\n";
}

// What a caller gives, in order.
std::vector<EntryArgument> arguments_of(const ScriptFunction& entry, const EntryTypes& types,
                                        bool knows_lengths) {
  std::vector<EntryArgument> out;
  for (const EntryParameter& parameter : types.parameters) {
    const u32 first = parameter.first;
    if (parameter.record != kNoRecord) {
      out.push_back({ArgumentKind::Record, first, parameter.cells, parameter.record});
      continue;
    }
    if (parameter.is_slice && knows_lengths) {
      out.push_back({ArgumentKind::Slice, first, 2});
      continue;
    }
    for (u32 slot = first; slot < first + parameter.cells; ++slot) {
      const ScriptVariable& variable = entry.variables[slot];
      if (variable.is_inside) continue;
      const bool is_before =
          slot + 1 < first + parameter.cells && is_reference(entry.variables[slot + 1].type);
      if (is_reference(variable.type))
        out.push_back({ArgumentKind::Reference, slot});
      else if (variable.length != 0)
        out.push_back({ArgumentKind::Array, slot, variable.length});
      else
        out.push_back({is_before ? ArgumentKind::Length : ArgumentKind::Number, slot});
    }
  }
  return out;
}

Problem refusal_of(const std::string& what, ExportTarget target) {
  if (what.starts_with("`--cells"))
    return Problem(ProblemKind::Option, {}, what,
                   "say which cell each parameter is: `--cells x=A2,y=B2`");
  if (what.starts_with("the formula has"))
    return input_problem(what).with_remedy("make two functions of it, for a cell each");
  const std::string name(target_row(target).spelling);
  std::string remedy;
  switch (target) {
    case ExportTarget::Numpy:
      remedy = "`--to python` writes a function of single numbers, which can";
      break;
    case ExportTarget::Latex:
    case ExportTarget::Mathml:
    case ExportTarget::Sympy:
    case ExportTarget::Excel:
    case ExportTarget::Sql:
      remedy = "formulas have `f64`, `if` and `let`; python, c, rust and javascript have more";
      break;
    default:
      remedy = "docs/export.md says what each target has; `--to python` and `--to c` have most";
  }
  return input_problem(what + " cannot be exported to " + name).with_remedy(std::move(remedy));
}

struct Written {
  std::string text, entry, refusal;
  u32 place = 0;
  EntryTypes types = {};
};

// The program of a function that says whether arguments lie in ranges.
std::string range_check(const std::string& name, const engine::Signature& signature,
                        std::span<const ExportRange> ranges) {
  std::string parameters, condition;
  const auto number = [](f64 value) {
    std::string text;
    engine::print_scalar(text, Scalar::F64, std::bit_cast<u64>(value), engine::ValueStyle::Source);
    return text;
  };
  for (const std::string& parameter : signature.names)
    parameters += (parameters.empty() ? "" : ", ") + parameter + ": f64";
  for (const ExportRange& range : ranges)
    if (std::ranges::find(signature.names, range.parameter) != signature.names.end())
      condition += (condition.empty() ? "" : " && ") + range.parameter +
                   " >= " + number(range.least) + " && " + range.parameter +
                   " <= " + number(range.most);
  if (condition.empty()) return {};
  return "pub fn " + name + "_seen(" + parameters + ") -> bool { " + condition + " }\n";
}

// Its text in a target; empty: there is none.
std::string exported_check(const std::string& source, ExportTarget target) {
  frontend::Compiler compiler;
  frontend::Compilation made;
  compiler.compile(source, made);
  if (!made.ok) return {};
  std::vector<SlotNames> names = slot_names(compiler.columns(), made.code.functions.size());
  add_parameter_names(made.code.view(), names);
  ScriptOptions reading;
  reading.orders_traps = target == ExportTarget::C || target == ExportTarget::Cuda;
  Script script;
  if (read_script(made.code.view(), 0, names, reading, script).problem) return {};
  script.functions.back().types = read_entry_types(made.code.view(), made.code.functions[0]);
  TermWriter terms(target, false);
  const WrittenText text = write_program(script, target, terms);
  if (!text.refusal.empty()) return {};
  return (target == ExportTarget::Python ? "\n\n" : "\n") + text.text;
}

Result<Exported> export_with(const CodeView& code, const ExportOptions& options,
                             std::vector<SlotNames> names, const std::string& source,
                             bool is_compiled) {
  const engine::EntryChoice entry = engine::choose_entry(code, options.entry);
  if (!entry.refusal.empty()) return Problem(ProblemKind::Option, {}, entry.refusal, "");
  add_parameter_names(code, names);
  const TargetRow& row = target_row(options.target);
  const bool is_formula = row.form == TargetForm::Formula;
  ScriptOptions reading;
  reading.repeats_terms = is_formula;
  reading.orders_traps = options.target == ExportTarget::C || options.target == ExportTarget::Cuda;
  reading.keeps_powers =
      is_formula && !target_table(options.target).form(SyntaxForm::Power).empty();
  reading.trusts_references = is_compiled;
  Script script;
  ScriptProblem problem =
      read_script(code, static_cast<u32>(entry.function), names, reading, script);
  if (problem.problem)
    return std::move(problem.problem).at(place_in(source, options.name, problem.place));
  TermWriter terms(options.target, options.dialect == SqlDialect::Duckdb);
  Written written;
  std::vector<std::string> more_notes;
  ScriptFunction& function = script.functions.back();
  if (is_formula)
    written.types.parameters = read_entry_types(code, code.functions[entry.function]).parameters;
  else
    function.types = read_entry_types(code, code.functions[entry.function]);
  if (is_formula) {
    Formula formula = fold_script(script);
    if (!formula.refusal.empty()) {
      written.refusal = formula.refusal;
      written.place = script.functions[formula.function].place;
    } else {
      WrittenFormula made = write_formula(script, formula, options, terms);
      written = {std::move(made.text), std::move(made.entry), std::move(made.refusal),
                 terms.refused_place()};
      for (EntryParameter& parameter : written.types.parameters)
        parameter.record = kNoRecord, parameter.is_slice = false;
      more_notes = std::move(made.notes);
      if (written.refusal.empty() && options.target == ExportTarget::Excel &&
          written.text.size() > 8192)
        written.refusal = "the formula has " + std::to_string(written.text.size()) +
                          " characters, and a cell takes 8192";
    }
  } else {
    WrittenText made = write_program(script, options.target, terms);
    written = {std::move(made.text), std::move(made.entry), std::move(made.refusal),
               terms.refused_place(), std::move(made.types)};
    if (written.refusal.empty()) {
      const std::string helpers = terms.helpers();
      std::string start(terms.table().form(SyntaxForm::Start));
      if (options.target == ExportTarget::Python) {
        for (const std::string_view module : {"math", "struct"})
          if ((helpers + written.text).find(std::string(module) + ".") != std::string::npos)
            start += "import " + std::string(module) + "\n";
        if (helpers.find("Fraction") != std::string::npos)
          start += "from fractions import Fraction\n";
        if (written.types.has_records()) start += "from typing import NamedTuple\n";
        u32 deepest = 0;
        for (const ScriptFunction& f : script.functions) deepest = std::max(deepest, f.rec);
        if (deepest > 400)
          start += "import sys\n\nsys.setrecursionlimit(max(sys.getrecursionlimit(), " +
                   std::to_string(2 * deepest + 1000) + "))\n";
        if (!start.empty()) start += "\n\n";
      } else {
        start += "\n";
      }
      written.text = start + helpers + written.text;
    }
  }
  if (!written.refusal.empty()) {
    Problem refused = refusal_of(written.refusal, options.target);
    if (written.place == 0) return refused;
    return std::move(refused).at(place_in(source, options.name, written.place));
  }
  Exported out;
  out.entry = written.entry;
  out.types = std::move(written.types);
  out.arguments =
      arguments_of(function, out.types, !terms.table().form(SyntaxForm::SliceLength).empty());
  out.notes = std::move(more_notes);
  for (std::string& note : notes_of(options.target, script, terms.uses()))
    out.notes.push_back(std::move(note));
  const engine::Signature signature = engine::signature_of(code, code.functions[entry.function]);
  std::string first = comment_of(row, function.name + signature.text() + ", by `komuz export`");
  for (const std::string& note : out.notes) first += comment_of(row, note);
  for (const std::string& line : options.comments) first += comment_of(row, line);
  out.text = first + written.text;
  if (!options.ranges.empty() && !is_formula)
    out.text +=
        exported_check(range_check(function.name, signature, options.ranges), options.target);
  if (options.cases.empty()) return out;
  const std::vector<SlotInCase> slots =
      slots_in_case(code.parameter_types(code.functions[entry.function]), options.case_types);
  if (slots.size() < function.parameters)
    return input_problem("a file cannot check itself on slices inside of tuples and records")
        .with_remedy("take the slices as parameters of their own");
  out.text += self_check(function, out, slots, options, terms.uses().measured.empty(), terms);
  return out;
}

}  // namespace

std::optional<u32> measured_ulps(ExportTarget target, Op op, Scalar type) {
  struct Row {
    ExportTarget target;
    Op op;
    u32 wide, narrow;
  };
  static constexpr Row kRows[] = {
#define MEASURED(Target, Name, wide, narrow) {ExportTarget::Target, Op::Name, wide, narrow},
#include "services/export/measured.def"
  };
  // Of these nothing runs here.
  if (target == ExportTarget::Cuda || target == ExportTarget::Julia) return {};
  for (const Row& row : kRows)
    if (row.target == target && row.op == op) return type == Scalar::F64 ? row.wide : row.narrow;
  return 1;
}

std::optional<ExportTarget> find_target(std::string_view name) {
  for (size_t k = 0; k < std::size(kTargetRows); ++k)
    if (kTargetRows[k].spelling == name) return static_cast<ExportTarget>(k);
  return {};
}

std::optional<ExportTarget> target_of_file(std::string_view path) {
  const size_t slash = path.rfind('/'), dot = path.rfind('.');
  if (dot == std::string_view::npos || (slash != std::string_view::npos && dot < slash)) return {};
  const std::string ending = " " + std::string(path.substr(dot + 1)) + " ";
  for (size_t k = 0; k < std::size(kTargetRows); ++k)
    if ((" " + std::string(kTargetRows[k].endings) + " ").find(ending) != std::string::npos)
      return static_cast<ExportTarget>(k);
  return {};
}

std::string ending_list() {
  std::string out = "`.komuz`";
  for (const TargetRow& row : kTargetRows) {
    std::string ending;
    for (const char c : std::string(row.endings) + " ") {
      if (c != ' ')
        ending += c;
      else if (!ending.empty())
        out += ", `." + std::exchange(ending, {}) + "`";
    }
  }
  return out;
}

std::string target_list() {
  std::string out;
  for (const TargetRow& row : kTargetRows)
    out += (out.empty() ? "" : ", ") + std::string(row.spelling);
  return out;
}

Result<Exported> export_source(const std::string& source, const ExportOptions& options,
                               const Library* library) {
  if (library == nullptr) {
    engine::ModuleLoader modules(nullptr);
    modules.load(source);
    return export_source(source, options, &modules.library());
  }
  frontend::Options how;
  how.library = library;
  how.is_plain = true;
  frontend::Compiler compiler(how);
  frontend::Compilation compilation;
  compiler.compile(source, compilation);
  if (!compilation.ok) return input_problem("the program does not compile by itself");
  return export_with(compilation.code.view(), options,
                     slot_names(compiler.columns(), compilation.code.functions.size()), source,
                     true);
}

Result<Exported> text_for_file(std::string_view path, const std::string& source,
                               ExportOptions options, const Library* library) {
  const std::optional<ExportTarget> target = target_of_file(path);
  if (!target) {
    Exported as_it_is;
    as_it_is.text = source;
    return as_it_is;
  }
  options.target = *target;
  return export_source(source, options, library);
}

Result<Exported> export_code(const CodeView& code, const ExportOptions& options) {
  return export_with(code, options, {}, {}, false);
}

}  // namespace komuz::services
