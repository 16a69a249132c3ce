// SPDX-License-Identifier: Apache-2.0
#include "tests/gen/fuzzers.h"

#include <algorithm>

#include "base/random.h"
#include "engine/device/variant_maker.h"
#include "engine/sketch/binder.h"
#include "engine/sketch/fill.h"
#include "gen/gen.h"
#include "lang/check/check_code.h"
#include "mend/mend.h"
#include "tests/engine/device/expanded_variant.h"
#include "tests/engine/device/made_variant.h"
#include "tests/gen/bounded_variation.h"
#include "tests/gen/fuzzed_programs.h"

namespace komuz::test {

namespace {

constexpr u64 kFuel = 3000;
constexpr u32 kCases = 21;  // no multiple of a vector

std::string with_source(const std::string& failure, std::string_view source) {
  return failure + "\n" + std::string(source);
}

bool has_errors(const std::vector<Diagnostic>& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& d) {
    return diagnostic_row(d.code()).severity == Severity::Error;
  });
}

std::string messages(const std::vector<Diagnostic>& diagnostics, std::string_view source) {
  std::string out;
  for (const Diagnostic& d : diagnostics)
    out += std::to_string(place_of(source, d.begin).line) + ": " + diagnostic_message(d, source) +
           "\n";
  return out;
}

// The bodies of functions in a generated program: between the line that opens one and the `}` that stands alone.
std::vector<gen::TextSpan> function_bodies(std::string_view source) {
  std::vector<gen::TextSpan> out;
  for (size_t at = source.find("fn "); at != std::string_view::npos; at = source.find("fn ", at)) {
    const size_t begin = source.find("{\n", at), end = source.find("\n}", begin);
    if (end == std::string_view::npos) break;
    out.push_back({begin + 1, end + 1});
    at = end;
  }
  return out;
}

}  // namespace

std::string_view parameter_slots(const CodeView& code, const Function& f) {
  return {reinterpret_cast<const char*>(code.slot_types.data()) + f.slots_begin, f.parameter_slots};
}

bool takes_references(std::string_view slots) {
  return std::ranges::any_of(slots,
                             [](char type) { return is_reference(static_cast<Scalar>(type)); });
}

std::vector<std::vector<u64>> fuzzed_arguments(const CodeView& code, const Function& f, u64 seed,
                                               u32 count) {
  auto rows = gen::generate_values(seed, code.parameter_types(f), count);
  const auto any = gen::generate_cases(seed, parameter_slots(code, f), count);
  for (u32 row = 0; row < count; row += 4) rows[row] = any[row];
  return rows;
}

std::string Fuzzers::run_all(const CodeView& code, u64 seed) {
  for (u32 number = 0; number < code.functions.size(); ++number) {
    const Function& f = code.functions[number];
    if (takes_references(parameter_slots(code, f))) continue;
    const ArgumentColumns columns(code, f, fuzzed_arguments(code, f, seed + number, kCases));
    std::string difference;
    const Outcomes& out = machines.run({code, number, columns.view(), kFuel}, difference);
    if (!difference.empty()) return "function " + std::string(code.name(f)) + ", " + difference;
    for (u32 row = 0; row < kCases; ++row) {
      if (out.fuel[row] > kFuel) return "more fuel was used than there is";
      ++ran;
      trapped += out.traps[row] != Trap::None;
    }
  }
  return {};
}

std::string Fuzzers::differential(u64 seed) {
  const std::string source = fuzzed_program(seed);
  std::string difference;
  const frontend::Compilation& program = groups.compile(source, difference);
  if (!difference.empty()) return with_source(difference, source);
  if (!program.ok) return with_source(messages(program.diagnostics, source), source);
  ++compiled;
  difference = run_all(program.code.view(), seed);
  return difference.empty() ? difference : with_source(difference, source);
}

