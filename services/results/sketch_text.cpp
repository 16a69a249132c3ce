// SPDX-License-Identifier: Apache-2.0
#include "services/results/sketch_text.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/counts.h"
#include "engine/sketch/wasted_names.h"
#include "engine/values/value_text.h"
#include "services/render.h"

namespace komuz::services {
namespace {

using Json = nlohmann::ordered_json;

class Describe {
 public:
  Describe(std::string_view source, const engine::VariantPlan& plan, PlaceText place_text = {})
      : source_(source), place_text_(std::move(place_text)), plan_(plan), sketch_(plan_.sketch()) {
    for (u32 at = 0; at < source_.size(); ++at)
      if (source_[at] == '\n') line_starts_.push_back(at + 1);
  }

  [[nodiscard]] std::string text() const {
    std::string out = file_line();
    std::vector<std::array<std::string, 5>> rows;
    for (const u32 decision : plan_.program().decisions) add_rows(decision, 0, rows);
    std::array<size_t, 5> widths{};
    for (const auto& row : rows)
      for (size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
    for (const auto& row : rows) {
      std::string line = " ";
      for (size_t k = 0; k < row.size(); ++k) {
        line += ' ' + row[k];
        line.append(widths[k] - row[k].size() + 1, ' ');
      }
      out += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    }
    for (const Space& space : sketch_.spaces) out += space_lines(space);
    for (const Hole& hole : sketch_.holes)
      if (hole.form == HoleForm::Free) out += free_lines(hole);
    for (const engine::WastedName& name : wasted_)
      out += "note: " + wasted_message(name) + "; " + wasted_remedy(name) + "\n";
    if (!wasted_.empty())
      out += "note: decided only where they stand, they leave " +
             engine::count_text(engine::count_without(wasted_, sketch_)) + " variants of " +
             engine::count_text(plan_.count()) + "\n";
    return out;
  }

  [[nodiscard]] Json json() const {
    Json object;
    object["variants"] = count_json(plan_.count());
    object["log2_variants"] = plan_.count().log2;
    object["decisions"] = Json::array();
    for (const u32 decision : plan_.program().decisions)
      object["decisions"].push_back(decision_json(decision, true));
    object["spaces"] = Json::array();
    for (u32 s = 0; s < sketch_.spaces.size(); ++s) object["spaces"].push_back(space_json(s));
    object["free_holes"] = Json::array();
    for (const Hole& hole : sketch_.holes)
      if (hole.form == HoleForm::Free) object["free_holes"].push_back(free_json(hole));
    object["wasted_names"] = Json::array();
    for (const engine::WastedName& name : wasted_)
      object["wasted_names"].push_back({{"name", sketch_.holes[name.holes[0]].name},
                                        {"places", places_json(name.holes)},
                                        {"message", wasted_message(name)},
                                        {"remedy", wasted_remedy(name)}});
    object["variants_without_wasted_names"] =
        count_json(wasted_.empty() ? plan_.count() : engine::count_without(wasted_, sketch_));
    return object;
  }

 private:
  // One line, with single blanks.
  [[nodiscard]] std::string shown(SketchSpan span) const {
    std::string out;
    for (const char c : source_.substr(span.begin, span.end - span.begin)) {
      const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
      if (!blank)
        out += c;
      else if (!out.ends_with(' '))
        out += ' ';
    }
    return out;
  }
  // A sketch may have very many holes, so the text before a hole's line is not read again for each.
  [[nodiscard]] Place place_at(u32 at) const {
    const auto next = std::ranges::upper_bound(line_starts_, at);
    const u32 line_start = *(next - 1);
    Place place = place_of(source_.substr(line_start), at - line_start);
    place.line += static_cast<u32>(next - line_starts_.begin()) - 1;
    return place;
  }
  [[nodiscard]] std::string place(u32 at) const {
    if (place_text_) return place_text_(at);
    const Place p = place_at(at);
    return std::to_string(p.line) + ":" + std::to_string(p.column);
  }
  [[nodiscard]] std::string places(const std::vector<u32>& holes) const {
    std::string out;
    for (const u32 h : holes) out += (out.empty() ? "" : ", ") + place(sketch_.holes[h].span.begin);
    return out;
  }
  [[nodiscard]] std::string file_line() const {
    size_t free = 0;
    for (const Hole& hole : sketch_.holes) free += hole.form == HoleForm::Free;
    std::string line =
        engine::count_text(plan_.count()) +
        (plan_.count().is_exact && plan_.count().exact == 1 ? " variant" : " variants") + " of " +
        counted(plan_.program().decisions.size(), "decision");
    if (free != 0) line += ", and " + counted(free, "free hole");
    return line + "\n";
  }
  [[nodiscard]] static std::string_view form_word(const Hole& hole) {
    if (hole.grid.is_real) return "real";
    switch (hole.form) {
      case HoleForm::Choice: return "choice";
      case HoleForm::Grid: return "grid";
      case HoleForm::Expansion:
      case HoleForm::Nested: return "space";
      case HoleForm::Free: break;
    }
    return "free";
  }
  [[nodiscard]] std::string name_of(const engine::Decision& decision) const {
    const Hole& hole = sketch_.holes[decision.holes[0]];
    if (decision.space != kNoSpace)
      return (hole.form == HoleForm::Nested ? "" : "?") + sketch_.spaces[decision.space].name;
    return "?" + hole.name;
  }
  [[nodiscard]] std::string grid_text(const Hole& hole) const {
    const Grid& grid = hole.grid;
    if (grid.is_real) return "any number";
    // Bytes are shown as they are written: `'a'..='z'`.
    const std::string written = shown(hole.span);
    if (const size_t quote = written.find('\''); quote != std::string::npos)
      return written.substr(quote, written.rfind(')') - quote);
    std::string out;
    engine::print_scalar(out, grid.type, grid.low, engine::ValueStyle::Source);
    out += grid.is_inclusive ? "..=" : "..";
    engine::print_scalar(out, grid.type, grid.high, engine::ValueStyle::Source);
    return grid.is_logarithmic ? out + ", logarithmic" : out;
  }
  [[nodiscard]] std::string what_of(const engine::Decision& decision) const {
    const Hole& hole = sketch_.holes[decision.holes[0]];
    switch (hole.form) {
      case HoleForm::Grid: return grid_text(hole);
      case HoleForm::Choice: {
        std::string out;
        for (const Alternative& a : hole.alternatives)
          out += (out.empty() ? "" : " | ") + shown(a.span);
        return out;
      }
      default: return "depth " + std::to_string(sketch_.spaces[decision.space].depth);
    }
  }
  void add_rows(u32 number, u32 indent, std::vector<std::array<std::string, 5>>& rows) const {
    const engine::Decision& decision = plan_.decision(number);
    const Hole& hole = sketch_.holes[decision.holes[0]];
    rows.push_back({std::string(indent, ' ') + name_of(decision), std::string(form_word(hole)),
                    engine::count_text(plan_.count_of(number)), hole.type,
                    what_of(decision) + "  at " + places(decision.holes)});
    for (const u32 product : decision.alternatives)
      for (const u32 inside : plan_.product(product).decisions) add_rows(inside, indent + 2, rows);
  }
  [[nodiscard]] std::string space_lines(const Space& space) const {
    std::string out =
        "space " + space.name + ": " + space.type + ", depth " + std::to_string(space.depth) + "\n";
    for (const Alternative& a : space.alternatives) out += "  " + shown(a.span) + "\n";
    return out;
  }
  [[nodiscard]] std::string free_lines(const Hole& hole) const {
    std::string out = "free hole ?" + hole.name + ": " + hole.type + " at " +
                      place(hole.span.begin) + ", which may use\n";
    for (const ScopeName& name : hole.scope) out += "  " + name.name + ": " + name.type + "\n";
    return out;
  }

  [[nodiscard]] std::string wasted_message(const engine::WastedName& wasted) const {
    const Hole& choice = sketch_.holes[wasted.choice];
    return "`?" + sketch_.holes[wasted.holes[0]].name + "` at " + places(wasted.holes) +
           " stands in one alternative of " +
           (choice.name.empty() ? "the choice at " + place(choice.span.begin)
                                : "`?" + choice.name + "`") +
           " alone, and with a name is decided where another one is taken, too";
  }
  [[nodiscard]] std::string wasted_remedy(const engine::WastedName& wasted) const {
    const Hole& hole = sketch_.holes[wasted.holes[0]];
    const std::string nameless = hole.form == HoleForm::Choice ? "?[…]" : "?(…)";
    return wasted.holes.size() == 1 ? "write it without its name, `" + nameless + "`"
                                    : "bind it once in that alternative, `{ let " + hole.name +
                                          " = " + nameless + "; … }`";
  }

  [[nodiscard]] static Json count_json(const engine::VariantCount& count) {
    return count.is_exact ? Json(count.exact) : Json(nullptr);
  }
  [[nodiscard]] Json places_json(const std::vector<u32>& holes) const {
    Json places = Json::array();
    for (const u32 h : holes) {
      const SketchSpan span = sketch_.holes[h].span;
      const Place begin = place_at(span.begin), end = place_at(span.end);
      places.push_back({{"line", begin.line},
                        {"column", begin.column},
                        {"end_line", end.line},
                        {"end_column", end.column}});
    }
    return places;
  }
  [[nodiscard]] Json decision_json(u32 number, bool is_counted) const {
    const engine::Decision& decision = plan_.decision(number);
    const Hole& hole = sketch_.holes[decision.holes[0]];
    Json object;
    object["form"] = form_word(hole);
    object["name"] = hole.name.empty() ? Json(nullptr) : Json(hole.name);
    object["type"] = hole.type;
    if (is_counted) {
      object["variants"] = count_json(plan_.count_of(number));
      object["log2_variants"] = plan_.count_of(number).log2;
    }
    object["places"] = places_json(decision.holes);
    if (hole.form == HoleForm::Choice) {
      object["alternatives"] = Json::array();
      for (size_t k = 0; k < hole.alternatives.size(); ++k) {
        Json alternative{{"text", shown(hole.alternatives[k].span)}};
        alternative["decisions"] = Json::array();
        for (const u32 inside : plan_.product(decision.alternatives[k]).decisions)
          alternative["decisions"].push_back(decision_json(inside, is_counted));
        object["alternatives"].push_back(std::move(alternative));
      }
    } else if (hole.grid.is_real) {
      return object;
    } else if (hole.form == HoleForm::Grid) {
      object["points"] = hole.grid.points;
      for (const auto& [key, cell] :
           {std::pair("low", hole.grid.low), std::pair("high", hole.grid.high)}) {
        std::string text;
        engine::print_scalar(text, hole.grid.type, cell, engine::ValueStyle::Json);
        object[key] = Json::parse(text);
      }
      object["inclusive"] = hole.grid.is_inclusive;
      object["logarithmic"] = hole.grid.is_logarithmic;
    } else {
      object["space"] = sketch_.spaces[decision.space].name;
    }
    return object;
  }
  [[nodiscard]] Json space_json(u32 number) const {
    const Space& space = sketch_.spaces[number];
    Json object{{"name", space.name}, {"type", space.type}, {"depth", space.depth}};
    object["parameters"] = Json::array();
    for (const SpaceParameter& parameter : space.parameters)
      object["parameters"].push_back({{"name", parameter.name}, {"type", parameter.type}});
    object["variants"] = Json::array();
    for (u32 depth = 0; depth <= space.depth; ++depth)
      object["variants"].push_back(count_json(plan_.count_of_space(number, depth)));
    object["alternatives"] = Json::array();
    for (const Alternative& a : space.alternatives) object["alternatives"].push_back(shown(a.span));
    return object;
  }
  [[nodiscard]] Json free_json(const Hole& hole) const {
    const Place begin = place_at(hole.span.begin);
    Json object{{"name", hole.name.empty() ? Json(nullptr) : Json(hole.name)},
                {"type", hole.type},
                {"line", begin.line},
                {"column", begin.column}};
    object["scope"] = Json::array();
    for (const ScopeName& name : hole.scope)
      object["scope"].push_back({{"name", name.name}, {"type", name.type}});
    return object;
  }

  std::string_view source_;
  PlaceText place_text_;
  std::vector<u32> line_starts_ = {0};
  const engine::VariantPlan& plan_;
  const Sketch& sketch_;
  const std::vector<engine::WastedName> wasted_ = engine::find_wasted_names(source_, plan_);
};

}  // namespace

std::string sketch_text(std::string_view source, const engine::VariantPlan& plan,
                        const PlaceText& place) {
  return Describe(source, plan, place).text();
}
nlohmann::ordered_json sketch_json(std::string_view source, const engine::VariantPlan& plan) {
  return Describe(source, plan).json();
}

}  // namespace komuz::services
