// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "services/render.h"

#include "mend/mend.h"

namespace komuz::services {
namespace {

// Adds the places of [begin, end) as the four fields that editors ask for.
void add_span(nlohmann::ordered_json& object, const NamedSource& source, u32 begin, u32 end) {
  const Place first = source.place(begin);
  const Place last = source.place(end);
  object["line"] = first.line;
  object["column"] = first.column;
  object["end_line"] = last.line;
  object["end_column"] = last.column;
}

}  // namespace

nlohmann::ordered_json diagnostic_json(const Diagnostic& d, NamedSource source,
                                       std::string_view message) {
  const DiagnosticRow& row = diagnostic_row(d.code());
  nlohmann::ordered_json object;
  object["file"] = source.name;
  add_span(object, source, d.begin, d.end());
  object["code"] = row.code;
  object["severity"] = severity_name(row.severity);
  object["message"] = message.empty() ? message_text(d, source) : std::string(message);
  object["fix"] = nullptr;
  const auto edit = diagnostic_fix(d, source.text);
  // An edit before the named part is left out.
  if (edit && edit->begin >= source.first_byte) {
    nlohmann::ordered_json fix;
    add_span(fix, source, edit->begin, edit->end);
    fix["begin"] = edit->begin - source.first_byte;
    fix["end"] = edit->end - source.first_byte;
    fix["text"] = edit->text;
    object["fix"] = std::move(fix);
  }
  return object;
}

void add_compared(nlohmann::ordered_json& object,
                  const std::optional<engine::ComparedText>& compared) {
  if (!compared) return;
  object["operator"] = compared->op;
  object["actual"] = compared->left;
  object["expected"] = compared->right;
}

}  // namespace komuz::services
