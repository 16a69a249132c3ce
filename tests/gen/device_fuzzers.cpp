// SPDX-License-Identifier: Apache-2.0
#include "tests/gen/device_fuzzers.h"

#include <algorithm>
#include <bit>
#include <map>

#include "base/random.h"
#include "engine/native/native_tier.h"
#include "engine/search/search.h"
#include "engine/sketch/fill.h"
#include "engine/sketch/sketch_candidates.h"
#include "frontend_gpu/device/cuda/cuda_device.h"
#include "gen/gen.h"
#include "tests/backend/host_ptx_device.h"
#include "tests/engine/search/shown_best.h"
#include "tests/gen/fuzzed_programs.h"
#include "tests/gen/fuzzers.h"

namespace komuz::test {
namespace {

using engine::EvaluateOptions;
using engine::ScoreKind;

constexpr u64 kFuel = 3000;

// What a run shows: its error, or all that is the same on every device.
std::string run_text(engine::CandidateSource& candidates, const engine::CasesTable& cases,
                     const EvaluateOptions& options, engine::test::LinesOfPrograms& lines,
                     engine::ResultSink* learner, u64& counted) {
  engine::Results results;
  const Problem error =
      evaluate(candidates, cases, options, results, learner == nullptr ? &lines : learner);
  if (error) return "error: " + error.text();
  counted += results.candidates();
  std::string text;
  if (options.ranking.best_rows == 0) {
    engine::write_report_json(text, results);
    return text;
  }
  const engine::test::ShownBest shown = engine::test::shown_best(results, lines);
  text = std::to_string(shown.candidates) + " candidates\n";
  for (const u64 count : shown.counts.by_status) text += std::to_string(count) + " ";
  text += std::to_string(shown.counts.duplicates) + " duplicates, " +
          std::to_string(shown.counts.behaviours) + " behaviours\n" + shown.best_source + "\n";
  for (const auto& row : shown.best)
    text += std::to_string(row.rank) + " " + row.id + " " + std::to_string(row.copies) + " " +
            std::to_string(std::bit_cast<u64>(row.score)) + " " + std::to_string(row.fuel) + " " +
            row.line + "\n";
  for (const auto* values : {&shown.expected, &shown.actual})
    for (const u64 value : *values) text += std::to_string(value) + " ";
  return text;
}

// Quoted, as a cell of CSV.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

// True if errors can be scored for values of this type.
bool outcome_is_number(std::string_view type) {
  const TypeHead head = read_type_head(type, 0);
  return head.is_scalar() && head.scalar() != Scalar::Bool;
}

}  // namespace

FuzzedDevice fuzzed_emulator() {
  FuzzedDevice device{
      std::make_unique<frontend::BatchCompiler>(frontend::emulated_device(0x5EED, 2)),
      vm::emulated_warp_device(),
      std::make_shared<HostPtxDevice>(),
      {}};
  for (const u32 number : {1u, 2u})
    device.more.push_back(
        {std::make_unique<frontend::BatchCompiler>(frontend::emulated_device(number, 2)),
         vm::emulated_warp_device(number), "emulated", number});
  return device;
}

Result<FuzzedDevice> fuzzed_gpu() {
  Result<engine::Devices> opened =
      engine::open_devices({.kind = engine::DeviceKind::Cuda, .gpus = {}, .takes_all = true});
  if (opened.problem()) return std::move(opened).problem();
  std::vector<engine::Device>& gpus = opened.value().gpus;
  Result<backend::OpenedPtxDevice> kernels = backend::open_ptx_device(gpus[0].number);
  if (kernels.problem()) return std::move(kernels).problem();
  FuzzedDevice device{
      std::move(gpus[0].compiler), std::move(gpus[0].warps), std::move(kernels.value().device), {}};
  gpus.erase(gpus.begin());
  device.more = std::move(gpus);
  return device;
}

std::string DeviceFuzzers::front_end(u64 seed) {
  Random random(seed);
  std::vector<std::string> sources;
  for (u32 k = 0; k < batch_.programs; ++k) {
    const u64 own = random.next();
    sources.push_back(k % 2 != 0 ? damaged_program(own) : fuzzed_program(own));
  }
  const std::vector<std::string_view> views(sources.begin(), sources.end());
  device_.compiler->use_library(nullptr);
  if (const Problem problem = device_.compiler->run(views)) return problem.text();
  frontend::Compilation found, wanted;
  for (u32 k = 0; k < sources.size(); ++k) {
    device_.compiler->read(k, reader_, found);
    host_.compile(sources[k], wanted);
    const std::string_view part = first_difference(wanted, found);
    if (!part.empty())
      return std::string(part) + " of the device differ from the host's:\n" + sources[k];
    ++(found.ok ? compiled : damaged);
  }
  return {};
}

std::string DeviceFuzzers::machine(u64 seed) {
  Random random(seed);
  struct Entry {
    u32 program, function;
  };
  std::vector<frontend::Compilation> programs(batch_.programs);
  std::vector<std::string> sources(batch_.programs);
  std::map<std::string, std::vector<Entry>> by_parameters;
  for (u32 k = 0; k < batch_.programs; ++k) {
    sources[k] = fuzzed_program(random.next());
    host_.compile(sources[k], programs[k]);
    const CodeView code = programs[k].code.view();
    for (u32 number = 0; number < code.functions.size(); ++number) {
      const std::string slots(parameter_slots(code, code.functions[number]));
      if (!takes_references(slots)) by_parameters[slots].push_back({k, number});
    }
  }
  for (const auto& [slots, entries] : by_parameters) {
    const CodeView first = programs[entries[0].program].code.view();
    const Function& head = first.functions[entries[0].function];
    const ArgumentColumns columns(first, head,
                                  fuzzed_arguments(first, head, random.next(), batch_.cases));
    vm::WarpBatch batch;
    vm::WarpLowering lowering;
    std::vector<Entry> lowered;
    for (const Entry& entry : entries)
      if (lowering.add(programs[entry.program].code.view(), entry.function, batch))
        lowered.push_back(entry);
    if (lowered.empty()) continue;
    const Problem problem = device_.warps->load_cases(columns.view()).then([&] {
      return device_.warps->run(batch, {.cases = batch_.cases, .fuel = kFuel});
    });
    if (problem) return problem.text();
    for (u32 k = 0; k < lowered.size(); ++k) {
      const CodeView code = programs[lowered[k].program].code.view();
      const u32 function = lowered[k].function, cells = code.functions[function].result_cells;
      Outcomes found, wanted;
      copy_outcomes(device_.warps->outcomes(batch, k), found.prepare(cells, batch_.cases));
      vm::run_reference({code, function, columns.view(), kFuel},
                        wanted.prepare(cells, batch_.cases));
      for (u32 row = 0; row < batch_.cases; ++row) {
        ++ran;
        trapped += wanted.traps[row] != Trap::None;
        if (found.row_text(row) == wanted.row_text(row)) continue;
        return "function " + std::string(code.name(code.functions[function])) + ", case " +
               std::to_string(row) + ": " + found.row_text(row) +
               "\nthe reference: " + wanted.row_text(row) + "\n" + sources[lowered[k].program];
      }
    }
  }
  return {};
}

// A sketch, texts of variants of it, and cases that one of these fulfils.
struct DeviceFuzzers::Task {
  std::optional<engine::SketchProgram> sketch;
  std::vector<std::string> texts;
  engine::CasesTable cases;
  ScoreKind score = ScoreKind::Exact;
};

// False: the sketch of this seed takes what cannot be generated, or has no variant.
bool DeviceFuzzers::make_task(u64 seed, Task& task) {
  Random random(seed);
  task.sketch = engine::read_sketch(fuzzed_sketch(random.next()), {});
  if (!task.sketch) return false;
  engine::Fill fill(task.sketch->source, task.sketch->plan);
  engine::Decisions decisions;
  for (u32 k = 0; k < batch_.programs; ++k) {
    std::string text;
    if (task.sketch->plan.draw(
            engine::DrawKind::Ways, [&] { return random.next(); }, decisions) &&
        fill.write(decisions, text))
      task.texts.push_back(std::move(text));
  }
  if (task.texts.empty()) return false;
  frontend::Compilation program;
  host_.compile(task.texts[0], program);
  const CodeView code = program.code.view();
  const engine::EntryChoice entry = engine::choose_entry(code, {});
  if (!program.ok || !entry.refusal.empty()) return false;
  const Function& f = code.functions[entry.function];
  if (takes_references(parameter_slots(code, f))) return false;
  const engine::Signature signature = engine::signature_of(code, f);
  const auto rows = gen::generate_values(random.next(), code.parameter_types(f), batch_.cases);
  const ArgumentColumns columns(code, f, rows);
  Outcomes outcomes;
  vm::run_reference({code, static_cast<u32>(entry.function), columns.view(), kFuel},
                    outcomes.prepare(f.result_cells, batch_.cases));
  std::string csv;
  for (const std::string& name : signature.names) csv += name + ",";
  csv += "expected,trap\n";
  for (u32 row = 0; row < batch_.cases; ++row) {
    const std::string_view types = signature.parameter_types;
    size_t cell = 0;
    for (size_t at = read_type_head(types, 0).end; at < types.size();) {
      const std::string_view type = types.substr(at, skip_type(types, at) - at);
      const size_t cells = count_cells(type);
      std::string text;
      engine::print_value(text, type, std::span(rows[row]).subspan(cell, cells),
                          engine::ValueStyle::Text);
      csv += quoted(text) + ",";
      cell += cells;
      at += type.size();
    }
    if (outcomes.traps[row] != Trap::None) {
      csv += "," + std::string(trap_name(outcomes.traps[row])) + "\n";
      continue;
    }
    std::vector<u64> cells;
    for (u32 k = 0; k < f.result_cells; ++k)
      cells.push_back(outcomes.values[size_t{k} * batch_.cases + row]);
    std::string text;
    engine::print_value(text, signature.result_type, cells, engine::ValueStyle::Text);
    csv += quoted(text) + ",\n";
  }
  if (engine::read_csv_cases("cases.csv", csv, {}, task.cases)) return false;
  const bool is_number = f.result_cells == 1 && outcome_is_number(signature.result_type);
  task.score =
      is_number ? static_cast<ScoreKind>(random.below(engine::kCaseScores)) : ScoreKind::Exact;
  return true;
}

// On the host, on the device and on all of them. `make_source(options, run)` makes candidates and calls run(candidates, learner).
template <class MakeSource>
std::string DeviceFuzzers::compare(const Task& task, EvaluateOptions options,
                                   const MakeSource& make_source, u64& counted) {
  options.ranking.score = task.score;
  options.limits.fuel = kFuel;
  options.details.keep_details = options.ranking.best_rows == 0;
  enum Where : u8 { Host, There, OnAll };
  std::string texts[3];
  for (const Where where : {Host, There, OnAll}) {
    if (where == OnAll && device_.more.empty()) break;
    options.machines.compiler = where == Host ? nullptr : device_.compiler.get();
    options.machines.device = where == Host ? nullptr : device_.warps.get();
    if (where == OnAll)
      for (const engine::Device& other : device_.more)
        options.machines.more_devices.push_back(
            {other.compiler.get(), other.warps.get(), other.name});
    engine::test::LinesOfPrograms lines(false);
    u64 unused = 0;
    const auto run = [&](engine::CandidateSource& source, engine::ResultSink* learner) {
      texts[where] =
          run_text(source, task.cases, options, lines, learner, where == Host ? counted : unused);
    };
    make_source(options, lines, run);
    if (texts[where] != texts[Host])
      return (where == There ? "the device gives\n" : "several devices give\n") + texts[where] +
             "\nbut the host gives\n" + texts[Host] + "\nscore " +
             std::string(engine::score_name(task.score)) + ", of the sketch\n" +
             task.sketch->source;
  }
  refused_runs += texts[Host].starts_with("error: ");
  return {};
}

std::string DeviceFuzzers::candidates(u64 seed) {
  Task task;
  if (!make_task(seed, task)) return {};
  Random random(seed);
  for (std::string& text : task.texts)
    if (random.one_in(4)) text = gen::mutate_source(text, random.next(), gen::Mutation::Token);
  std::vector<engine::Candidate> all;
  for (const std::string& text : task.texts) all.push_back({"c", text, {}});
  return compare(
      task, {},
      [&](const EvaluateOptions&, auto&, const auto& run) {
        engine::CandidateList list(all);
        run(list, nullptr);
      },
      scored);
}

std::string DeviceFuzzers::kernels(u64 seed) {
  Task task;
  if (backend::open_backend().problem() || !make_task(seed, task)) return {};
  std::string texts[2];
  for (const bool is_native : {false, true}) {
    // Each LLVM takes milliseconds for, so one candidate is enough of a seed.
    std::vector<engine::Candidate> one = {{"c", task.texts[seed % task.texts.size()], {}}};
    engine::CandidateList list(one);
    engine::NativeTier tier(engine::NativeChoice::Always,
                            {.least_crowd = seed % 4 == 0 ? batch_.cases + 1 : 1});
    tier.use_device(device_.kernels);
    EvaluateOptions options;
    options.ranking.score = task.score;
    options.limits.fuel = kFuel;
    options.machines.native = is_native ? &tier : nullptr;
    engine::test::LinesOfPrograms lines(false);
    u64 unused = 0;
    texts[is_native] =
        run_text(list, task.cases, options, lines, nullptr, is_native ? unused : scored);
    by_kernels += tier.stats().kernel_cases;
    natively += tier.stats().native_cases;
    if (is_native && !tier.has_device()) return "the device is not used any more";
  }
  if (texts[0] == texts[1]) return {};
  return "native code gives\n" + texts[1] + "\nbut the virtual machine gives\n" + texts[0] +
         "\nscore " + std::string(engine::score_name(task.score)) + ", of\n" +
         task.texts[seed % task.texts.size()];
}

std::string DeviceFuzzers::sketches(u64 seed) {
  Task task;
  if (!make_task(seed, task)) return {};
  EvaluateOptions options;
  options.programs.sketch = &*task.sketch;
  options.ranking.best_rows = seed % 3 == 0 ? 0 : 8;
  options.ranking.best_of_each_behaviour = seed % 3 == 1;
  options.programs.expands_variants = seed % 5 == 0;
  return compare(
      task, options,
      [&](const EvaluateOptions&, auto&, const auto& run) {
        engine::SketchCandidates variants(task.sketch->source, task.sketch->plan,
                                          {.samples = batch_.programs * 2, .seed = seed});
        run(variants, nullptr);
      },
      scored);
}

std::string DeviceFuzzers::searches(u64 seed) {
  Task task;
  if (!make_task(seed, task)) return {};
  Random random(seed);
  engine::SearchOptions search{
      .kind = static_cast<engine::SearchKind>(random.below(std::size(engine::kSearchNames))),
      .seed = seed,
      .population = 1 + random.below(batch_.population),
      .generations = 1 + random.below(batch_.generations)};
  EvaluateOptions options;
  options.programs.sketch = &*task.sketch;
  options.ranking.score = task.score;
  options.ranking.best_rows = 8;
  options.machines.epoch = options.machines.device_epoch = search.population;
  engine::settle(task.sketch->plan, search, options);
  return compare(
      task, options,
      [&](const EvaluateOptions&, engine::ResultSink& lines, const auto& run) {
        engine::SearchCandidates found_ones(task.sketch->source, task.sketch->plan, search, &lines);
        run(found_ones, &found_ones);
      },
      searched);
}

}  // namespace komuz::test
