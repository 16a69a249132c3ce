// SPDX-License-Identifier: Apache-2.0
// The code of all modules of a library as flat columns, which can be copied to a device: the input of linking there.
#pragma once
#include "lang/link/linking.h"

namespace komuz {

// Pointers are into memory of the host or of a device.
struct LibraryRows {
  // The ends of a module's part of the columns.
  struct Stretch {
    u32 begin = 0, end = 0;
  };
  struct Columns {
    Stretch instructions, constants, functions, types, slot_types, parameter_names, names, heads;
  };

  std::span<const Columns> modules;
  std::span<const Instruction> instructions;
  std::span<const u32> places;
  std::span<const u64> constants;
  std::span<const Function> functions;
  std::span<const u8> types, slot_types;
  std::span<const NameRange> parameter_names;
  std::span<const char> names;
  std::span<const u32> heads;
  std::span<const u32> file_modules;  // list_files() of the linked code

  [[nodiscard]] HD std::span<const u32> files() const { return file_modules; }
  [[nodiscard]] HD LinkUnit operator[](u32 module) const {
    const Columns& own = modules[module];
    const auto part = [](const auto& column, Stretch stretch) {
      return column.subspan(stretch.begin, stretch.end - stretch.begin);
    };
    const std::span<const char> text = part(names, own.names);
    return {{part(instructions, own.instructions),
             part(places, own.instructions),
             part(constants, own.constants),
             part(functions, own.functions),
             part(types, own.types),
             part(slot_types, own.slot_types),
             part(parameter_names, own.parameter_names),
             {text.data(), text.size()}},
            part(heads, own.heads)};
  }

  // Calls visit(span&) for each table.
  template <class Visit>
  void for_each(Visit visit) {
    visit(modules), visit(instructions), visit(places), visit(constants), visit(functions);
    visit(types), visit(slot_types), visit(parameter_names), visit(names), visit(heads);
    visit(file_modules);
  }
};

// Owns the columns.
class FlatLibrary {
 public:
  // `files`: from list_files(), for the programs to be linked.
  FlatLibrary(const Library& library, std::span<const u32> files);

  // Valid as long as this object.
  [[nodiscard]] LibraryRows rows() const;
  // The lists needed to link programs with so many functions and constants of their own, whose linked code has
  // `linked` functions.
  [[nodiscard]] Linking<Bounded>::Room room(u32 functions, u32 constants, u32 linked) const;

 private:
  std::vector<LibraryRows::Columns> modules_;
  Code code_;  // all columns, one module behind the other
  std::vector<u32> heads_, files_;
};

}  // namespace komuz
