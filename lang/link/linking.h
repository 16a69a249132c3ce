// SPDX-License-Identifier: Apache-2.0
// The algorithm of linking (link.h), written over a Storage (base/rows.h): Linker is the host's; a device has one for
// each of its threads. Code comes from *units*. Unit 0 is the program; unit k + 1 is number k of the modules that it
// may be linked with (list_files). Places use the same numbers for files.
#pragma once
#include <span>
#include <string>

#include "base/rows.h"
#include "lang/code.h"
#include "lang/library.h"
#include "lang/source_places.h"
#include "lang/type_walk.h"

namespace komuz {

// True if there is something to link. Functions without bodies are behind all others.
[[nodiscard]] HD bool is_open(const CodeView& code) {
  return !code.functions.empty() && code.functions.back().kind == FunctionKind::Open;
}

// Code as its front end made it. `heads`: as in a Module.
struct LinkUnit {
  CodeView code;
  std::span<const u32> heads;
};

// The destination of linked code, in lists of limited length; on the host it is a Code.
struct LinkedRows {
  Rows<Instruction> instructions;
  Rows<u32> places;
  Rows<u64> constants;
  Rows<Function> functions;
  Rows<u8> types, slot_types;
  Rows<char> names;
  Rows<NameRange> parameter_names;

  HD void clear() {
    instructions.clear(), places.clear(), constants.clear(), functions.clear();
    types.clear(), slot_types.clear(), names.clear(), parameter_names.clear();
  }
  [[nodiscard]] HD CodeView view() const {
    return {{instructions.data(), instructions.size()},
            {places.data(), places.size()},
            {constants.data(), constants.size()},
            {functions.data(), functions.size()},
            {types.data(), types.size()},
            {slot_types.data(), slot_types.size()},
            {parameter_names.data(), parameter_names.size()},
            {names.data(), names.size()}};
  }
};

// Appends `more` to a list. False: it has no room.
template <class T>
[[nodiscard]] HD bool append_rows(Rows<T>& list, std::span<const T> more) {
  if (!has_room(list, more.size())) return false;
  for (size_t k = 0; k < more.size(); ++k) list.push_back(more[k]);
  return true;
}
template <class T>
[[nodiscard]] bool append_rows(std::vector<T>& list, std::span<const T> more) {
  list.insert(list.end(), more.begin(), more.end());
  return true;
}
[[nodiscard]] inline bool append_rows(std::string& text, std::span<const char> more) {
  text.append(more.data(), more.size());
  return true;
}

enum class Linked : u8 {
  Done,
  Missing,  // some function has no definition
  NoRoom,   // some list is too short
};

// A workspace for one thread. Reused, it stops allocating.
template <class Storage>
class Linking {
 public:
  static constexpr u32 kNone = ~0u;

  // Limits on the lengths of its lists: functions of linked code, units, and functions and constants of all units.
  struct Room {
    u32 linked = 0, units = 0, functions = 0, constants = 0;
  };
  Linking() = default;
  HD Linking(RowsMemory& memory, const Room& room)
      : order_(memory.take<Definition>(room.linked)),
        units_(memory.take<UnitRows>(room.units)),
        numbers_(memory.take<u32>(room.functions)),
        constants_(memory.take<u32>(room.constants)) {}
  [[nodiscard]] static size_t bytes(const Room& room) {
    return RowsMemory::bytes<Definition>(room.linked) + RowsMemory::bytes<UnitRows>(room.units) +
           RowsMemory::bytes<u32>(room.functions) + RowsMemory::bytes<u32>(room.constants);
  }

  // `modules`: those of a library, as in LibraryRows (library_rows.h). The entries of the program keep their numbers.
  template <class Modules, class Out>
  [[nodiscard]] HD_CALL Linked link(const LinkUnit& program, const Modules& modules, Out& out) {
    if (!begin(modules.files(), kNoModule)) return Linked::NoRoom;
    for (u32 f = 0; f < program.code.functions.size(); ++f)
      if (program.code.functions[f].kind != FunctionKind::Open &&
          number_of(program.code, {0, f}) == kNone)
        return Linked::NoRoom;
    return finish(program, modules, out);
  }
  // Links the functions that function `entry` of the harness reaches. The program defines the functions that the
  // harness leaves open. The entry becomes function 0.
  template <class Modules, class Out>
  [[nodiscard]] HD_CALL Linked link_harness(u32 harness, u32 entry, const LinkUnit& program,
                                            const Modules& modules, Out& out) {
    const bool has_begun = begin(modules.files(), harness) && unit_of(harness) == kHarnessUnit &&
                           number_of(modules[harness].code, {kHarnessUnit, entry}) != kNone;
    return has_begun ? finish(program, modules, out) : Linked::NoRoom;
  }

