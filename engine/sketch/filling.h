// SPDX-License-Identifier: Apache-2.0
// Turns the contents of each hole of a variant into its plain text: a walk from part to part (fill_tables.h). Written
// over a Storage (base/rows.h), so that a device takes the same steps as the host's Fill (fill.h).
#pragma once
#include <type_traits>

#include "engine/sketch/fill_tables.h"
#include "engine/sketch/filled_argument.h"
#include "engine/sketch/point_texts.h"
#include "engine/sketch/variant_tables.h"
#include "engine/sketch/written_text.h"

namespace komuz::engine {

// A workspace. It stops allocating once it has been used for some variants.
template <class Storage>
class Filling {
 public:
  Filling() = default;
  // Limits on the lengths of its lists. `apart`: bytes of arguments that are in use at once.
  struct Room {
    u32 frames = 0, expansions = 0, arguments = 0, apart = 0, aliases = 0;
  };
  HD Filling(RowsMemory& memory, const Room& room)
      : frames_(memory.take<Frame>(room.frames)),
        expansions_(memory.take<Expansion>(room.expansions)),
        arguments_(memory.take<Argument>(room.arguments)),
        apart_(memory.take<char>(room.apart)),
        aliases_(memory.take<Alias>(room.aliases)) {}
  [[nodiscard]] static size_t bytes(const Room& room) {
    return RowsMemory::bytes<Frame>(room.frames) + RowsMemory::bytes<Expansion>(room.expansions) +
           RowsMemory::bytes<Argument>(room.arguments) + RowsMemory::bytes<char>(room.apart) +
           RowsMemory::bytes<Alias>(room.aliases);
  }

  // Replaces the content of `out` by the text of the variant. NoRoom: some list, or `out`, is too short. While
  // arguments are written, `out` holds them in addition to the text. `places` is told the origin of the text:
  // NoPlaces, or FilledPlaces (fill.h).
  template <class Out, class Places>
  [[nodiscard]] HD_CALL Walked write(const FillTables& tables, const DecodedRows<Storage>& variant,
                                     Out& out, Places& places) {
    tables_ = &tables;
    variant_ = &variant;
    fresh_names_ = 0;
    frames_.clear();
    expansions_.clear();
    arguments_.clear();
    apart_.clear();
    aliases_.clear();
    WrittenText<Out, Places> to(out, places);
    push(frames_, Frame{tables.program, 0, 0, Ends::Plain, {}}, to);
    while (to.fits && !frames_.empty()) {
      Frame& frame = frames_.back();
      const Part& part = tables.parts[frame.part++];
      switch (part.kind) {
        case FillTables::PartKind::Copied:
          to.note_place(part.text.begin, true);
          append(part.text, to);
          break;
        case FillTables::PartKind::Use:
          write_use(part, arguments_[frame.first_argument + part.what], to);
          break;
        case FillTables::PartKind::Hole: write_hole(part.what, frame, to); break;
        case FillTables::PartKind::End: leave(to); break;
      }
    }
    write_aliases(to);
    return to.fits ? Walked::Done : Walked::NoRoom;
  }

 private:
  using Part = FillTables::Part;
  using Enclosed = FillTables::Enclosed;
  using Argument = FilledArgument;
  template <class T>
  using List = typename Storage::template List<T>;

  enum class Ends : u8 { Plain, Argument, Expansion };
  // A stretch that is being written.
  struct Frame {
    u32 part = 0, instance = 0;
    u32 first_argument = 0;  // for the names of the surrounding space
    Ends ends = Ends::Plain;
    SketchSpan behind;  // text that it ends with
  };
  // A hole with an expression from a space.
  struct Expansion {
    u32 hole = 0, instance = 0, around_argument = 0;  // from the surrounding frame
    u32 around_begin = 0;                             // of the surrounding text
    u32 first_argument = 0;                           // its own
    u32 argument = 0;                                 // being written
    u32 arguments_at = 0;                             // beginning of the first one's text
    u32 apart = 0;                                    // bytes that precede its own
    bool is_in_brackets = false;                      // including its `let`
  };
  // A second constant with the value of one whose name is a variable where the space is used.
  struct Alias {
    u32 constant = 0, number = 0;
  };

