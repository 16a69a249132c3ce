// SPDX-License-Identifier: Apache-2.0
// Where names are bound and used.
#include "lsp/answers/params.h"
#include "lsp/answers/shapes.h"
#include "services/definition.h"
#include "services/references.h"

namespace komuz::lsp {

Outcome answer_definition(const Question& question) {
  const Read<Spot> spot = read_spot(question);
  if (!spot) return *spot.refusal;
  const Document& document = *spot.value.document;
  const auto place =
      services::find_definition(question.workspace.analyse(document), spot.value.byte);
  return place ? location_json(question, document, *place) : Json();
}

Outcome answer_references(const Question& question) {
  const Read<Spot> spot = read_spot(question);
  if (!spot) return *spot.refusal;
  const Document& document = *spot.value.document;
  const bool wants_definition =
      member(member(question.params, "context"), "includeDeclaration") != false;
  services::Analysis& analysis = question.workspace.analyse(document);
  Json places = Json::array();
  // One that the text only uses is introduced elsewhere.
  const auto definition = services::find_definition(analysis, spot.value.byte);
  if (wants_definition && definition && definition->in == services::PlaceIn::Module)
    if (Json place = location_json(question, document, *definition); !place.is_null())
      places.push_back(std::move(place));
  for (const services::Reference& reference : services::find_references(analysis, spot.value.byte))
    if (wants_definition || !reference.defines)
      places.push_back(location_json(question, document, reference.place));
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
       services::find_references(question.workspace.analyse(document), spot.value.byte))
    places.push_back({{"range", range_json(document, {reference.place.begin, reference.place.end},
                                           question.client.encoding)},
                      {"kind", reference.defines ? kWrite : kRead}});
  return places;
}

}  // namespace komuz::lsp
