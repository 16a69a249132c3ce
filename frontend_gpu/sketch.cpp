// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/sketch.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "frontend_gpu/code/emit_place.h"
#include "frontend_gpu/findings/collect.h"
#include "frontend_gpu/named_types.h"
#include "frontend_gpu/names/hole_groups.h"
#include "frontend_gpu/names/names.h"
#include "frontend_gpu/questions/signatures.h"

namespace komuz::frontend {

namespace {

// How many of the names in scope are listed for a free hole: the ones bound last.
constexpr size_t kMostScopeNames = 256;

// True if a node holds together without parentheses.
bool is_closed(Node kind) {
  switch (kind) {
    case Node::Name:
    case Node::String:
    case Node::Char:
    case Node::True:
    case Node::False:
    case Node::Hole:
    case Node::Paren:
    case Node::Bracket:
    case Node::Call:
    case Node::Dot:
    case Node::Index: return true;
    default: return false;
  }
}

bool is_number(Node kind) { return kind == Node::Int || kind == Node::Float; }
// True for the levels of operators on values.
bool is_value_level(u8 level) {
  return level >= node_row(Node::OrElse).level && level <= node_row(Node::Pow).level;
}

class Describe {
 public:
  explicit Describe(const Columns& c) : c_(c) {}

  Sketch all() {
    for (Index item = 0; item < c_.items; ++item)
      if (is_own(item) && is_space(c_, item)) space_of_item_.emplace(item, space_of_item_.size());
    find_converted_spaces();
    for (const auto& [item, number] : space_of_item_) sketch_.spaces.push_back(space(item));
    for (Index i = 0; i < c_.nodes; ++i)
      if (is_own(c_.item[i])) look_at(i);
    std::ranges::stable_sort(sketch_.holes, {}, [](const Hole& hole) { return hole.span.begin; });
    return std::move(sketch_);
  }

 private:
  // False for items of modules that the program uses.
  [[nodiscard]] bool is_own(Index item) const {
    return c_.modules == 0 || c_.item_module[item] == 0;
  }
  [[nodiscard]] std::string_view text_of(SketchSpan span) const {
    return {reinterpret_cast<const char*>(c_.source) + span.begin, span.end - span.begin};
  }
  [[nodiscard]] SketchSpan span_of(Index i) const {
    const Span span = subtree_span(c_, i);
    return {span.begin, span.end};
  }
  [[nodiscard]] std::string name_of(Index node) const { return name_text(c_, node); }
  [[nodiscard]] std::string type_of(TypeId type) const { return written_type(c_, type); }
  [[nodiscard]] u32 space_of(Index item) const {
    const auto found = space_of_item_.find(item);
    return found == space_of_item_.end() ? kNoSpace : static_cast<u32>(found->second);
  }

