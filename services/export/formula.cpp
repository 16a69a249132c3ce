// SPDX-License-Identifier: Apache-2.0
#include "services/export/formula.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "services/export/write_records.h"

namespace komuz::services {
namespace {

std::string quoted_column(const std::string& name) { return "\"" + name + "\""; }

// How people set a name: single letters, Greek ones, numbers below.
std::string latex_name(const std::string& name) {
  static constexpr std::string_view kGreek =
      " alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau "
      "upsilon phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega ";
  const size_t under = name.find('_');
  size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
  std::string base = name.substr(0, std::min(under, digits));
  std::string index =
      name.substr(std::min(name.size(), base.size() + (under == base.size() ? 1 : 0)));
  if (base.empty()) base = name, index.clear();
  std::string out;
  if (kGreek.find(" " + base + " ") != std::string_view::npos)
    out = "\\" + base;
  else if (base.size() == 1)
    out = base;
  else
    out = "\\mathit{" + base + "}";
  std::string shown;
  for (const char c : index) shown += c == '_' ? "\\_" : std::string(1, c);
  if (!shown.empty()) out += "_{" + shown + "}";
  return out;
}
std::string mathml_name(const std::string& name) { return "<mi>" + name + "</mi>"; }

// "x=A2,y=B2" as cells by names.
std::optional<std::map<std::string, std::string>> read_cells(const std::string& text) {
  std::map<std::string, std::string> cells;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(',', at), text.size());
    const std::string part = text.substr(at, end - at);
    const size_t equals = part.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == part.size()) return {};
    cells[part.substr(0, equals)] = part.substr(equals + 1);
    at = end + 1;
  }
  return cells;
}
std::string column_letters(u32 number) {
  std::string out;
  for (++number; number > 0; number = (number - 1) / 26)
    out.insert(out.begin(), static_cast<char>('A' + (number - 1) % 26));
  return out;
}

// How often each term stands in the results.
std::vector<u32> count_uses(const ScriptFunction& f, const std::vector<u32>& roots) {
  std::vector<u32> uses(f.terms.size(), 0), open = roots;
  for (const u32 root : roots) ++uses[root];
  std::vector<u8> seen(f.terms.size(), 0);
  while (!open.empty()) {
    const u32 at = open.back();
    open.pop_back();
    if (seen[at] != 0) continue;
    seen[at] = 1;
    for (const u32 operand : f.operands_of(at)) {
      ++uses[operand];
      open.push_back(operand);
    }
  }
  return uses;
}
// Terms that are computed whatever conditions say.
std::vector<u8> list_certain(const ScriptFunction& f, const std::vector<u32>& roots) {
  std::vector<u8> certain(f.terms.size(), 0);
  std::vector<u32> open = roots;
  while (!open.empty()) {
    const u32 at = open.back();
    open.pop_back();
    if (certain[at] != 0) continue;
    certain[at] = 1;
    const TermKind kind = f.terms[at].kind;
    const bool is_lazy =
        kind == TermKind::Choose || kind == TermKind::AndThen || kind == TermKind::OrElse;
    const std::span<const u32> operands = f.operands_of(at);
    for (size_t k = 0; k < (is_lazy ? 1 : operands.size()); ++k) open.push_back(operands[k]);
  }
  return certain;
}

class FormulaWriter {
 public:
  FormulaWriter(const Script& script, Formula& formula, const ExportOptions& options,
                TermWriter& terms)
      : entry_(script.functions.back()),
        formula_(formula),
        f_(formula.terms),
        options_(options),
        terms_(terms) {}

  WrittenFormula write() {
    if (formula_.results.size() != 1) return refused("a result of several numbers");
    if (!find_names()) return std::move(out_);
    const bool has_variables =
        options_.target == ExportTarget::Numpy || options_.target == ExportTarget::Sympy;
    if (has_variables) pick_variables();
    if (options_.target == ExportTarget::Numpy && !check_certain()) return std::move(out_);
    std::vector<std::string> lines;
    for (const auto& [term, definition] : definitions_) {
      std::string value;
      if (!text_of(definition, value)) return std::move(out_);
      lines.push_back(names_[f_.terms[term].number] + " = " + value);
    }
    std::string value;
    if (!text_of(formula_.results[0], value)) return std::move(out_);
    put_together(lines, value);
    return std::move(out_);
  }

