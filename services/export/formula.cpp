// SPDX-License-Identifier: Apache-2.0
#include "services/export/formula.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "services/export/write_program.h"

namespace komuz::services {
namespace {

// More terms than this are no formula that anybody reads.
constexpr size_t kMostTerms = 20'000;

// What one function computes, over terms of its own parameters.
class Folder {
 public:
  Folder(const Script& script, u32 number, const std::vector<Formula>& callees)
      : f_(script.functions[number]), callees_(callees) {
    out_.function = number;
    out_.terms.parameters = f_.parameters;
    values_.assign(f_.variables.size(), kNoTerm);
    for (u32 k = 0; k < f_.parameters; ++k) {
      out_.terms.variables.push_back(f_.variables[k]);
      Term term;
      term.kind = TermKind::Variable;
      term.type = f_.variables[k].type;
      term.number = k;
      values_[k] = add(term, {});
    }
  }

  Formula run() {
    for (const ScriptVariable& variable : f_.variables)
      if (variable.length != 0) refuse("an array or a list");
    if (f_.cycle != 0) refuse("a function that calls itself");
    for (const Statement& statement : f_.statements) {
      if (!out_.refusal.empty()) break;
      step(statement);
      if (out_.terms.terms.size() > kMostTerms) refuse("a formula of so many operations");
    }
    if (!out_.refusal.empty()) return std::move(out_);
    // The first return whose way was taken counts; the last one is behind all.
    out_.results = returns_.back().values;
    for (size_t k = returns_.size() - 1; k-- > 0;)
      for (size_t r = 0; r < out_.results.size(); ++r)
        out_.results[r] = choose(returns_[k].path, returns_[k].values[r], out_.results[r]);
    return std::move(out_);
  }

 private:
  static constexpr u32 kNoTerm = ~0u;
  struct Arm {
    u32 condition = 0, path = kNoTerm;  // of the whole way to here; kNoTerm: always
    bool is_second = false;
    std::vector<u32> before, first;  // values of variables
  };
  struct Given {
    u32 path;
    std::vector<u32> values;
  };

  void refuse(std::string what) {
    if (out_.refusal.empty()) out_.refusal = std::move(what);
  }
  u32 add(Term term, std::span<const u32> operands) {
    ScriptFunction& to = out_.terms;
    const std::vector<u32> kept(operands.begin(), operands.end());
    // Equal terms are one.
    std::string key;
    for (const u64 word : {u64{static_cast<u8>(term.kind)}, u64{static_cast<u8>(term.op)},
                           u64{static_cast<u8>(term.type)}, u64{static_cast<u8>(term.operand_type)},
                           u64{static_cast<u8>(term.other_type)}, u64{term.number}, term.cell})
      key += std::to_string(word) + " ";
    for (const u32 operand : kept) {
      key += std::to_string(operand) + ",";
      term.may_trap |= to.terms[operand].may_trap;
    }
    const auto [known, is_new] =
        numbers_.emplace(std::move(key), static_cast<u32>(to.terms.size()));
    if (!is_new) return known->second;
    term.operands_begin = static_cast<u32>(to.operands.size());
    to.operands.insert(to.operands.end(), kept.begin(), kept.end());
    term.operands_end = static_cast<u32>(to.operands.size());
    to.terms.push_back(term);
    out_.names.emplace_back();
    return static_cast<u32>(to.terms.size() - 1);
  }
  u32 choose(u32 condition, u32 first, u32 second) {
    if (first == second) return first;
    Term term;
    term.kind = TermKind::Choose;
    term.type = out_.terms.terms[second].type;
    const u32 operands[] = {condition, first, second};
    return add(term, operands);
  }
  u32 both(u32 a, u32 b) {
    if (a == kNoTerm) return b;
    Term term;
    term.kind = TermKind::AndThen;
    term.type = Scalar::Bool;
    const u32 operands[] = {a, b};
    return add(term, operands);
  }
  u32 opposite(u32 a) {
    Term term;
    term.kind = TermKind::Operation;
    term.op = Op::Not;
    term.type = term.operand_type = Scalar::Bool;
    const u32 operands[] = {a};
    return add(term, operands);
  }
  // Copies what a term of another function stands on, smallest first.
  template <class Leaf>
  u32 copy(const ScriptFunction& from, u32 root, const Leaf& leaf) {
    std::vector<u32> open = {root};
    std::map<u32, u32> copies;
    while (!open.empty()) {
      const u32 at = open.back();
      open.pop_back();
      if (!copies.emplace(at, 0).second) continue;
      for (const u32 operand : from.operands_of(at)) open.push_back(operand);
    }
    for (auto& [number, made] : copies) {
      const Term& term = from.terms[number];
      if (term.kind == TermKind::Variable) {
        made = leaf(term.number);
        continue;
      }
      std::vector<u32> operands;
      for (const u32 operand : from.operands_of(term)) operands.push_back(copies[operand]);
      if (term.kind == TermKind::Call) {
        const std::vector<u32> results = call(term.number, operands);
        made = results.empty() ? 0 : results[0];
      } else {
        made = add(term, operands);
      }
    }
    return copies[root];
  }
  u32 translated(u32 term) {
    return copy(f_, term, [&](u32 variable) {
      if (values_[variable] == kNoTerm) {
        // An arm that is never taken may name what it has not assigned.
        Term zero;
        zero.type = f_.variables[variable].type;
        return add(zero, {});
      }
      return values_[variable];
    });
  }
  std::vector<u32> call(u32 callee, const std::vector<u32>& arguments) {
    const Formula& of = callees_[callee];
    if (!of.refusal.empty()) {
      refuse(of.refusal);
      return {};
    }
    std::vector<u32> results;
    for (const u32 result : of.results)
      results.push_back(copy(of.terms, result, [&](u32 variable) { return arguments[variable]; }));
    for (const u32 effect : of.effects)
      out_.effects.push_back(
          copy(of.terms, effect, [&](u32 variable) { return arguments[variable]; }));
    if (out_.terms.terms.size() > kMostTerms) refuse("a formula of so many operations");
    return results;
  }
  void set(u32 variable, u32 term) {
    values_[variable] = term;
    if (out_.terms.terms[term].may_trap) out_.effects.push_back(term);
    if (f_.is_entry && arms_.empty() && f_.variables[variable].is_named &&
        out_.names[term].empty() && out_.terms.terms[term].kind != TermKind::Variable &&
        out_.terms.terms[term].kind != TermKind::Constant)
      out_.names[term] = f_.variables[variable].name;
  }
  [[nodiscard]] u32 path() const { return arms_.empty() ? kNoTerm : arms_.back().path; }

