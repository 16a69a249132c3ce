// SPDX-License-Identifier: Apache-2.0
// A device links like the host, in lists with just enough room, and reports lists that are too short.
#include <gtest/gtest.h>

#include <cstring>

#include "engine/candidates/load_modules.h"
#include "lang/link/library_rows.h"
#include "lang/link/link.h"
#include "tests/lang/row_marks.h"

namespace komuz::engine {
namespace {

constexpr u32 kGap = 64;

// How long the lists of a linking and of its code may become.
struct LinkRoom {
  Linking<Bounded>::Room linking;
  u32 instructions, constants, functions, types, slots, names, parameters;

  // Numbers of lists, as they are visited.
  static constexpr u32 kAllFunctions = 2, kAllConstants = 3;

  // visit(u32&) for each.
  template <class Visit>
  void for_each(Visit visit) {
    visit(linking.linked), visit(linking.units), visit(linking.functions), visit(linking.constants);
    visit(instructions), visit(constants), visit(functions), visit(types), visit(slots);
    visit(names), visit(parameters);
  }
};

// Lists between marks, which stay.
class MarkedLinking {
 public:
  explicit MarkedLinking(const LinkRoom& room)
      : bytes_(1u << 22), memory_(bytes_.data(), kGap), linking_(memory_, room.linking) {
    rows.instructions = memory_.take<Instruction>(room.instructions);
    rows.places = memory_.take<u32>(room.instructions);
    rows.constants = memory_.take<u64>(room.constants);
    rows.functions = memory_.take<Function>(room.functions);
    rows.types = memory_.take<u8>(room.types);
    rows.slot_types = memory_.take<u8>(room.slots);
    rows.names = memory_.take<char>(room.names);
    rows.parameter_names = memory_.take<NameRange>(room.parameters);
  }

  Linking<Bounded>& linking() { return linking_; }
  // What a list holds is no run of marks.
  [[nodiscard]] bool are_marks_there() const {
    return komuz::test::count_gaps(bytes_, kGap) == kLists;
  }

  LinkedRows rows;

 private:
  static constexpr u32 kLists = 12;