  void look_at(Index i) {
    if (node_context(c_, i) == Context::Skipped) return;
    if (c_.role[i] == Role::Choice) return choice(i);
    if (c_.role[i] == Role::Grid) return grid(i);
    if (c_.role[i] == Role::Expansion) return nested(i);
    if (node_kind(c_, i) == Node::Hole && c_.role[i] == role_of(Node::Hole)) return free(i);
    const bool calls = node_kind(c_, i) == Node::Call && c_.left[i] != kNone &&
                       node_kind(c_, c_.left[i]) == Node::Hole;
    if (calls) expansion(i);
  }
  Hole& add(HoleForm form, Index i, TypeId type) {
    Hole& hole = sketch_.holes.emplace_back();
    hole.form = form;
    hole.span = span_of(i);
    hole.type = type_of(type);
    hole.least_level = least_level(i);
    hole.is_statement = c_.want[i] == kTypeStatement;
    hole.within = space_of(c_.item[i]);
    return hole;
  }
  // The level that the parent asks for; kNeverOpen if the parent is no operator, because the surroundings of an
  // alternative are not known.
  [[nodiscard]] u8 least_level(Index i) const {
    const Index above = parent_of(c_, i);
    if (above == kNone) return kNeverOpen;
    const NodeRow& row = node_row(node_kind(c_, above));
    if (!is_value_level(row.level)) return kNeverOpen;
    const bool is_right = i > above || c_.right[above] == i;
    const bool groups = row.side == (is_right ? Side::Right : Side::Left);
    return static_cast<u8>(row.level + (groups ? 0 : 1));
  }
  // The level of an expression that consists of operators and operands alone; 0 for others, which could run into
  // what follows unless they stand in brackets.
  [[nodiscard]] u8 level_of(Index e) const {
    const Node root = node_kind(c_, e);
    // A literal is an operand of any operator on values.
    if (is_number(root)) return node_row(Node::Dot).level;
    const u8 level = node_row(root).level;
    if (!is_value_level(level)) return 0;
    std::vector<Index> open = {e};
    while (!open.empty()) {
      const Index i = open.back();
      open.pop_back();
      if (i == kNone) continue;
      const Node kind = node_kind(c_, i);
      if (is_closed(kind) || is_number(kind)) continue;
      if (!is_value_level(node_row(kind).level)) return 0;
      open.push_back(c_.left[i]);
      open.push_back(c_.right[i]);
    }
    return level;
  }
  void choice(Index i) {
    Hole& hole = add(HoleForm::Choice, i, c_.type[i]);
    hole.name = name_of(c_.left[i]);
    const TypeId type = c_.type[i];
    hole.is_copied = has_elements(c_, type) || (is_tuple(type) && spell(c_, type).has_containers &&
                                                type_cells(c_, settled(type)) >= kCellsATick);
    hole.alternatives = alternatives(c_.right[i], hole.type, true);
  }
  void grid(Index i) {
    Hole& hole = add(HoleForm::Grid, i, c_.type[i]);
    hole.name = name_of(c_.left[i]);
    const frontend::Grid written = grid_of(c_, i);
    komuz::Grid& grid = hole.grid;
    grid.type = as_scalar(c_.type[i]);
    grid.is_real = written.real != kNone;
    if (grid.is_real) {
      grid.points = kRealPoints;
      return;
    }
    grid.low = grid_end_value(c_, c_.left[written.range], grid.type).cell;
    grid.high = grid_end_value(c_, c_.right[written.range], grid.type).cell;
    grid.is_inclusive = node_kind(c_, written.range) == Node::RangeInclusive;
    grid.is_logarithmic = written.log != kNone && node_kind(c_, written.log) == Node::True;
    if (written.steps == kNone)
      grid.points = grid.high - grid.low + (grid.is_inclusive ? 1 : 0);
    else
      grid.points = integer_literal(node_text(c_, written.steps), node_length(c_, written.steps),
                                    Scalar::U32, false)
                        .cell;
  }
  void expansion(Index call) {
    Hole& hole = add(HoleForm::Expansion, call, c_.type[call]);
    hole.expands = space_of(c_.item[c_.bind_node[c_.ref[c_.left[call]]]]);
    if (hole.expands == kNoSpace) hole.name = name_of(c_.left[call]);
    ElementsBackwards arguments(c_, c_.right[call]);
    for (Index e = arguments.next(); e != kNone; e = arguments.next()) {
      hole.arguments.push_back(span_of(e));
      const bool is_name = node_kind(c_, e) == Node::Name && c_.ref[e] < c_.binds;
      hole.are_locals.push_back(is_name && is_local(c_.bind_kind[c_.ref[e]]) ? 1 : 0);
    }
    std::ranges::reverse(hole.arguments);
    std::ranges::reverse(hole.are_locals);
  }
  void nested(Index i) {
    Hole& hole = add(HoleForm::Nested, i, c_.type[i]);
    hole.expands = hole.within;
  }
  void free(Index i) {
    Hole& hole = add(HoleForm::Free, i, c_.want[i]);
    hole.name = name_of(i);
    hole.scope = scope(i);
  }

