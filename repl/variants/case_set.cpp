// SPDX-License-Identifier: Apache-2.0
#include "repl/variants/case_set.h"

#include <algorithm>

#include "base/counts.h"
#include "engine/column_types.h"
#include "engine/signature.h"

namespace komuz::repl {

namespace {

using services::SnippetName;

bool is_parameter_name(const std::string& text) {
  const engine::SignatureText read = engine::read_signature("fn(" + text + ": bool) -> ()");
  return read.problem.empty() && read.signature.names.size() == 1;
}

std::string read_types(std::string_view text, std::vector<SnippetName>& out) {
  const bool has_result = text.find("->") != std::string_view::npos;
  const engine::SignatureText read =
      engine::read_signature("fn" + std::string(text) + (has_result ? "" : " -> ()"));
  if (!read.problem.empty())
    return "`" + std::string(text) + "` does not say what parameters are: " + read.problem +
           "; write it as `(x: f64, n: i64)`";
  const std::string_view codes = read.signature.parameter_types;
  size_t at = read_type_head(codes, 0).end;
  for (const std::string& name : read.signature.names) {
    const size_t end = skip_type(codes, at);
    out.push_back({name, type_text(codes.substr(at, end - at), RecordText::Name)});
    at = end;
  }
  return {};
}

std::string infer_types(const engine::CasesTable& table, std::vector<SnippetName>& out) {
  constexpr std::string_view kRemedy = "; say what parameters are, as in `:cases FILE (x: f64)`";
  for (size_t column = 0; column < table.columns.size(); ++column) {
    const std::string& name = table.columns[column];
    if (!is_parameter_name(name))
      return "the column `" + name + "` has no name that a program can use";
    std::string type = engine::column_type(table, column);
    if (type.empty())
      return "what the column `" + name + "` holds has no one type" + std::string(kRemedy);
    out.push_back({name, std::move(type)});
  }
  return {};
}

}  // namespace

std::string CaseSet::load(std::string file, std::string bytes, std::string_view signature,
                          engine::ScoreKind score) {
  CaseSet next;
  engine::CaseFields fields;
  fields.has_expectations = !engine::is_value_score(score);
  if (const engine::MaybeError error = engine::read_cases(file, bytes, fields, next.table_))
    return error->text();
  std::string problem = signature.empty() ? infer_types(next.table_, next.parameters_)
                                          : read_types(signature, next.parameters_);
  if (!problem.empty()) return problem;
  if (fields.has_expectations) next.expected_ = engine::expected_type(next.table_);
  next.bytes_ = std::move(bytes);
  next.signature_ = signature;
  *this = std::move(next);
  return {};
}

std::string CaseSet::set_score(engine::ScoreKind score) {
  const std::string file = table_.file, bytes = bytes_, signature = signature_;
  return load(file, bytes, signature, score);
}

bool CaseSet::has_parameter(std::string_view name) const {
  return std::ranges::find(parameters_, name, &SnippetName::name) != parameters_.end();
}

std::string CaseSet::text() const {
  std::string text = counted(table_.rows.size(), "case") + " of " + table_.file + ": (";
  for (const SnippetName& parameter : parameters_)
    text += (&parameter == parameters_.data() ? "" : ", ") + parameter.name + ": " + parameter.type;
  return text + ")" + (expected_.empty() ? "" : ", expected " + expected_) + "\n";
}

}  // namespace komuz::repl