  void step(const Statement& s) {
    switch (s.kind) {
      case StatementKind::Assign: set(s.variable, translated(s.term)); return;
      case StatementKind::Declare: return;
      case StatementKind::Call: {
        std::vector<u32> arguments;
        for (const u32 value : s.values) arguments.push_back(translated(value));
        const std::vector<u32> results = call(s.number, arguments);
        for (size_t k = 0; k < results.size(); ++k) set(s.targets[k], results[k]);
        return;
      }
      case StatementKind::If: {
        Arm arm;
        arm.condition = translated(s.term);
        arm.path = both(path(), arm.condition);
        arm.before = values_;
        arms_.push_back(std::move(arm));
        return;
      }
      case StatementKind::Else: {
        Arm& arm = arms_.back();
        arm.first = std::exchange(values_, arm.before);
        arm.is_second = true;
        const u32 outer = arms_.size() < 2 ? kNoTerm : arms_[arms_.size() - 2].path;
        arm.path = both(outer, opposite(arm.condition));
        return;
      }
      case StatementKind::EndIf: {
        Arm arm = std::move(arms_.back());
        arms_.pop_back();
        if (!arm.is_second) arm.first = std::exchange(values_, arm.before);
        for (size_t k = 0; k < values_.size(); ++k) {
          if (arm.first[k] == kNoTerm || values_[k] == kNoTerm)
            values_[k] = values_[k] == kNoTerm ? arm.first[k] : values_[k];
          else
            values_[k] = choose(arm.condition, arm.first[k], values_[k]);
        }
        return;
      }
      case StatementKind::Return: {
        Given given{path(), {}};
        for (const u32 value : s.values) given.values.push_back(translated(value));
        returns_.push_back(std::move(given));
        return;
      }
      case StatementKind::Loop:
      case StatementKind::While:
      case StatementKind::For:
      case StatementKind::EndLoop:
      case StatementKind::BreakUnless:
      case StatementKind::CountDown:
      case StatementKind::Break:
      case StatementKind::Continue: return refuse("a loop");
      case StatementKind::MakeArray:
      case StatementKind::StoreElement: return refuse("an array or a list");
      case StatementKind::Require:
      case StatementKind::Trap: return refuse("`assert`, or what may trap by itself");
    }
  }

  const ScriptFunction& f_;
  const std::vector<Formula>& callees_;
  Formula out_;
  std::map<std::string, u32> numbers_;  // of terms, by what they are
  std::vector<u32> values_;             // of variables, as terms
  std::vector<Arm> arms_;
  std::vector<Given> returns_;
};

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
      out_.refusal = "`--cells " + options_.cells + "`, which is not of the form x=A2,y=B2,";
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
        out_.refusal =
            "`--cells " + name + "=" + cell + "`: there is no parameter `" + name + "`, so this";
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

Formula fold_script(const Script& script) {
  std::vector<Formula> functions;
  for (u32 k = 0; k < script.functions.size(); ++k)
    functions.push_back(Folder(script, k, functions).run());
  return std::move(functions.back());
}

WrittenFormula write_formula(const Script& script, Formula& formula, const ExportOptions& options,
                             TermWriter& terms) {
  return FormulaWriter(script, formula, options, terms).write();
}

}  // namespace komuz::services
