// SPDX-License-Identifier: Apache-2.0
// Where names are bound and used.
#include "lsp/answers/params.h"
#include "lsp/answers/project_names.h"
#include "lsp/answers/shapes.h"
#include "services/definition.h"
#include "services/editor/find_name.h"
#include "services/references.h"

namespace komuz::lsp {

Outcome answer_definition(const Question& question) {
  const Read<Spot> spot = read_spot(question);
  if (!spot) return *spot.refusal;
  const Document& document = *spot.value.document;
  const u32 byte = spot.value.byte;
  const auto place =
      services::find_definition(question.workspace.analyse_around(document, byte), byte);
  return place ? location_json(question, document, *place) : Json();
}

Outcome answer_references(const Question& question) {
  const Read<Spot> spot = read_spot(question);
  if (!spot) return *spot.refusal;
  const Document& document = *spot.value.document;
  const bool wants_definition =
      member(member(question.params, "context"), "includeDeclaration") != false;
  Json places = Json::array();
  const auto add = [&](const Document& text, const services::NameUse& use) {
    if (wants_definition || !use.defines)
      places.push_back(
          {{"uri", text.uri},
           {"range", range_json(text, {use.begin, use.end}, question.client.encoding)}});
  };
  const Library& library = question.workspace.modules_of(document).library();
  const auto found = services::find_name(document.text, library, spot.value.byte);
  if (!found) {
    // A name of the session has no other texts that could be looked at.
    for (const services::Reference& one :
         services::find_references(question.workspace.analyse_names(document), spot.value.byte))
      if (wants_definition || !one.defines)
        if (Json place = location_json(question, document, one.place); !place.is_null())
          places.push_back(std::move(place));
    return places;
  }
  const bool is_own = !found->shared || (found->shared->module.empty() &&
                                         (!found->is_shown || document.path.empty()) &&
                                         !fills_open(question, document, *found->shared));
  if (is_own) {
    for (const services::NameUse& use : found->uses) add(document, use);
    return places;
  }
  // Nobody looks for names in the standard library's own text.
  const bool is_given = found->shared->module.starts_with(engine::kStandardPrefix);
  if (is_given && wants_definition) {
    const auto definition =
        services::find_definition(question.workspace.analyse_names(document), spot.value.byte);
    if (definition)
      if (Json place = location_json(question, document, *definition); !place.is_null())
        places.push_back(std::move(place));
  }
  auto texts = texts_naming(question, document, *found->shared, {found->name});
  if (!texts) return cancelled();
  for (const NamingText& text : texts->list) {
    if (question.stop.stop_requested()) return cancelled();
    for (const services::NameUse& use : services::find_uses(text.kept, *text.analysis, text.names))
      add(*text.document, use);
  }
  return places;
}

Outcome answer_highlights(const Question& question) {
  // DocumentHighlightKind of the protocol.
  constexpr u32 kRead = 2, kWrite = 3;
  const Read<Spot> spot = read_spot(question);
  if (!spot) return *spot.refusal;
  const Document& document = *spot.value.document;
  Json places = Json::array();
  for (const services::Reference& reference :
       services::find_references(question.workspace.analyse_names(document), spot.value.byte))
    if (reference.place.in == services::PlaceIn::Text)
      places.push_back({{"range", range_json(document, {reference.place.begin, reference.place.end},
                                             question.client.encoding)},
                        {"kind", reference.defines || reference.assigns ? kWrite : kRead}});
  return places;
}

}  // namespace komuz::lsp
