// SPDX-License-Identifier: Apache-2.0
// Terms as text of a target, by its table, and the helper functions that the text needs.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "services/export/script.h"
#include "services/export/target_table.h"

namespace komuz::services {

struct Piece {
  std::string text;
  u8 level = kOperandLevel;
};

// As a program writes it: `+`, `min`.
[[nodiscard]] std::string_view op_spelling(Op op, Scalar type);
// A constant for which the target has no word, in a refusal.
[[nodiscard]] std::string refused_number(const Term& constant);

// What a text uses: helpers with the type that they are for (None: none), operations whose last digits may differ.
struct Uses {
  std::set<std::pair<std::string, Scalar>> helpers;
  std::set<Op> measured;
  bool has_integers = false, has_floats = false;
};

// The types that a template speaks of.
struct TemplateTypes {
  Scalar type = Scalar::None, other = Scalar::None;
};
// Replaces single words in lines: `$n` by the text of 'n'.
using Words = std::map<char, std::string>;

class TermWriter {
 public:
  explicit TermWriter(ExportTarget target, bool is_duckdb = false)
      : target_(target), is_duckdb_(is_duckdb), table_(target_table(target)) {}

  [[nodiscard]] const TargetTable& table() const { return table_; }
  [[nodiscard]] Uses& uses() { return uses_; }

  // `names`: of the function's variables. `call`: the text of a call, by its term and its arguments.
  template <class CallText>
  bool write(const ScriptFunction& f, u32 term, const std::vector<std::string>& names,
             const CallText& call, Piece& out);

  [[nodiscard]] const std::string& refusal() const { return refusal_; }
  [[nodiscard]] u32 refused_place() const { return refused_place_; }

  [[nodiscard]] Piece constant(Scalar type, u64 cell) const;
  [[nodiscard]] Piece operation(const ScriptFunction& f, const Term& term,
                                std::vector<Piece>& operands);
  [[nodiscard]] std::string line(SyntaxForm form, const Words& words, TemplateTypes types = {});
  // An index of an array, as an element is written with it.
  [[nodiscard]] std::string index(const ScriptFunction& f, u32 term, const std::string& text,
                                  u32 length, bool is_known);
  // As a parameter or a variable has it.
  [[nodiscard]] std::string type_name(Scalar type);
  [[nodiscard]] Piece part(std::vector<Piece>& operands);
  // The helpers that are used, with those that these need, in the order of the table.
  [[nodiscard]] std::string helpers();

 private:
  [[nodiscard]] std::string expand(std::string_view text, std::span<const Piece> operands, u8 level,
                                   TemplateTypes types, const Words& words, bool is_choice);
  [[nodiscard]] std::string number_end(Scalar type, bool is_least) const;
  [[nodiscard]] std::string in_parentheses(const std::string& text) const;
  [[nodiscard]] Piece number(SyntaxForm form, const std::string& size, const std::string& wide,
                             Scalar type, bool is_negative) const;
  [[nodiscard]] static Piece spreadsheet_number(const std::string& digits,
                                                const std::string& exponent);
  [[nodiscard]] std::string special_of_sql(Scalar type, u64 cell) const;
  void use_helper(std::string_view name, Scalar type);

  ExportTarget target_;
  bool is_duckdb_;
  const TargetTable& table_;
  Uses uses_;
  std::string refusal_;
  u32 refused_place_ = 0;
};

template <class CallText>
bool TermWriter::write(const ScriptFunction& f, u32 root, const std::vector<std::string>& names,
                       const CallText& call, Piece& out) {
  // Operands have smaller numbers than what takes them.
  std::vector<u32> open = {root};
  std::map<u32, Piece> pieces;
  while (!open.empty()) {
    const u32 at = open.back();
    open.pop_back();
    if (!pieces.emplace(at, Piece()).second) continue;
    for (const u32 operand : f.operands_of(at)) open.push_back(operand);
  }
  for (auto& [number, piece] : pieces) {
    const Term& term = f.terms[number];
    std::vector<Piece> operands;
    for (const u32 operand : f.operands_of(term)) operands.push_back(pieces[operand]);
    switch (term.kind) {
      case TermKind::Constant:
        piece = constant(term.type, term.cell);
        if (piece.text.empty()) refusal_ = refused_number(term);
        break;
      case TermKind::Variable: piece = {names[term.number], kOperandLevel}; break;
      case TermKind::Call: piece = call(term, operands); break;
      case TermKind::Element:
        piece.text = line(SyntaxForm::Element,
                          {{'n', names[term.number]},
                           {'v', index(f, f.operands_of(term)[0], operands[0].text,
                                       f.variables[term.number].length, term.cell != 0)}});
        break;
      case TermKind::Slice:
        piece = {line(SyntaxForm::Slice, {{'n', names[term.number]}}), table_.levels.sign};
        if (piece.text == names[term.number]) piece.level = kOperandLevel;
        break;
      case TermKind::Part: piece = part(operands); break;
      case TermKind::ElementOf: {
        const std::string& of = operands[0].text;
        piece.text = line(SyntaxForm::Element,
                          {{'n', operands[0].level < kOperandLevel ? "(" + of + ")" : of},
                           {'v', index(f, f.operands_of(term)[1], operands[1].text, 0, true)}});
        break;
      }
      case TermKind::Operation:
      case TermKind::Power:
      case TermKind::Choose:
      case TermKind::AndThen:
      case TermKind::OrElse: piece = operation(f, term, operands); break;
    }
    if (!refusal_.empty()) {
      refused_place_ = term.place;
      return false;
    }
  }
  out = std::move(pieces[root]);
  return true;
}

}  // namespace komuz::services