  std::vector<u8> bytes_;
  RowsMemory memory_;
  Linking<Bounded> linking_;
};

template <class T, class List>
bool are_same(const std::vector<T>& wanted, const List& found) {
  return wanted.size() == found.size() &&
         (wanted.empty() ||
          std::memcmp(wanted.data(), found.data(), wanted.size() * sizeof(T)) == 0);
}
void expect_same(const Code& wanted, const LinkedRows& found) {
  EXPECT_TRUE(are_same(wanted.instructions, found.instructions));
  EXPECT_TRUE(are_same(wanted.places, found.places));
  EXPECT_TRUE(are_same(wanted.constants, found.constants));
  EXPECT_TRUE(are_same(wanted.functions, found.functions));
  EXPECT_TRUE(are_same(wanted.types, found.types));
  EXPECT_TRUE(are_same(wanted.slot_types, found.slot_types));
  EXPECT_TRUE(are_same(wanted.parameter_names, found.parameter_names));
  EXPECT_EQ(wanted.names, std::string(found.names.data(), found.names.size()));
}

LinkRoom room_for(const Code& linked, const FlatLibrary& library, const Code& program) {
  const auto size = [](const auto& column) { return static_cast<u32>(column.size()); };
  return {library.room(size(program.functions), size(program.constants), size(linked.functions)),
          size(linked.instructions),
          size(linked.constants),
          size(linked.functions),
          size(linked.types),
          size(linked.slot_types),
          size(linked.names),
          size(linked.parameter_names)};
}

// link(linking, flat library, rows).
template <class Link>
void expect_linked(const Code& wanted, const Library& library, u32 harness,
                   std::span<const u32> heads, const Code& program, const Link& link) {
  std::vector<u32> files;
  list_files(library, harness, heads, files);
  const FlatLibrary flat(library, files);
  LinkRoom room = room_for(wanted, flat, program);
  MarkedLinking exact(room);
  for (u32 k = 0; k < 2; ++k) {
    ASSERT_EQ(link(exact.linking(), flat.rows(), exact.rows), Linked::Done);
    expect_same(wanted, exact.rows);
  }
  EXPECT_TRUE(exact.are_marks_there());
  u32 lists = 0;
  room.for_each([&](u32&) { ++lists; });
  for (u32 list = 0; list < lists; ++list) {
    SCOPED_TRACE("list " + std::to_string(list));
    LinkRoom smaller = room;
    u32 number = 0;
    bool has_some = true;
    smaller.for_each([&](u32& rows) {
      if (number++ != list) return;
      has_some = rows != 0;
      rows -= has_some;
    });
    MarkedLinking tight(smaller);
    const Linked linked = link(tight.linking(), flat.rows(), tight.rows);
    // Those of the functions and constants of all units have room for units that nothing is used of.
    const bool may_do =
        list == LinkRoom::kAllFunctions || list == LinkRoom::kAllConstants || !has_some;
    if (linked == Linked::Done && may_do)
      expect_same(wanted, tight.rows);
    else
      EXPECT_EQ(linked, Linked::NoRoom);
    EXPECT_TRUE(tight.are_marks_there());
  }
}

// Each module of the standard library as if it were a program.
TEST(Linking, DevicesLinkModules) {
  ModuleLoader modules;
  modules.load(
      "use std.bits;\nuse std.bytes;\nuse std.geom;\nuse std.grid;\nuse std.list;\nuse std.math;\n"
      "use std.random;\nuse std.stats;\nfn f() -> i64 { 1 }\n");
  const Library& library = modules.library();
  ASSERT_GE(library.size(), 8u);
  Linker linker;
  u32 open = 0;
  for (u32 k = 0; k < library.size(); ++k) {
    SCOPED_TRACE(library[k].path);
    const Code& code = library[k].code;
    open += is_open(code.view());
    Code wanted;
    ASSERT_EQ(linker.link({code.view(), library[k].heads}, library, wanted), "");
    const std::span<const u32> heads = library[k].heads;
    expect_linked(wanted, library, kNoModule, heads, code,
                  [&](auto& linking, const LibraryRows& rows, auto& out) {
                    return linking.link(LinkUnit{code.view(), heads}, rows, out);
                  });
  }
  EXPECT_GT(open, 0u) << "no module uses another one";
}

TEST(Linking, DevicesLinkHarnesses) {
  ModuleLoader modules;
  const u32 harness = modules.load_harness(
      "scale", {"scale.komuz",
                "use std.math;\npub fn value(x: f64) -> f64;\nfn twice(x: f64) -> f64 { 2.0 * x }\n"
                "pub fn score(x: f64) -> f64 { twice(value(x)) + math.lerp(x, 1.0, 0.5) }\n"});
  const Library& library = modules.library();
  ASSERT_TRUE(library[harness].ok);
  frontend::Compilation candidate;
  frontend::Compiler().compile("pub fn value(x: f64) -> f64 { x * 3.0 }", candidate);
  ASSERT_TRUE(candidate.ok);
  const CodeView code = candidate.code.view();
  Code wanted;
  ASSERT_EQ(Linker().link_harness(harness, "score", {code, {}}, library, wanted), "");
  const CodeView own = library[harness].code.view();
  const auto entry = static_cast<u32>(own.find_function("score"));
  expect_linked(wanted, library, harness, {}, candidate.code,
                [&](auto& linking, const LibraryRows& rows, auto& out) {
                  return linking.link_harness(harness, entry, LinkUnit{code, {}}, rows, out);
                });
  // Nobody defines what it leaves open.
  frontend::Compiler().compile("pub fn other(x: f64) -> f64 { x }", candidate);
  EXPECT_EQ(Linker().link_harness(harness, "score", {candidate.code.view(), {}}, library, wanted),
            "`value`");
}

}  // namespace
}  // namespace komuz::engine