 private:
  WrittenFormula refused(std::string what) {
    out_.refusal = std::move(what);
    return std::move(out_);
  }
  bool text_of(u32 term, std::string& out) {
    Piece piece;
    const auto call = [](const Term&, const std::vector<Piece>&) { return Piece(); };
    if (!terms_.write(f_, term, names_, call, piece)) {
      out_.refusal = terms_.refusal();
      return false;
    }
    out = std::move(piece.text);
    return true;
  }
  bool find_names() {
    std::vector<std::string> wanted = {entry_.name};
    for (u32 k = 0; k < f_.parameters; ++k)
      wanted.push_back(f_.variables[k].name.empty() ? "x" + std::to_string(k + 1)
                                                    : f_.variables[k].name);
    std::vector<std::string> names =
        target_names(wanted, terms_.table().form(SyntaxForm::Reserved));
    out_.entry = names[0];
    plain_.assign(names.begin() + 1, names.end());
    names_ = plain_;
    switch (options_.target) {
      case ExportTarget::Latex:
        for (u32 k = 0; k < f_.parameters; ++k) names_[k] = latex_name(wanted[k + 1]);
        return true;
      case ExportTarget::Mathml:
        for (u32 k = 0; k < f_.parameters; ++k) names_[k] = mathml_name(wanted[k + 1]);
        return true;
      case ExportTarget::Sql:
        out_.entry = entry_.name;
        for (u32 k = 0; k < f_.parameters; ++k) names_[k] = quoted_column(wanted[k + 1]);
        return true;
      case ExportTarget::Excel: return find_cells(wanted);
      default: return true;
    }
  }
  bool find_cells(const std::vector<std::string>& wanted) {
    const auto cells = read_cells(options_.cells);
    if (!cells) {
      out_.refusal = "`--cells " + options_.cells + "` is not of the form x=A2,y=B2";
      return false;
    }
    std::string told;
    for (u32 k = 0; k < f_.parameters; ++k) {
      const auto given = cells->find(wanted[k + 1]);
      names_[k] = given != cells->end() ? given->second : column_letters(k) + "2";
      told += (k == 0 ? "" : ", ") + wanted[k + 1] + " is " + names_[k];
    }
    for (const auto& [name, cell] : *cells)
      if (std::ranges::find(wanted.begin() + 1, wanted.end(), name) == wanted.end()) {
        out_.refusal = "`--cells " + name + "=" + cell + "` names no parameter of the function";
        return false;
      }
    if (f_.parameters != 0) out_.notes.push_back("cells: " + told);
    return true;
  }
  // Terms with a name, and those that stand several times, become variables.
  void pick_variables() {
    const std::vector<u32> uses = count_uses(f_, formula_.results);
    const size_t count = f_.terms.size();
    std::vector<std::string> taken = names_;
    taken.push_back(out_.entry);
    u32 temporaries = 0;
    for (u32 k = 0; k < count; ++k) {
      const TermKind kind = f_.terms[k].kind;
      if (uses[k] == 0 || kind == TermKind::Variable || kind == TermKind::Constant) continue;
      const bool is_last = formula_.results[0] == k && uses[k] == 1;
      if (is_last || (uses[k] < 2 && formula_.names[k].empty())) continue;
      std::string wanted = formula_.names[k];
      if (wanted.empty()) wanted = "t" + std::to_string(++temporaries);
      const std::string name =
          target_names({wanted}, terms_.table().form(SyntaxForm::Reserved), taken)[0];
      taken.push_back(name);
      names_.push_back(name);
      ScriptVariable variable;
      variable.name = name;
      variable.type = f_.terms[k].type;
      f_.variables.push_back(variable);
      f_.terms.push_back(f_.terms[k]);
      definitions_.emplace_back(k, static_cast<u32>(f_.terms.size() - 1));
      Term& term = f_.terms[k];
      term.kind = TermKind::Variable;
      term.number = static_cast<u32>(f_.variables.size() - 1);
      term.operands_begin = term.operands_end = 0;
    }
  }
  // Arrays compute both arms: what may trap in one may not be there.
  bool check_certain() {
    std::vector<u32> roots = formula_.results;
    for (const auto& [term, definition] : definitions_) roots.push_back(definition);
    // A definition is computed for all rows; what it stands for may not be.
    std::vector<u8> certain = list_certain(f_, formula_.results);
    for (bool has_more = true; has_more;) {
      has_more = false;
      for (const auto& [term, definition] : definitions_) {
        if (certain[term] == 0 || certain[definition] != 0) continue;
        const std::vector<u8> more = list_certain(f_, {definition});
        for (size_t k = 0; k < more.size(); ++k) certain[k] |= more[k];
        has_more = true;
      }
    }
    const std::vector<u32> uses = count_uses(f_, roots);
    for (const u32 effect : formula_.effects)
      if (certain[effect] == 0) {
        out_.refusal = "a variable whose value may trap, and which is not used in every row,";
        return false;
      }
    for (u32 k = 0; k < f_.terms.size(); ++k) {
      const Term& term = f_.terms[k];
      if (uses[k] == 0 || certain[k] != 0 || term.kind != TermKind::Operation) continue;
      if (!may_trap(term.op, term.operand_type)) continue;
      // From a float nothing traps.
      if (term.op == Op::Convert && is_float(term.other_type)) continue;
      if (term.op == Op::Convert && is_float(term.operand_type)) continue;
      out_.refusal = "`" + std::string(op_spelling(term.op, term.operand_type)) + "` of " +
                     std::string(scalar_name(term.operand_type)) +
                     " in an arm of `if`, which may trap and which arrays compute for every row,";
      return false;
    }
    return true;
  }
  void put_together(const std::vector<std::string>& lines, const std::string& value) {
    std::string& text = out_.text;
    switch (options_.target) {
      case ExportTarget::Numpy: {
        std::string parameters;
        for (const std::string& name : plain_)
          parameters += (parameters.empty() ? "" : ", ") + name;
        text = terms_.helpers();
        if (!text.empty())
          text = "\n\n" + text;
        else
          text = "\n\n";
        text = std::string(terms_.table().form(SyntaxForm::Start)) + text;
        text += "def " + out_.entry + "(" + parameters + "):\n";
        for (u32 k = 0; k < f_.parameters; ++k)
          text += "    " + plain_[k] + " = np.asarray(" + plain_[k] + ", dtype=np." +
                  std::string(terms_.table().types[static_cast<u8>(f_.variables[k].type)]) + ")\n";
        text += "    with np.errstate(all=\"ignore\"):\n";
        for (const std::string& line : lines) text += "        " + line + "\n";
        text += "        return " + value + "\n";
        return;
      }
      case ExportTarget::Sympy: {
        const std::string helpers = terms_.helpers();
        text = std::string(terms_.table().form(SyntaxForm::Start)) + "\n";
        for (u32 k = 0; k < f_.parameters; ++k) {
          const Scalar type = f_.variables[k].type;
          const std::string what = is_float(type)         ? ", real=True"
                                   : type == Scalar::Bool ? ""
                                                          : ", integer=True";
          text += plain_[k] + " = sp.Symbol(\"" + plain_[k] + "\"" + what + ")\n";
        }
        text += helpers.empty() ? "\n" : "\n\n" + helpers;
        for (const std::string& line : lines) text += line + "\n";
        text += out_.entry + " = " + value + "\n";
        return;
      }
      case ExportTarget::Excel: text = "=" + value + "\n"; return;
      case ExportTarget::Sql:
        text = "SELECT " + value + " AS " + quoted_column(out_.entry) + " FROM " + options_.table +
               ";\n";
        return;
      case ExportTarget::Latex: {
        std::string parameters;
        for (const std::string& name : names_)
          parameters += (parameters.empty() ? "" : ", ") + name;
        text = "\\begin{equation*}\n" + latex_name(entry_.name) + "\\left(" + parameters +
               "\\right) = " + value + "\n\\end{equation*}\n";
        return;
      }
      case ExportTarget::Mathml: {
        text = "<math xmlns=\"http://www.w3.org/1998/Math/MathML\" display=\"block\"><mrow>" +
               mathml_name(entry_.name) + "<mo>(</mo>";
        for (size_t k = 0; k < names_.size(); ++k) text += (k == 0 ? "" : "<mo>,</mo>") + names_[k];
        text += "<mo>)</mo><mo>=</mo>" + value + "</mrow></math>\n";
        return;
      }
      default: return;
    }
  }

  const ScriptFunction& entry_;
  Formula& formula_;
  ScriptFunction& f_;
  const ExportOptions& options_;
  TermWriter& terms_;
  WrittenFormula out_;
  std::vector<std::string> names_, plain_;  // of variables, as they are written; as words
  std::vector<std::pair<u32, u32>> definitions_;
};

}  // namespace

WrittenFormula write_formula(const Script& script, Formula& formula, const ExportOptions& options,
                             TermWriter& terms) {
  return FormulaWriter(script, formula, options, terms).write();
}

}  // namespace komuz::services