std::string Fuzzers::mutated(u64 seed) {
  const std::string source = damaged_program(seed);
  std::string difference;
  const frontend::Compilation& program = groups.compile(source, difference);
  if (!difference.empty()) return with_source(difference, source);
  if (program.ok == has_errors(program.diagnostics))
    return with_source("the verdict and the diagnostics do not agree", source);
  for (const Diagnostic& d : program.diagnostics) {
    if (d.code() == DiagnosticCode::InternalRefused)
      return with_source("the checker refused the code", source);
    if (d.end() > source.size()) return with_source("a diagnostic behind the end", source);
    (void)diagnostic_message(d, source);
    const auto fix = diagnostic_fix(d, source);
    if (fix && (fix->begin > fix->end || fix->end > source.size()))
      return with_source("a fix outside the source", source);
  }
  if (!program.ok) return {};
  ++compiled;
  difference = run_all(program.code.view(), seed);
  return difference.empty() ? difference : with_source(difference, source);
}

std::string Fuzzers::optimised(u64 seed) {
  const std::string source = fuzzed_program(seed);
  frontend::Compilation program, before;
  groups.serial().compile(source, program);
  plain.compile(source, before);
  if (program.ok != before.ok) return with_source("only one of the two compiles", source);
  if (!program.ok) return {};
  ++compiled;
  const CodeView code = program.code.view(), other = before.code.view();
  instructions += code.instructions.size();
  plain_instructions += other.instructions.size();
  const std::string difference = compare(code, other, seed);
  return difference.empty()
             ? difference
             : with_source(difference + "\n(the other one: before it is optimised)", source);
}

namespace {

// Empty: it is what the host has bound, as it has to be where warp code fits and room has grown.
std::string made_on_a_device(const engine::SketchProgram& sketch,
                             const engine::Decisions& decisions, const Code& bound) {
  const auto entry = static_cast<u32>(bound.functions.size()) - 1;
  const auto maker = engine::host_variant_maker();
  engine::VariantMaker::List list;
  for (u32 k = 0; k < 2; ++k) list.add(decisions);  // the second one says where the first ends
  if (!engine::VariantMaker::can_make(sketch)) return {};
  Problem problem = maker->load_sketch(sketch, entry);
  for (u32 k = 0; k < 8 && !problem; ++k) problem = maker->make(list);
  if (problem) return problem.text();
  if (maker->made()[0].made == engine::Made::NoRoom && !maker->can_grow()) return {};
  return engine::test::difference_of(bound, bound, entry, maker->made(), maker->code());
}

}  // namespace

std::string Fuzzers::sketched(u64 seed) {
  const std::string source = fuzzed_sketch(seed);
  Random random(seed);
  std::string difference;
  const frontend::Compilation& program = groups.compile(source, difference);
  if (!difference.empty()) return with_source(difference, source);
  if (!program.ok) return with_source(messages(program.diagnostics, source), source);
  ++compiled;
  const auto sketch = engine::read_sketch(source, {});
  if (!sketch) return with_source("it compiles only once", source);
  if (difference = compare_variation(sketch->plan, seed); !difference.empty())
    return with_source(difference, source);
  engine::Fill fill(source, sketch->plan);
  engine::Binder binder(*sketch);
  engine::Decisions decisions;
  for (u32 k = 0; k < 4; ++k) {
    if (!sketch->plan.draw(
            seed % 2 == 0 ? engine::DrawKind::Variants : engine::DrawKind::Ways,
            [&] { return random.next(); }, decisions))
      continue;
    std::string text;
    if (!fill.write(decisions, text)) return with_source("no variant of the sketch", source);
    const auto failed = [&](const std::string& what) {
      return with_source(what + "\n" + text + "\nis a variant of", source);
    };
    frontend::Compilation plain_program;
    groups.serial().compile(text, plain_program);
    if (!plain_program.ok) return failed(messages(plain_program.diagnostics, text));
    ++variants;
    if (sketch->obstacle != engine::BindObstacle::None) {
      if (k != 0) continue;  // it takes a while
      engine::test::ExpandedVariant there(device);
      const auto entry = static_cast<u32>(plain_program.code.functions.size()) - 1;
      difference = there.difference(*sketch, decisions, plain_program.code, entry);
      if (!difference.empty()) return failed("expanded on a device: " + difference);
      expanded += !there.is_left;
      continue;
    }
    ++bound;
    Code code;
    if (!binder.bind(decisions, code)) return failed("it cannot be bound");
    std::vector<Function> functions = code.functions;
    if (const CodeError error = check_code(code.view(), functions, kDefaultStackLimit))
      return failed("the checker refuses the bound code: " + error.reason);
    if (difference = made_on_a_device(*sketch, decisions, code); !difference.empty())
      return failed("made on a device: " + difference);
    for (u32& place : plain_program.code.places) place = fill.place_in_sketch(place);
    difference = compare(code.view(), plain_program.code.view(), seed + k);
    if (!difference.empty()) return failed(difference + "\n(the other one: the plain program)");
  }
  return {};
}