  template <class Rows, class Row, class To>
  HD static void push(Rows& rows, const Row& row, To& to) {
    to.fits = to.fits && has_room(rows, 1);
    if (to.fits) rows.push_back(row);
  }
  template <class To>
  HD void append(SketchSpan text, To& to) {
    to.append(tables_->text.data() + text.begin, text.end - text.begin);
  }
  template <class To>
  HD void append_apart(SketchSpan text, To& to) {
    to.append(apart_.data() + text.begin, text.end - text.begin);
  }
  template <class To>
  HD void append_name(const FillTables::Name& name, u32 number, To& to) {
    append(name.text, to);
    to.append('_');
    to.append_number(number);
  }
  [[nodiscard]] HD const FillTables::Space& space_of(const Expansion& e) const {
    return tables_->spaces[tables_->holes[e.hole].space];
  }

  template <class To>
  HD void write_use(const Part& use, const Argument& argument, To& to) {
    to.note_place(use.text.begin, argument.stands == StandsFor::Itself);
    switch (argument.stands) {
      case StandsFor::Itself: return append(use.text, to);
      case StandsFor::Text: return append_apart(argument.text, to);
      case StandsFor::TextInBrackets:
        to.append('(');
        append_apart(argument.text, to);
        return to.append(')');
      case StandsFor::FreshName:
        return append_name(tables_->names[argument.name], argument.number, to);
    }
  }

  template <class To>
  HD void write_hole(u32 number, const Frame& frame, To& to) {
    const FillTables::Hole& hole = tables_->holes[number];
    const u32 decided = variant_->in(frame.instance, number);
    to.note_place(hole.place, false);
    switch (hole.form) {
      case HoleForm::Free: return;  // copied
      case HoleForm::Choice:
        return enter(hole.first_way + decided, frame.instance, frame.first_argument, Ends::Plain,
                     to);
      case HoleForm::Grid: return write_point(hole, number, decided, to);
      case HoleForm::Expansion: return expand(number, frame, to);
      case HoleForm::Nested:
        return enter(hole.first_way + variant_->instances[decided].alternative, decided,
                     frame.first_argument, Ends::Plain, to);
    }
  }

  template <class To>
  [[nodiscard]] HD static bool is_enclosed(Enclosed enclosed, To& to) {
    switch (enclosed) {
      case Enclosed::Never: return false;
      case Enclosed::Always: return true;
      case Enclosed::AfterSpace:
        if (to.touches_word()) to.append(' ');
        return true;
      case Enclosed::AtWords: return to.touches_word();
      case Enclosed::AtWordsAndLines: return to.touches_word() || to.starts_line();
    }
    return true;
  }
  template <class To>
  HD_CALL void enter(u32 number, u32 instance, u32 first_argument, Ends ends, To& to) {
    const FillTables::Way& way = tables_->ways[number];
    if (!is_enclosed(way.enclosed, to))
      return push(frames_, Frame{way.part, instance, first_argument, ends, {}}, to);
    append(way.before, to);
    push(frames_, Frame{way.enclosed_part, instance, first_argument, ends, way.behind}, to);
  }
  template <class To>
  HD void leave(To& to) {
    const Frame left = frames_.back();
    frames_.pop_back();
    if (left.behind.begin != left.behind.end) append(left.behind, to);
    switch (left.ends) {
      case Ends::Plain: return;
      case Ends::Argument: return end_argument(to);
      case Ends::Expansion: return end_expansion(to);
    }
  }

