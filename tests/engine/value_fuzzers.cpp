// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/value_fuzzers.h"

#include <algorithm>

#include "engine/engine.h"
#include "lang/check/check_code.h"
#include "lang/text/code_text.h"
#include "tests/engine/reference_values.h"

namespace komuz::engine {
namespace {

constexpr u32 kValues = 5;  // of each type
constexpr u64 kDirt = 77;   // in cells before they are read

// Puts bytes in, takes some out, cuts the end off.
void damage(Random& random, std::string& text) {
  constexpr std::string_view kBytes = "[](){},:\"'\\ 0123456789.-eSomeNoneABnullxyzu|;\n\t\x80";
  for (u32 change = random.below(3); change < 3; ++change) {
    const size_t at = random.below(text.size() + 1);
    switch (random.below(8)) {
      case 0: text.resize(at); break;
      case 1:
      case 2:
      case 3: text.erase(at, 1 + random.below(2)); break;
      default: text.insert(at, 1, random.pick(kBytes)); break;
    }
  }
}

std::string type_of_text(std::string_view text) {
  Result<Signature> read = read_signature("fn() -> " + std::string(text));
  return !read.problem() ? read.value().result_type : "";
}

std::string printed(const ValueFormat& format, std::span<const u64> cells, ValueStyle style) {
  std::string out;
  format.print(out, cells, style);
  return out;
}

std::string differs(std::string_view what, std::string_view type, std::string_view text) {
  return std::string(what) + ": " + std::string(text) + " of " + type_text(type);
}

// An entry that takes a bool, a slice and an index, and gives the element there.
std::string element_code(std::string_view element) {
  const std::string type = type_text(element);
  std::string slots = "  slots bool i64", body, constants;
  u32 slot = 2, constant = 0;
  std::vector<LayoutBlock> blocks;
  for_each_block(element, [&](LayoutBlock block) { blocks.push_back(block); });
  const std::string index = std::to_string(slot + blocks.size());
  for (const LayoutBlock& block : blocks) {
    const std::string scalar(scalar_name(block.scalar)), cells = std::to_string(block.cells);
    slots += " &" + scalar;
    const std::string reference = std::to_string(slot++);
    if (block.cells == 0) continue;
    constants += "constant " + cells + "\n";
    body += "  LOAD_VAR &" + scalar + " " + reference + "\n  LOAD_VAR i64 " + index +
            "\n  LOAD_CONST i64 #" + std::to_string(constant++) +
            "\n  BINARY_MUL i64\n  LOAD_REF " + scalar + " " + cells + "\n";
  }
  return constants + "pub fn at(flag: bool, xs: [" + type + "], i: i64) -> " + type + "\n" + slots +
         " i64\n" + body + "  RETURN\n";
}

}  // namespace

std::string ValueFuzzers::agrees(u64 seed) {
  ReferenceMaker maker(seed);
  const ReferenceType type = maker.type();
  const std::string codes = type.codes();
  if (skip_type(codes, 0) != codes.size()) return "a type is refused";
  if (type_of_text(type_text(codes)) != codes)
    return "the type's text reads otherwise: " + type_text(codes);
  ValueFormat format(codes);
  for (u32 round = 0; round < kValues; ++round) {
    const ReferenceValue value = maker.value(type);
    const std::vector<u64> wanted = value.cells();
    std::vector<Scalar> scalars, wanted_scalars;
    append_cell_types(codes, scalars);
    for (const ReferenceBlock& block : value.blocks)
      wanted_scalars.insert(wanted_scalars.end(), block.cells.size(), block.scalar);
    if (scalars != wanted_scalars || count_cells(codes) != wanted.size())
      return differs("the layout differs", codes, value.text);
    compound += static_cast<u8>(codes[0]) > kRecordCode && wanted.size() > 3;
    for (const ValueStyle style : {ValueStyle::Text, ValueStyle::Json}) {
      const std::string& text = style == ValueStyle::Text ? value.text : value.json;
      if (printed(format, wanted, style) != text)
        return differs("printed " + printed(format, wanted, style), codes, text);
      std::vector<u64> cells(wanted.size(), kDirt);
      const auto error = format.parse(text, style, cells);
      if (error && error->message.starts_with("JSON cannot tell")) continue;
      if (error) return differs(error->message, codes, text);
      if (cells != wanted) return differs("read otherwise", codes, text);
    }
  }
  return {};
}

std::string ValueFuzzers::damaged_value(u64 seed) {
  Random random(seed);
  ReferenceMaker maker(random.next());
  const ReferenceType type = maker.type();
  const std::string codes = type.codes();
  ValueFormat format(codes);
  std::vector<u64> cells(count_cells(codes)), again(cells.size());
  for (u32 round = 0; round < kValues; ++round) {
    const ReferenceValue value = maker.value(type);
    const ValueStyle style = random.one_in(2) ? ValueStyle::Text : ValueStyle::Json;
    std::string text = style == ValueStyle::Text ? value.text : value.json;
    damage(random, text);
    std::ranges::fill(cells, kDirt);
    if (const auto error = format.parse(text, style, cells)) {
      ++refused;
      if (error->at > text.size() || error->message.empty())
        return differs("no place for " + error->message, codes, text);
      continue;
    }
    ++read;
    const std::string once = printed(format, cells, style);
    if (format.parse(once, style, again) || again != cells)
      return differs("read, printed and read otherwise: " + once, codes, text);
  }
  return {};
}

std::string ValueFuzzers::damaged_type(u64 seed) {
  Random random(seed);
  std::string text = type_text(ReferenceMaker(random.next()).type().codes());
  damage(random, text);
  const std::string codes = type_of_text(text);
  ++(codes.empty() ? refused : read);
  if (codes.empty()) return {};
  if (skip_type(codes, 0) != codes.size()) return "an unsound type is read: " + text;
  return type_of_text(type_text(codes)) == codes ? "" : "a type's text reads otherwise: " + text;
}

std::string ValueFuzzers::damaged_cases(u64 seed) {
  Random random(seed);
  ReferenceMaker maker(random.next());
  const ReferenceType input = maker.type(), output = maker.type();
  Signature signature;
  signature.parameter_types = std::string{kTupleCode, 1} + input.codes();
  signature.result_type = output.codes();
  signature.names = {"x"};
  const bool is_csv = random.one_in(2);
  std::string file = is_csv ? "x,expected\n" : "";
  for (u32 row = 0; row < kValues; ++row) {
    const ReferenceValue x = maker.value(input), expected = maker.value(output);
    if (is_csv) {
      const auto cell = [&](const std::string& text) {
        file += '"';
        for (const char c : text) file.append(c == '"' ? 2 : 1, c);
        file += '"';
      };
      cell(x.text);
      file += ',';
      cell(expected.text);
      file += '\n';
    } else {
      file += "{\"x\": " + x.json + ", \"expected\": " + expected.json + "}\n";
    }
  }
  const u64 lines = static_cast<u64>(std::ranges::count(file, '\n')) + 1;
  if (random.below(4) != 0) damage(random, file);
  CasesTable table;
  Suite suite;
  Problem error =
      is_csv ? read_csv_cases("c", file, {}, table) : read_jsonl_cases("c", file, {}, table);
  if (!error) error = make_suite(table, signature, suite);
  ++(error ? refused : read);
  if (!error || error.place().line <= lines + 3) return {};
  return "a line behind the end: " + error.text() + "\n" + file;
}

std::string ValueFuzzers::slices(u64 seed) {
  Random random(seed);
  ReferenceMaker maker(random.next());
  const ReferenceType type = maker.type();
  const std::string element = type.codes(), text = element_code(element);
  Code code;
  if (const AssemblyError error = assemble(text, code)) return error.reason + "\n" + text;
  if (const CodeError error = check_code(code.view(), code.functions))
    return error.reason + "\n" + text;
  std::string file;
  std::vector<ReferenceValue> wanted;
  std::vector<bool> is_inside;
  for (u32 row = 0; row < kValues; ++row) {
    const u32 length = random.below(6), index = random.below(6);
    ReferenceValue found = maker.value(type, true);
    std::string list;
    for (u32 k = 0; k < length; ++k) {
      const ReferenceValue value = maker.value(type);
      list += (k == 0 ? "" : ", ") + value.text;
      if (k == index) found = value;
    }
    std::string cell;
    for (const char c : list) cell.append(c == '"' ? 2 : 1, c);
    file += "true,\"[" + cell + "]\"," + std::to_string(index) + ",INDEX\n";
    wanted.push_back(std::move(found));
    is_inside.push_back(index < length);
  }
  CasesTable table;
  Suite suite;
  Problem error = read_csv_cases("c", "flag,xs,i,trap\n" + file, {}, table);
  if (!error) error = make_suite(table, signature_of(code.view(), code.functions[0]), suite);
  if (error) return error.text() + "\n" + file;
  const bool loads = !code.constants.empty();
  u32 entry = 0;
  const std::string refusal = add_slice_entry(code, entry, suite.case_types);
  if (!refusal.empty()) return refusal + "\n" + text;

  const size_t cells = suite.result_types.size();
  std::vector<u64> values(cells * kValues), fuel(kValues);
  std::vector<Trap> traps(kValues);
  std::vector<u32> places(kValues), depths(kValues);
  const OutcomesView outcomes{values, traps, places, depths, fuel};
  std::vector<ArgumentColumn> columns;
  vm::BatchMachine().run(
      {code.view(), entry, suite.view(0, kValues, columns), slice_entry_fuel(kDefaultFuel)},
      outcomes);
  hide_slice_entry(code.view(), entry, outcomes);
  for (u32 row = 0; row < kValues; ++row) {
    // Where nothing is loaded, nothing traps.
    const Trap trap = is_inside[row] || !loads ? Trap::None : Trap::Index;
    std::vector<u64> found;
    for (size_t cell = 0; cell < cells; ++cell) found.push_back(values[cell * kValues + row]);
    const bool is_same = traps[row] == trap && fuel[row] == 1 &&
                         (trap != Trap::None || found == wanted[row].cells());
    if (!is_same) return "case " + std::to_string(row) + " ends otherwise\n" + file + text;
    compound += is_inside[row] && cells > 3;
  }
  return {};
}

}  // namespace komuz::engine