  // A conversion takes a value of any type, but gives literals its own type: `u8(1 + 2)` adds numbers of type u8.
  // An alternative with such literals takes their type from its surroundings in the sketch, but not in the plain
  // program.
  [[nodiscard]] bool is_converted(Index i) const {
    for (Index above = parent_of(c_, i); above != kNone; above = parent_of(c_, above)) {
      if (node_kind(c_, above) != Node::Call || node_context(c_, above) == Context::FnCall)
        continue;
      if (is_hole(c_.role[above])) continue;
      const Index ref = c_.ref[call_name(c_, above)];
      if (is_builtin_function(ref) && builtin_row(ref).shape == BuiltinShape::Convert) return true;
    }
    const u32 space = space_of(c_.item[i]);
    return space != kNoSpace && !is_space_converted_.empty() && is_space_converted_[space];
  }
  // Finds the spaces that are expanded in a conversion, directly or inside of another such space.
  void find_converted_spaces() {
    std::vector<bool> found(space_of_item_.size());
    for (bool changes = true; changes;) {
      changes = false;
      is_space_converted_ = found;
      for (Index i = 0; i < c_.nodes; ++i) {
        const bool nests = c_.role[i] == Role::Expansion;
        const bool expands = node_kind(c_, i) == Node::Call && c_.left[i] != kNone &&
                             c_.role[i] == role_of(Node::Call) &&
                             node_kind(c_, c_.left[i]) == Node::Hole;
        if (!is_own(c_.item[i]) || (!nests && !expands)) continue;
        const u32 space = space_of(nests ? c_.item[i] : c_.item[c_.bind_node[c_.ref[c_.left[i]]]]);
        if (space == kNoSpace || found[space] || !is_converted(i)) continue;
        found[space] = changes = true;
      }
    }
  }
  // True if the type has literals that take the type of their surroundings.
  [[nodiscard]] static bool is_open(TypeId type) {
    return is_literal(type) || (is_tuple(type) && (type & kTypeSettled) == 0);
  }
  // True if an expression is a tuple, an array or the like whose parts take the types of their surroundings. Which
  // types they have taken is not known any more.
  [[nodiscard]] bool holds_literals(Index e) const {
    if (!is_tuple(c_.given[e]) || !is_open(c_.given[e])) return false;
    for (Index i = c_.begin[e]; i < c_.end[e]; ++i) {
      const Node kind = node_kind(c_, i);
      const bool is_literal_node =
          kind == Node::Int || kind == Node::Float || kind == Node::String || kind == Node::Bracket;
      if (is_literal_node || (kind == Node::Name && is_collection(c_.ref[i]))) return true;
    }
    return false;
  }
  // The alternatives of a hole. A choice (`joins`) has the type on which its alternatives agree; a space has the
  // type of its result.
  [[nodiscard]] std::vector<Alternative> alternatives(Index list, const std::string& type,
                                                      bool joins) const {
    std::vector<Alternative> found;
    const TypeId all = joins ? TypeId{c_.given[c_.right[list]]} : kTypeError;
    const std::string joined = joins ? type_of(settled(all)) : type;
    const bool converted = is_converted(list);
    ElementsBackwards elements(c_, list);
    for (Index e = elements.next(); e != kNone; e = elements.next()) {
      const TypeId given = c_.given[e];
      const std::string own = type_of(settled(given));
      const bool differs = own != joined && own != type;
      const bool is_taken = converted && is_open(given) && (!joins || !is_literal(all));
      // An alternative that leaves, such as `return`, has the type of the others.
      const bool leaves = given == kTypeNever && all != kTypeNever;
      const bool is_integer_as_float = given == kTypeIntLiteral && (type == "f64" || type == "f32");
      // As an exponent, an integer literal means something else than the float that the hole has.
      const bool is_point =
          is_integer_as_float && node_kind(c_, inside_parentheses(c_, e)) == Node::Int;
      const bool needs_type =
          leaves || (given != kTypeNever && (differs || is_taken || is_point || holds_literals(e)));
      found.push_back({span_of(e), is_closed(node_kind(c_, e)), level_of(e), leaves,
                       needs_type ? type : std::string(), is_integer_as_float});
    }
    std::ranges::reverse(found);
    return found;
  }
  [[nodiscard]] Space space(Index item) {
    Space space;
    const Index body = c_.item_body[item], block = c_.right[body];
    space.span = span_of(body);
    space.name = name_of(c_.item_name[item]);
    const TypeId result = result_type(c_, item);
    space.type = type_of(result);
    space.depth = depth_of(item);
    ElementsBackwards parameters(c_, parameters_of(c_, item));
    for (Index e = parameters.next(); e != kNone; e = parameters.next())
      space.parameters.push_back({name_of(c_.left[e]),
                                  std::string(text_of(span_of(c_.right[e]))),
                                  is_slice(c_, parameter_type(c_, e)),
                                  {}});
    std::ranges::reverse(space.parameters);
    for (Index i = block; i < c_.end[block]; ++i) note_use(i, space);
    space.alternatives = alternatives(block, space.type, false);
    for (u32 b = 0; b < c_.binds; ++b)
      space.has_binders |= c_.item[c_.bind_node[b]] == item && is_local(c_.bind_kind[b]) &&
                           c_.bind_kind[b] != BindKind::Parameter;
    return space;
  }
  void note_use(Index i, Space& space) {
    if (node_kind(c_, i) != Node::Name || !is_use(name_role(node_context(c_, i)))) return;
    const Index ref = c_.ref[i];
    if (ref >= c_.binds) return;
    const std::string name = name_of(i);
    const bool is_constant = c_.bind_kind[ref] == BindKind::Constant;
    if (!is_constant && c_.bind_kind[ref] != BindKind::Parameter) return;
    std::vector<SpaceParameter>& named = is_constant ? space.constants : space.parameters;
    auto own = std::ranges::find(named, name, &SpaceParameter::name);
    if (own == named.end()) {
      if (!is_constant || !is_variable_name(name)) return;
      own = named.insert(named.end(), {name, type_of(c_.bind_type[ref]), false, {}});
    }
    own->uses.push_back(span_of(i));
  }
  // True if a variable of the program's own text has this name.
  [[nodiscard]] bool is_variable_name(const std::string& name) {
    if (!has_variable_names_)
      for (u32 b = 0; b < c_.binds; ++b) {
        const Index node = c_.bind_node[b];
        if (is_local(c_.bind_kind[b]) && !is_hidden(c_.bind_kind[b]) && is_own(c_.item[node]))
          variable_names_.insert(name_of(node));
      }
    has_variable_names_ = true;
    return variable_names_.contains(name);
  }
  [[nodiscard]] u32 depth_of(Index item) const {
    for (Index i = c_.item_name[item]; i < c_.item_body[item]; ++i)
      if (node_kind(c_, i) == Node::Depth)
        return static_cast<u32>(
            std::stoul(std::string(text_of(span_of(c_.right[i])))));  // check_shape has read it
    return 0;
  }