  template <class To>
  HD void write_point(const FillTables::Hole& hole, u32 number, u32 point, To& to) {
    const char* text = nullptr;
    u32 size = 0;
    if (hole.first_point != FillTables::kNone) {
      const u32* const begins = tables_->point_begins.data() + hole.first_point + point;
      text = tables_->text.data() + begins[0];
      size = begins[1] - begins[0];
    } else if constexpr (std::is_same_v<Storage, Growing>) {
      const std::string_view known = tables_->points_on_demand->of(number, point);
      text = known.data();
      size = static_cast<u32>(known.size());
    } else {
      to.fits = false;
      return;
    }
    const bool enclosed = is_enclosed(text[0] == '-' ? hole.negative_number : hole.number, to);
    if (enclosed) to.append('(');
    to.append(text, size);
    if (enclosed) to.append(')');
  }

  template <class To>
  HD_CALL void expand(u32 number, const Frame& frame, To& to) {
    const FillTables::Space& space = tables_->spaces[tables_->holes[number].space];
    const auto first = static_cast<u32>(arguments_.size());
    push(expansions_,
         Expansion{number, frame.instance, frame.first_argument, to.begin, first, 0, to.size()},
         to);
    to.fits = to.fits && make_long(arguments_, first + space.parameters + space.constants);
    if (to.fits) write_next_argument(to);
  }
  template <class To>
  HD void write_next_argument(To& to) {
    const Expansion& e = expansions_.back();
    if (e.argument == space_of(e).parameters) return bind_arguments(to);
    to.begin = to.size();
    to.places().open_argument(to.size());
    const u32 part = tables_->argument_parts[tables_->holes[e.hole].first_argument + e.argument];
    push(frames_, Frame{part, e.instance, e.around_argument, Ends::Argument, {}}, to);
  }
  template <class To>
  HD void end_argument(To& to) {
    Expansion& e = expansions_.back();
    arguments_[e.first_argument + e.argument++].text = {to.begin, to.size()};
    write_next_argument(to);
  }
  template <class To>
  HD void end_expansion(To& to) {
    const Expansion& e = expansions_.back();
    if (e.is_in_brackets) to.append(" })");
    arguments_.resize(e.first_argument);
    apart_.resize(e.apart);
    expansions_.pop_back();
  }

  // All arguments are written, so the expression itself can be.
  template <class To>
  HD_CALL void bind_arguments(To& to) {
    Expansion& e = expansions_.back();
    to.begin = e.around_begin;
    if (!take_apart(e, to)) return;
    const FillTables::Hole& hole = tables_->holes[e.hole];
    const FillTables::Space& space = tables_->spaces[hole.space];
    Argument* const arguments = arguments_.data() + e.first_argument;
    const u32 bound = choose_bound(*tables_, space, hole.first_argument,
                                   {apart_.data(), apart_.size()}, e.apart, arguments);
    // The `let` uses the parameters' own names, unless these could hide something where they are in scope: the text
    // of a slice, a variable, or an alternative inside of a block that binds one of them again.
    const bool are_renamed = space.has_binders || space.has_slices ||
                             hides_any(*tables_, space, apart_.data(), arguments);
    const FillTables::Name* const names = tables_->names.data() + space.first_name;
    for (u32 k = space.parameters; k < space.parameters + space.constants; ++k)
      rename(arguments[k], space.first_name + k, alias_of(space.first_name + k, to));
    for (u32 k = 0; k < space.parameters && are_renamed; ++k)
      if (arguments[k].is_bound) rename(arguments[k], space.first_name + k, fresh_number(names[k]));
    const bool is_in_block = hole.fills_block && e.instance == 0;
    if (bound != 0) write_let(space, arguments, bound, is_in_block, to);
    e.is_in_brackets = bound != 0 && !is_in_block;
    const u32 inside = variant_->in(e.instance, e.hole);
    const u32 way = hole.first_way + (bound != 0 ? hole.ways : 0);
    enter(way + variant_->instances[inside].alternative, inside, e.first_argument, Ends::Expansion,
          to);
  }
  // Takes the texts of the arguments, which stand at the end of `out`.
  template <class To>
  [[nodiscard]] HD bool take_apart(Expansion& e, To& to) {
    const u32 parameters = space_of(e).parameters;
    e.apart = static_cast<u32>(apart_.size());
    to.fits =
        to.fits && append_bytes(apart_, to.data() + e.arguments_at, to.size() - e.arguments_at);
    if (!to.fits) return false;
    for (u32 k = 0; k < parameters; ++k) {
      SketchSpan& text = arguments_[e.first_argument + k].text;
      text.begin = text.begin - e.arguments_at + e.apart;
      text.end = text.end - e.arguments_at + e.apart;
    }
    to.places().take_arguments(parameters);
    to.cut_off(e.arguments_at);
    return true;
  }

