// SPDX-License-Identifier: Apache-2.0
#include "services/editor/inlay_hints.h"

#include <algorithm>
#include <string>

#include "lsp/answers/params.h"
#include "lsp/answers/shapes.h"
#include "lsp/answers/variant_hints.h"
#include "services/definition.h"
#include "services/editor/type_definition.h"
#include "services/hover.h"

namespace komuz::lsp {
namespace {

using services::HintKind;
using services::InlayHint;

// InlayHintKind of the protocol; holes have none.
u32 kind_number(HintKind kind) {
  switch (kind) {
    case HintKind::Type: return 1;
    case HintKind::Parameter: return 2;
    case HintKind::Hole: break;
  }
  return 0;
}

Json text_edits(const Document& document, const InlayHint& hint, Encoding encoding) {
  const Edit edit{hint.at, hint.at, hint.text};
  return Json::array({text_edit_json(document, edit, encoding)});
}

// The words of a label, which has one part where it leads to something.
std::string label_text(const Json& label) {
  const Json& text = label.is_array() && label.size() == 1 ? member(label.front(), "value") : label;
  return text.is_string() ? text.get<std::string>() : std::string();
}

// Where the type is defined, or the function that has the parameter. Null: no text does.
Json place_of_label(const Question& question, const Document& document,
                    const services::Analysis& analysis, const InlayHint& hint) {
  switch (hint.kind) {
    case HintKind::Type: {
      const auto types = services::find_type_definitions(analysis, hint.about);
      return types.empty() ? Json() : location_json(question, document, types.front());
    }
    case HintKind::Parameter: {
      const auto place = services::find_definition(analysis, hint.about);
      return place ? location_json(question, document, *place) : Json();
    }
    case HintKind::Hole: break;
  }
  return Json();
}

}  // namespace

Outcome answer_inlay_hints(const Question& question) {
  const Read<Stretched> read = read_stretch(question);
  if (!read) return *read.refusal;
  const Document& document = *read.value.document;
  const Encoding encoding = question.client.encoding;
  Json hints = Json::array();
  for (const InlayHint& hint :
       services::list_inlay_hints(question.workspace.analyse_names(document),
                                  read.value.bytes.begin, read.value.bytes.end)) {
    Json out = {
        {"position", position_json(document.position_of(hint.at, encoding))},
        {"label", question.client.resolves_hint_places ? Json::array({{{"value", hint.text}}})
                                                       : Json(hint.text)},
        {"data", {{"uri", document.uri}, {"at", hint.at}, {"version", document.version}}}};
    if (const u32 kind = kind_number(hint.kind); kind != 0) out["kind"] = kind;
    if (hint.kind == HintKind::Parameter) out["paddingRight"] = true;
    if (hint.kind == HintKind::Hole) out["paddingLeft"] = true;
    if (hint.is_code && !question.client.resolves_hint_edits)
      out["textEdits"] = text_edits(document, hint, encoding);
    hints.push_back(std::move(out));
  }
  add_variant_hints(question, document, read.value.bytes, hints);
  return hints;
}

Outcome answer_inlay_hint(const Question& question) {
  Json hint = question.params;
  const Json& data = member(hint, "data");
  const Json& uri = member(data, "uri");
  const Json& at = member(data, "at");
  const Json& label = member(hint, "label");
  // One of the best variant says all that there is.
  const std::string words = label_text(label);
  if (hint.is_object() && data.is_null() && !words.empty()) return hint;
  if (!uri.is_string() || !at.is_number_unsigned() || words.empty())
    return Refusal{ErrorCode::InvalidParams, "`label` and `data` are those of a hint"};
  const DocumentRef document =
      question.workspace.documents().find(uri.get_ref<const std::string&>());
  // In another version the hint may stand elsewhere: what it says stays.
  if (document == nullptr || member(data, "version") != document->version) return hint;
  const auto byte = static_cast<u32>(std::min<u64>(at.get<u64>(), document->text.size()));
  const services::Analysis& analysis = question.workspace.analyse_names(*document);
  for (const InlayHint& one : services::list_inlay_hints(analysis, byte, byte)) {
    if (one.text != words) continue;
    if (const auto about = services::hover(analysis, one.about))
      hint["tooltip"] = prose_json({about->signature, about->text, about->module},
                                   question.client.has_markdown_hover);
    if (one.is_code) hint["textEdits"] = text_edits(*document, one, question.client.encoding);
    if (label.is_array())
      if (Json place = place_of_label(question, *document, analysis, one); !place.is_null())
        hint["label"][0]["location"] = std::move(place);
    break;
  }
  return hint;
}

}  // namespace komuz::lsp
