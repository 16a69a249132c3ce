// SPDX-License-Identifier: Apache-2.0
// Where types of values are defined, and where a text says that it uses a name.
#include <algorithm>

#include "lsp/answers/params.h"
#include "lsp/answers/shapes.h"
#include "services/definition.h"
#include "services/editor/type_definition.h"
#include "services/items.h"
#include "services/references.h"

namespace komuz::lsp {

Outcome answer_type_definition(const Question& question) {
  const Read<Spot> spot = read_spot(question);
  if (!spot) return *spot.refusal;
  const Document& document = *spot.value.document;
  Json places = Json::array();
  const u32 byte = spot.value.byte;
  for (const services::TextPlace& place :
       services::find_type_definitions(question.workspace.analyse_around(document, byte), byte))
    if (Json location = location_json(question, document, place); !location.is_null())
      places.push_back(std::move(location));
  return places.empty() ? Json() : places;
}

// A name of a module is declared by the `use` that brings it; any other one where it is defined.
Outcome answer_declaration(const Question& question) {
  const Read<Spot> spot = read_spot(question);
  if (!spot) return *spot.refusal;
  const Document& document = *spot.value.document;
  const services::Analysis& analysis = question.workspace.analyse_names(document);
  const auto definition = services::find_definition(analysis, spot.value.byte);
  if (!definition) return Json();
  if (definition->in == services::PlaceIn::Module) {
    const std::vector<services::Reference> uses =
        services::find_references(analysis, spot.value.byte);
    for (const services::TextItem& item : services::list_items(analysis.columns(), document.text)) {
      if (item.form != services::ItemForm::Use) continue;
      const auto listed = std::ranges::find_if(uses, [&](const services::Reference& use) {
        return use.place.begin >= item.head_begin && use.place.end <= item.end;
      });
      if (listed != uses.end()) return location_json(question, document, listed->place);
    }
  }
  return location_json(question, document, *definition);
}

}  // namespace komuz::lsp