  template <class To>
  HD void write_let(const FillTables::Space& space, const Argument* arguments, u32 bound,
                    bool is_in_block, To& to) {
    const FillTables::Name* const names = tables_->names.data() + space.first_name;
    const bool is_tuple = bound > 1;
    const auto list = [&](const auto& write) {
      bool is_first = true;
      for (u32 k = 0; k < space.parameters; ++k) {
        if (!arguments[k].is_bound) continue;
        if (!is_first) to.append(", ");
        is_first = false;
        write(k);
      }
    };
    if (!is_in_block) to.append("({ ");
    to.append("let ");
    if (is_tuple) to.append('(');
    list([&](u32 k) { write_name(names[k], arguments[k], to); });
    if (is_tuple) to.append(')');
    to.append(": ");
    if (is_tuple) to.append('(');
    list([&](u32 k) { append(names[k].type, to); });
    if (is_tuple) to.append(')');
    to.append(" = ");
    if (is_tuple) to.append('(');
    list([&](u32 k) {
      to.places().append_argument(k, to.size());
      append_apart(arguments[k].text, to);
    });
    if (is_tuple) to.append(')');
    to.append("; ");
  }
  template <class To>
  HD void write_name(const FillTables::Name& name, const Argument& argument, To& to) {
    if (argument.stands == StandsFor::FreshName) return append_name(name, argument.number, to);
    append(name.text, to);
  }

  HD static void rename(Argument& argument, u32 name, u32 number) {
    argument.stands = StandsFor::FreshName;
    argument.name = name;
    argument.number = number;
  }
  // The number that turns a name into one that the sketch does not have.
  [[nodiscard]] HD u32 fresh_number(const FillTables::Name& name) {
    ++fresh_names_;
    for (u32 k = name.first_taken; k < name.behind_taken; ++k)
      if (tables_->taken[k] == fresh_names_) ++fresh_names_;
    return fresh_names_;
  }
  template <class To>
  [[nodiscard]] HD u32 alias_of(u32 constant, To& to) {
    const FillTables::Name& name = tables_->names[constant];
    for (size_t k = 0; k < aliases_.size(); ++k)
      if (tables_->names[aliases_[k].constant].text.begin == name.text.begin)
        return aliases_[k].number;
    const u32 number = fresh_number(name);
    push(aliases_, Alias{constant, number}, to);
    return number;
  }
  template <class To>
  HD void write_aliases(To& to) {
    for (size_t k = 0; k < aliases_.size(); ++k) {
      const FillTables::Name& name = tables_->names[aliases_[k].constant];
      to.append("\nconst ");
      append_name(name, aliases_[k].number, to);
      to.append(": ");
      append(name.type, to);
      to.append(" = ");
      append(name.text, to);
      to.append(';');
    }
    if (!aliases_.empty()) to.append('\n');
  }

  const FillTables* tables_ = nullptr;
  const DecodedRows<Storage>* variant_ = nullptr;
  List<Frame> frames_;
  List<Expansion> expansions_;
  List<Argument> arguments_;
  List<char> apart_;
  List<Alias> aliases_;
  u32 fresh_names_ = 0;  // of this variant
};

}  // namespace komuz::engine