  // The number of a function of the program in linked code; kNone if it is not reached.
  [[nodiscard]] HD u32 number_of(u32 function) const {
    const u32 first = units_[0].first_number;
    return first == kNone ? kNone : numbers_[first + function];
  }
  // For Missing code: the module that calls an undefined function. kNoModule: the program.
  [[nodiscard]] HD u32 missing_module() const { return units_[missing_.unit].module; }
  [[nodiscard]] HD u32 missing_function() const { return missing_.function; }

 private:
  static constexpr u32 kHarnessUnit = 1;  // if there is a harness
  struct Definition {
    u32 unit = 0, function = 0;
  };
  // The beginning of a unit's rows; kNone until the unit is visited.
  struct UnitRows {
    u32 module = kNoModule;
    u32 first_number = kNone;    // its functions, in numbers_
    u32 first_constant = kNone;  // its pool, in constants_
  };

  HD_COLD bool begin(std::span<const u32> files, u32 harness) {
    harness_ = harness;
    order_.clear();
    numbers_.clear();
    constants_.clear();
    units_.clear();
    if (files.size() >= kMaxFiles || !has_room(units_, files.size() + 1)) return false;
    units_.resize(files.size() + 1);
    for (size_t k = 0; k < files.size(); ++k) units_[k + 1].module = files[k];
    return true;
  }
  // kNone: it is none of them.
  HD_COLD u32 unit_of(u32 module) const {
    for (u32 k = 1; k < units_.size(); ++k)
      if (units_[k].module == module) return k;
    return kNone;
  }

  // Calls are appended to order_ as they are met.
  template <class Modules, class Out>
  HD_COLD Linked finish(const LinkUnit& program, const Modules& modules, Out& out) {
    out.clear();
    for (size_t k = 0; k < order_.size(); ++k) {
      const Linked done = append(order_[k], program, modules, out);
      if (done != Linked::Done) return done;
    }
    return Linked::Done;
  }

  template <class Modules>
  [[nodiscard]] HD LinkUnit unit(u32 number, const LinkUnit& program,
                                 const Modules& modules) const {
    return number == 0 ? program : modules[units_[number].module];
  }

  // The number in linked code; kNone if there is no room.
  HD_COLD u32 number_of(const CodeView& code, Definition what) {
    UnitRows& rows = units_[what.unit];
    if (rows.first_number == kNone) {
      rows.first_number = static_cast<u32>(numbers_.size());
      if (!append_none(numbers_, code.functions.size())) return kNone;
    }
    u32& number = numbers_[rows.first_number + what.function];
    if (number != kNone) return number;
    if (!has_room(order_, 1)) return kNone;
    order_.push_back(what);
    return number = static_cast<u32>(order_.size()) - 1;
  }
  template <class List>
  [[nodiscard]] HD static bool append_none(List& list, size_t count) {
    if (!has_room(list, count)) return false;
    for (size_t k = 0; k < count; ++k) list.push_back(u32{kNone});
    return true;
  }

  // Finds the body of a function of `from`.
  template <class Modules>
  HD_COLD Linked define(Definition& what, const LinkUnit& from, const LinkUnit& program,
                        const Modules& modules) const {
    const Function& f = from.code.functions[what.function];
    if (f.kind != FunctionKind::Open) return Linked::Done;
    const bool is_left_open = harness_ != kNoModule && what.unit == kHarnessUnit;
    if (f.owner == 0 && !is_left_open) return Linked::Missing;
    if (f.owner > from.heads.size()) return Linked::Missing;
    what.unit = f.owner == 0 ? 0 : unit_of(from.heads[f.owner - 1]);
    if (what.unit == kNone) return Linked::Missing;
    const CodeView code = unit(what.unit, program, modules).code;
    const std::string_view name(from.code.names.data() + f.name_begin, f.name_end - f.name_begin);
    for (what.function = 0; what.function < code.functions.size(); ++what.function)
      if (has_name(code, code.functions[what.function], name)) return Linked::Done;
    return Linked::Missing;
  }
  HD static bool has_name(const CodeView& code, const Function& f, std::string_view name) {
    if (f.kind != FunctionKind::Function || f.name_end - f.name_begin != name.size()) return false;
    const char* const own = code.names.data() + f.name_begin;
    bool is_same = true;
    for (size_t k = 0; k < name.size() && is_same; ++k) is_same = own[k] == name[k];
    return is_same;
  }