  [[nodiscard]] std::vector<ScopeName> scope(Index i) const {
    std::vector<ScopeName> names;
    std::unordered_set<std::string> known;
    for (u32 b = c_.binds; b-- > 0 && names.size() < kMostScopeNames;) {
      count_work(c_, 1);
      const Index node = c_.bind_node[b];
      if (!is_own(c_.item[node]) || is_hidden(c_.bind_kind[b]) || is_blank(c_, node)) continue;
      if (is_local(c_.bind_kind[b]) &&
          (c_.item[node] != c_.item[i] || c_.bind_from[b] > i || i >= c_.bind_until[b]))
        continue;
      const std::string type = scope_type(b);
      std::string name = name_of(node);
      if (!type.empty() && known.insert(name).second) names.push_back({std::move(name), type});
    }
    std::ranges::reverse(names);
    return names;
  }
  // The type as it is written; for a function, `fn(i64) -> bool`. Empty: the binding is neither a value nor a
  // function.
  [[nodiscard]] std::string scope_type(u32 b) const {
    const Index node = c_.bind_node[b], item = c_.item[node];
    switch (c_.bind_kind[b]) {
      case BindKind::Function: {
        if (is_space(c_, item) || !has_signature(c_, item)) return {};
        std::string text;
        ElementsBackwards parameters(c_, parameters_of(c_, item));
        for (Index e = parameters.next(); e != kNone; e = parameters.next())
          text = type_of(parameter_type(c_, e)) + (text.empty() ? "" : ", ") + text;
        return "fn(" + text + ") -> " + type_of(result_type(c_, item));
      }
      case BindKind::Constant:
      case BindKind::Parameter:
      case BindKind::Let:
      case BindKind::Var:
      case BindKind::For:
      case BindKind::Pattern:
      case BindKind::Lambda: return type_of(c_.bind_type[b]);
      default: return {};
    }
  }

  const Columns& c_;
  std::map<Index, size_t> space_of_item_;
  std::vector<bool> is_space_converted_;
  std::unordered_set<std::string> variable_names_;  // filled by the first question
  bool has_variable_names_ = false;
  Sketch sketch_;
};

}  // namespace

Sketch describe_sketch(const Columns& c) {
  if (c.tokens == 0 || c.nodes == 0 || c.flags[kHoles] == 0) return {};
  return Describe(c).all();
}

}  // namespace komuz::frontend