// Two programs that are to do the same: instructions may have other numbers, but have the same places in the source.
std::string Fuzzers::compare(const CodeView& code, const CodeView& other, u64 seed) {
  if (code.functions.size() != other.functions.size()) return "they have other functions";
  for (u32 number = 0; number < code.functions.size(); ++number) {
    const Function& f = code.functions[number];
    if (code.name(f) != other.name(other.functions[number])) return "they have other functions";
    if (takes_references(parameter_slots(code, f))) continue;
    const ArgumentColumns columns(code, f, fuzzed_arguments(code, f, seed + number, kCases));
    Outcomes found, wanted;
    vm::run_reference({code, number, columns.view(), kFuel}, found.prepare(f.result_cells, kCases));
    vm::run_reference({other, number, columns.view(), kFuel},
                      wanted.prepare(f.result_cells, kCases));
    for (u32 row = 0; row < kCases; ++row) {
      if (found.traps[row] == Trap::None) continue;
      ++trapped;
      found.places[row] = code.places[found.places[row]];
      wanted.places[row] = other.places[wanted.places[row]];
    }
    ran += kCases;
    for (u32 row = 0; row < kCases; ++row)
      if (found.row_text(row) != wanted.row_text(row))
        return "function " + std::string(code.name(f)) + ", case " + std::to_string(row) + ": " +
               found.row_text(row) + "\nthe other one: " + wanted.row_text(row);
  }
  return {};
}

std::string Fuzzers::on_device(u64 seed) {
  Random random(seed);
  std::string source = fuzzed_program(random.next());
  if (seed % 2 != 0)
    source = gen::mutate_source(source, random.next(),
                                random.below(2) != 0 ? gen::Mutation::Byte : gen::Mutation::Token);
  const std::string_view view = source;
  frontend::Compilation found, wanted;
  if (const Problem problem = device.run({&view, 1})) return with_source(problem.text(), source);
  device.read(0, device_reader, found);
  host.compile(source, wanted);
  const std::string_view part = first_difference(wanted, found);
  if (!part.empty())
    return with_source(std::string(part) + " of the device differ from the serial group's", source);
  compiled += found.ok;
  return {};
}

std::string Fuzzers::contained(u64 seed) {
  Random random(seed);
  const std::string source = fuzzed_program(random.next());
  const std::vector<gen::TextSpan> bodies = function_bodies(source);
  if (bodies.empty()) return {};
  const gen::TextSpan body = bodies[random.below(bodies.size())];
  const std::string damaged = gen::mutate_token_within(source, body, random.next());
  const size_t end = body.end + damaged.size() - source.size();
  std::string difference;
  const frontend::Compilation& program = groups.compile(damaged, difference);
  if (!difference.empty()) return with_source(difference, damaged);
  // A function whose tokens do not fit together has no tree, and who calls it hears of that.
  const bool lost =
      std::any_of(program.diagnostics.begin(), program.diagnostics.end(),
                  [](const Diagnostic& d) { return d.code() == DiagnosticCode::UnknownFunction; });
  if (lost) return {};
  ++compiled;
  for (const Diagnostic& d : program.diagnostics) {
    if (diagnostic_row(d.code()).severity != Severity::Error) continue;
    // What a call costs is a matter of the whole call graph.
    if (d.code() == DiagnosticCode::StackLimit) continue;
    // The body's own `{`, before it, may be what is not closed.
    if (d.begin + 1 < body.begin || d.begin > end)
      return with_source(
          "line " + std::to_string(place_of(damaged, static_cast<u32>(body.begin)).line) +
              " starts the damaged body, but\n" + messages(program.diagnostics, damaged),
          damaged);
  }
  return {};
}

}  // namespace komuz::test