  template <class Modules, class Out>
  HD_COLD Linked append(Definition what, const LinkUnit& program, const Modules& modules,
                        Out& out) {
    const LinkUnit from = unit(what.unit, program, modules);
    Function f = from.code.functions[what.function];
    const u32 begin = static_cast<u32>(out.instructions.size());
    for (u32 k = f.code_begin; k < f.code_end; ++k) {
      Instruction i = from.code.instructions[k];
      const Linked done = move(i, what, from, program, modules, out);
      if (done != Linked::Done) return done;
      if (!has_room(out.instructions, 1) || !has_room(out.places, 1)) return Linked::NoRoom;
      out.instructions.push_back(i);
      out.places.push_back(place_in_file(what.unit, from.code.places[k]));
    }
    f.code_begin = begin;
    f.code_end = static_cast<u32>(out.instructions.size());
    f.place = place_in_file(what.unit, f.place);
    // The public functions of modules are for programs to use, and are not entries of the linked code.
    f.is_public = f.is_public && what.unit == (harness_ == kNoModule ? 0 : kHarnessUnit);
    if (is_side_entry(f.kind)) {
      const u32 owner = number_of(from.code, {what.unit, f.owner});
      if (owner == kNone) return Linked::NoRoom;
      f.owner = static_cast<u16>(owner);
    }
    return append_header(from.code, f, out) ? Linked::Done : Linked::NoRoom;
  }

  // An instruction that holds the number of a function or constant.
  template <class Modules, class Out>
  HD_COLD Linked move(Instruction& i, Definition what, const LinkUnit& from,
                      const LinkUnit& program, const Modules& modules, Out& out) {
    const CodeView& code = from.code;
    if (i.op == Op::Call) {
      Definition callee{what.unit, i.a};
      missing_ = callee;
      if (const Linked defined = define(callee, from, program, modules); defined != Linked::Done)
        return defined;
      const u32 number = number_of(unit(callee.unit, program, modules).code, callee);
      if (number == kNone) return Linked::NoRoom;
      i.a = static_cast<u16>(number);
    } else if (i.op == Op::LoadConsts) {
      const u32 begin = i.b;
      i.b = static_cast<u32>(out.constants.size());
      if (!append_rows(out.constants, code.constants.subspan(begin, i.a))) return Linked::NoRoom;
    } else if (i.op == Op::LoadConst || i.op == Op::LoadHole) {
      UnitRows& rows = units_[what.unit];
      if (rows.first_constant == kNone) {
        rows.first_constant = static_cast<u32>(constants_.size());
        if (!append_none(constants_, code.constants.size())) return Linked::NoRoom;
      }
      u32& number = constants_[rows.first_constant + i.b];
      if (number == kNone) {
        if (!has_room(out.constants, 1)) return Linked::NoRoom;
        number = static_cast<u32>(out.constants.size());
        out.constants.push_back(code.constants[i.b]);
      }
      i.b = number;
    }
    return Linked::Done;
  }

  // Copies name, types, slots and parameters. False: there is no room.
  template <class Out>
  HD_COLD static bool append_header(const CodeView& code, Function f, Out& out) {
    if (!has_room(out.functions, 1) || !append_name(code, f.name_begin, f.name_end, out))
      return false;
    const std::string_view codes = code.type_codes();
    const u32 types = f.types_begin, slots = f.slots_begin, parameters = f.parameters_begin;
    const size_t types_end = skip_type(codes, skip_type(codes, types));
    const u32 count = code.types[types + 1];  // of the tuple of parameters
    f.types_begin = static_cast<u32>(out.types.size());
    f.slots_begin = static_cast<u32>(out.slot_types.size());
    f.parameters_begin = static_cast<u32>(out.parameter_names.size());
    if (!append_rows(out.types, code.types.subspan(types, types_end - types)) ||
        !append_rows(out.slot_types, code.slot_types.subspan(slots, f.slots)))
      return false;
    const u32 name_length = f.name_end - f.name_begin;
    f.name_end = static_cast<u32>(out.names.size());
    f.name_begin = f.name_end - name_length;
    for (const NameRange& range : code.parameter_names.subspan(parameters, count)) {
      const auto at = static_cast<u32>(out.names.size());
      if (!has_room(out.parameter_names, 1) || !append_name(code, range.begin, range.end, out))
        return false;
      out.parameter_names.push_back({at, static_cast<u32>(out.names.size())});
    }
    out.functions.push_back(f);
    return true;
  }
  template <class Out>
  HD static bool append_name(const CodeView& code, u32 begin, u32 end, Out& out) {
    return append_rows(out.names, std::span<const char>(code.names.data() + begin, end - begin));
  }

  u32 harness_ = kNoModule;
  Definition missing_;
  typename Storage::template List<Definition> order_;  // the functions of the linked code
  typename Storage::template List<UnitRows> units_;
  typename Storage::template List<u32> numbers_;    // by unit and function, its place in order_
  typename Storage::template List<u32> constants_;  // by unit and cell, its place in the pool
};

}  // namespace komuz
