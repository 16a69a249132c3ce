// SPDX-License-Identifier: Apache-2.0
// komuz eval: candidates and cases in, a ranking out.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "base/counts.h"
#include "cli/candidate_input.h"
#include "cli/command.h"
#include "cli/environment.h"
#include "cli/eval_text.h"
#include "cli/evaluated_sketch.h"
#include "cli/evaluation.h"
#include "cli/files.h"
#include "cli/harness.h"
#include "cli/interrupt.h"
#include "cli/project.h"
#include "engine/engine.h"
#include "engine/signature.h"
#include "lang/standard_uses.h"
#include "services/fix.h"

namespace komuz::cli {
namespace {

constexpr OptionRow kOptions[] = {
    kCasesOption,
    {"harness", "FILE", "a program that scores candidates: they define its open functions"},
    kMaximizeOption,
    kMinimizeOption,
    kEntryOption,
    {"signature", "TEXT",
     "of the entry, as 'fn(x: f64) -> f64'; else the first that fits the cases"},
    kScoreOption,
    kToleranceOption,
    {"samples", "N", "of a sketch: so many of its variants, drawn without repetition; else all"},
    {"seed", "N", "… which ones (default 0)"},
    {"expand", "", "… compiled from their texts, though the sketch's code could be bound to them"},
    {"fix", "", "edit candidates that have errors as `komuz fix` does, before they are given up"},
    kTopOption,
    kReportOption,
    kThreadsOption,
    kDeviceOption,
    kFuelOption,
    kInputOption,
    kOutputOption,
};

constexpr std::string_view kScores[] = {"exact", "absolute", "squared"};
constexpr engine::ScoreKind kScoreKinds[] = {
    engine::ScoreKind::Exact, engine::ScoreKind::AbsoluteError, engine::ScoreKind::SquaredError};

struct Request {
  std::vector<std::string_view> candidates;
  std::string cases_path;    // empty: a harness runs once
  std::string harness_path;  // empty: none
  engine::CaseFields fields;
  engine::EvaluateOptions options;
  size_t top = 10;
  std::string json_path;    // empty: no report
  bool from_stdin = false;  // of one JSONL stream
  engine::DeviceChoice device = engine::DeviceChoice::Auto;
  engine::VariantChoice variants;
  std::optional<engine::SearchOptions> search;  // of one sketch; none: candidates are evaluated

  [[nodiscard]] std::string_view command() const { return search ? "search" : "eval"; }
  // Rows are written as they come when both ends are streams; else the report has a rank for each.
  [[nodiscard]] bool streams() const { return from_stdin && json_path == "-"; }
  [[nodiscard]] bool shows_table() const { return json_path != "-"; }
};

engine::FixedSource fix_candidate(frontend::Compiler& compiler, std::string_view source,
                                  const std::stop_token& stop) {
  services::Fixed fixed = services::fix_source(compiler, source, services::FixKind::All, stop);
  engine::FixedSource out{std::move(fixed.text), {}};
  for (services::AppliedFix& fix : fixed.fixes)
    out.fixes.push_back({diagnostic_row(fix.code).code, fix.line, std::move(fix.message)});
  return out;
}

void read_search(Args& args, Request& request) {
  engine::SearchOptions& search = request.search.emplace();
  search.kind = static_cast<engine::SearchKind>(args.choice("method", engine::kSearchNames));
  search.seed = args.number("seed", 0, 0, ~u64{0});
  search.population = static_cast<u32>(args.number("population", 500, 2, 1'000'000));
  search.generations = args.number("generations", 100, 1, u64{1} << 32);
  // Rounded up: the least time is no lack of a limit. More than the most is as good as none.
  constexpr f64 kMostSeconds = 1e9;
  search.time = std::chrono::milliseconds(
      static_cast<i64>(std::ceil(std::min(args.amount("time", 0), kMostSeconds) * 1000)));
  request.options.epoch = request.options.device_epoch = search.population;
}

Request read_request(EvaluationKind kind, Args& args) {
  Request request;
  if (kind == EvaluationKind::Search) read_search(args, request);
  request.candidates = args.positional;
  request.cases_path = args.value("cases").value_or("");
  request.harness_path = args.value("harness").value_or("");
  for (const std::string_view field : args.values("input"))
    request.fields.inputs.emplace_back(field);
  request.fields.output = args.value("output").value_or(request.fields.output);
  request.options.entry = args.value("entry").value_or("");
  request.options.score = kScoreKinds[args.choice("score", kScores)];
  if (!request.harness_path.empty()) {
    request.options.score =
        args.has("minimize") ? engine::ScoreKind::Minimize : engine::ScoreKind::Maximize;
    if (request.options.entry.empty()) request.options.entry = kScoreFunction;
    request.fields.has_expectations = false;
  }
  request.options.tolerance = args.amount("tolerance", 0);
  request.options.threads = static_cast<u32>(args.number("threads", 0, 1, 1024));
  request.options.fuel = args.number("fuel", kDefaultFuel, 1, u64{1} << 62);
  request.top = args.number("top", 10, 1, u64{1} << 32);
  request.json_path = args.value("json").value_or("");
  request.from_stdin = args.positional.size() == 1 && args.positional[0] == "-";
  request.device = static_cast<engine::DeviceChoice>(
      args.choice("device", engine::kDeviceNames, environment_value("KOMUZ_DEVICE")));
  if (args.value("samples")) request.variants.samples = args.number("samples", 0, 1, u64{1} << 32);
  request.options.expands_variants = args.has("expand");
  request.variants.seed = args.number("seed", 0, 0, ~u64{0});
  if (args.has("fix")) request.options.fix = fix_candidate;
  request.options.keep_details = !request.json_path.empty() && !request.streams();
  return request;
}

// Writes rows as they come, and keeps a few lines on what went wrong for the end.
class RowSink final : public engine::ResultSink {
 public:
  RowSink(const Request& request, Stream& out) : request_(request), out_(out) {}

  void on_result(const engine::Results& results, u32 row) override {
    const engine::ResultRow& r = results.rows[row];
    if (request_.streams()) {
      line_.clear();
      engine::write_row_json(line_, results, row);
      line_ += '\n';
      out_.write(line_);
      out_.flush();
    }
    ++rows_;
    any_scored_ = any_scored_ || r.scored;
    if (r.status == engine::Status::Ok) return;
    const bool ran =
        r.status != engine::Status::CompileError && r.status != engine::Status::Refused;
    (ran ? failures_ : not_run_).add(results, row);
  }

  [[nodiscard]] u64 rows() const { return rows_; }
  [[nodiscard]] bool any_scored() const { return any_scored_; }
  // What did not run is always worth a line; a failing case only where there are few candidates.
  [[nodiscard]] std::string problems() const {
    std::string text = not_run_.lines;
    if (not_run_.count > not_run_.shown)
      text += "… and " + grouped(not_run_.count - not_run_.shown) +
              " more that did not run; --json OUT names them all\n";
    if (rows_ <= request_.top) text += failures_.lines;
    return text;
  }

 private:
  static constexpr u64 kShownProblems = 3;
  struct Problems {
    u64 count = 0, shown = 0;
    std::string lines;                    // of the first few
    std::vector<std::string_view> codes;  // of the diagnostics in them: a kind is shown once

    void add(const engine::Results& results, u32 row) {
      ++count;
      const engine::ResultRow& r = results.rows[row];
      if (shown == kShownProblems || r.duplicate_of != engine::kNone) return;
      if (r.status == engine::Status::CompileError && r.diagnostics > 0) {
        const std::string_view code = results.diagnostics[r.diagnostics_begin].code;
        if (std::ranges::find(codes, code) != codes.end()) return;
        codes.push_back(code);
      }
      ++shown;
      lines += problem_line(results, row) + "\n";
    }
  };

  const Request& request_;
  Stream& out_;
  std::string line_;
  Problems not_run_, failures_;
  u64 rows_ = 0;
  bool any_scored_ = false;
};

class BarSink final : public engine::ProgressSink {
 public:
  BarSink(const CandidateInput& input, Stream& stream) : input_(input), bar_(stream) {}

  void on_progress(u64 done, std::optional<u64> total) override {
    double fraction = input_.fraction();
    std::string text = grouped(done);
    if (total && *total > 0) {
      fraction = static_cast<double>(done) / static_cast<double>(*total);
      text += " of " + grouped(*total);
    }
    bar_.update(fraction, text + " candidates");
  }
  void clear() { bar_.clear(); }

 private:
  const CandidateInput& input_;
  ProgressBar bar_;
};

// Times are for people at a terminal only: nothing that is compared or kept holds one.
std::string speed_line(double seconds, u64 candidates, u64 bytes) {
  const auto per_second = static_cast<u64>(static_cast<double>(candidates) / seconds);
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), " programs/s, %.1f MB/s of input, %.3f s\n",
                static_cast<double>(bytes) / 1e6 / seconds, seconds);
  return grouped(per_second) + text.data();
}

Exit write_report(const Request& request, const engine::Results& results, Terminal& terminal) {
  if (request.json_path.empty() || request.streams()) return Exit::Success;
  std::string report;
  engine::write_report_json(report, results);
  if (!report.ends_with('\n')) report += '\n';
  if (request.json_path == "-") {
    terminal.out.write(report);
    return Exit::Success;
  }
  if (const auto error = write_file(request.json_path, report))
    return terminal.input_error(error->message, error->remedy);
  return Exit::Success;
}

// `gpu`: the one that the programs ran on; empty: the CPU. The report does not say it: its bytes are the same on both.
Exit show_results(const Request& request, const engine::Results& results, const RowSink& rows,
                  std::string_view gpu, std::string_view summary, Terminal& terminal) {
  if (request.shows_table()) {
    terminal.out.write(ranking_table(results, request.top, terminal.out.style()));
    terminal.out.write(counts_line(results));
    terminal.out.write(summary);
    if (!gpu.empty()) terminal.out.write("run on " + std::string(gpu) + "\n");
    terminal.out.write(rows.problems());
    terminal.out.flush();
  }
  const Exit written = write_report(request, results, terminal);
  if (written != Exit::Success) return written;
  if (!results.complete) {
    terminal.error("interrupted after " + counted(results.rows.size(), "candidate"));
    return Exit::Interrupted;
  }
  return rows.any_scored() ? Exit::Success : Exit::Failure;
}

Exit device_error(std::string_view message, std::string_view remedy, Terminal& terminal) {
  terminal.error(message, remedy);
  return Exit::Device;
}

// One program with something to decide is a sketch; any other is a candidate, errors and all, but where a sketch is asked for.
Exit open_sketch(Request& request, engine::ResultSink& rows, Terminal& terminal,
                 std::optional<EvaluatedSketch>& out) {
  constexpr u64 kMostVariants = 10'000'000;
  constexpr std::string_view kNoHoles = "a sketch has holes, such as `?c(0.0..1.0, steps: 8)`";
  const bool is_wanted = request.search || request.variants.samples;
  const std::string path(request.candidates[0]);
  if (request.candidates.size() != 1 || !path.ends_with(".komuz")) {
    if (!is_wanted) return Exit::Success;
    return terminal.usage_error(request.command(),
                                "variants are those of one sketch, a program with holes");
  }
  std::string source;
  if (const auto error = read_file(path, source, kMostSourceBytes))
    return is_wanted ? terminal.input_error(error->message, error->remedy) : Exit::Success;
  engine::ModuleLoader& modules = *request.options.modules;
  modules.load(source);
  std::optional<engine::SketchProgram> sketch =
      engine::read_sketch(std::move(source), {.stack_limit = request.options.stack_limit,
                                              .library = &modules.library(),
                                              .harness = request.options.harness,
                                              .harness_entry = request.options.entry});
  if (!sketch && is_wanted)
    return terminal.input_error("`" + path + "` has errors", "`komuz check` shows them");
  if (!sketch || !engine::has_decisions(sketch->plan.sketch())) {
    if (!is_wanted) return Exit::Success;
    return terminal.input_error("`" + path + "` has nothing to decide", kNoHoles);
  }
  const engine::VariantCount count = sketch->plan.count();
  if (request.search)
    out.emplace(std::move(*sketch), *request.search, rows);
  else
    out.emplace(std::move(*sketch), request.variants);
  request.options.sketch = &out->program();
  if (request.search || request.variants.samples || count.exact <= kMostVariants)
    return Exit::Success;
  return terminal.input_error("`" + path + "` has " + engine::count_text(count) + " variants",
                              "say how many of them to draw, such as `--samples 10000`, or look "
                              "for good ones by `komuz search`");
}

Exit evaluate_request(Request& request, const engine::CasesTable& cases, Terminal& terminal) {
  const engine::Device device = engine::open_device(request.device);
  if (!device.problem.empty())
    return device_error("`--device cuda` finds no GPU: " + device.problem,
                        "use `--device cpu`; `komuz devices` shows what is there", terminal);
  request.options.compiler = device.compiler.get();
  request.options.device = device.warps.get();
  Interrupt interrupt;
  CandidateInput input;
  RowSink rows(request, terminal.out);
  std::optional<EvaluatedSketch> sketch;
  if (const Exit opened = open_sketch(request, rows, terminal, sketch); opened != Exit::Success)
    return opened;
  if (!sketch)
    if (const auto error = input.open(request.candidates, interrupt.token()))
      return terminal.input_error(error->message, error->remedy);

  BarSink bar(input, terminal.err);
  engine::Results results;
  const auto start = std::chrono::steady_clock::now();
  engine::CandidateSource& candidates = sketch ? sketch->source() : input.source();
  engine::ResultSink* const sink = sketch && sketch->sink() != nullptr ? sketch->sink() : &rows;
  const auto error =
      engine::evaluate(candidates, cases, request.options, results, sink, &bar, interrupt.token());
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  bar.clear();
  interrupt.work_ended();
  if (error && error->is_of_device) return device_error(error->message, error->remedy, terminal);
  if (error) return terminal.input_error(error->text());
  if (interrupt.requested()) results.complete = false;
  const MaybeFileError problem = results.complete && !sketch ? input.problem() : std::nullopt;
  if (rows.rows() == 0 && results.complete)
    return problem ? terminal.input_error(problem->message, problem->remedy)
                   : terminal.input_error("there are no candidates",
                                          "give program files, a folder of them, or JSONL");
  const std::string summary = sketch ? sketch->summary(request.options) : "";
  Exit exit = show_results(request, results, rows, device.name, summary, terminal);
  if (problem) exit = terminal.input_error(problem->message, problem->remedy);
  if (terminal.err.is_terminal())
    terminal.err.write(speed_line(time.count(), rows.rows(), input.bytes_read()));
  return exit;
}

// What cannot be asked for together; empty: all is well.
std::string find_conflict(const Args& args) {
  if (!args.value("harness")) {
    if (args.has("maximize") || args.has("minimize"))
      return "`--maximize` and `--minimize` are for a `--harness`, whose score they rank by";
    return {};
  }
  if (args.has("maximize") && args.has("minimize")) return "either `--maximize` or `--minimize`";
  for (const std::string_view name : {"score", "tolerance", "signature", "output"})
    if (args.value(name))
      return "a harness scores by itself: `--" + std::string(name) + "` has no meaning with it";
  return {};
}

// Compiles the harness, and takes from it what every candidate is run with.
Exit take_harness(Request& request, engine::ModuleLoader& modules, Terminal& terminal) {
  engine::EvaluateOptions& options = request.options;
  const Exit opened =
      open_harness(request.harness_path, options.entry, modules, terminal, options.harness);
  if (opened != Exit::Success) return opened;
  const CodeView code = modules.library()[options.harness].code.view();
  options.signature = engine::signature_of(code, code.functions[code.find_function(options.entry)]);
  return Exit::Success;
}

Exit run(Args& args, Terminal& terminal) {
  return run_evaluation(EvaluationKind::Eval, args, terminal);
}

}  // namespace

Exit run_evaluation(EvaluationKind kind, Args& args, Terminal& terminal) {
  Request request = read_request(kind, args);
  const std::string_view command = request.command();
  if (!args.error().empty()) return terminal.usage_error(command, args.error());
  if (args.has_rest) return terminal.usage_error(command, "`--` has no meaning here");
  if (const std::string conflict = find_conflict(args); !conflict.empty())
    return terminal.usage_error(command, conflict);
  if (const auto text = args.value("signature")) {
    engine::SignatureText read = engine::read_signature(*text);
    if (!read.problem.empty())
      return terminal.usage_error(command, "`--signature` is no signature: " + read.problem +
                                               "; write it as in a program, such as "
                                               "`fn(x: f64, y: i64) -> f64`");
    request.options.signature = std::move(read.signature);
  }
  if (request.candidates.empty())
    return terminal.usage_error(
        command,
        request.search ? "name a sketch" : "no candidates: name files, folders, a .jsonl or `-`");
  if (request.cases_path.empty() && request.harness_path.empty())
    return terminal.usage_error(command, "no cases: add `--cases FILE`");

  // Said now, not after the work.
  if (const auto error = request.json_path.empty() || request.json_path == "-"
                             ? std::nullopt
                             : check_writable(request.json_path))
    return terminal.input_error(error->message, error->remedy);
  // Modules are looked for beside the harness first.
  Project project(
      request.harness_path.empty() ? std::string(request.candidates[0]) : request.harness_path,
      {.stack_limit = request.options.stack_limit});
  project.files().add_folder_of(std::string(request.candidates[0]));
  request.options.modules = &project.modules();
  if (request.options.fix) project.modules().load(standard_use_items());  // a fix may name any
  if (!request.harness_path.empty())
    if (const Exit opened = take_harness(request, project.modules(), terminal);
        opened != Exit::Success)
      return opened;
  engine::CasesTable cases = engine::single_case();
  if (!request.cases_path.empty()) {
    std::string bytes;
    if (const auto error = read_file(request.cases_path, bytes))
      return terminal.input_error(error->message, error->remedy);
    if (const auto error =
            engine::read_cases(request.cases_path, std::move(bytes), request.fields, cases))
      return terminal.input_error(error->text());
  }
  return evaluate_request(request, cases, terminal);
}

constinit const Command kEvalCommand = {
    .name = "eval",
    .summary = "compile, run and rank many candidate programs on cases",
    .usage =
        "  komuz eval CANDIDATES… --cases FILE [OPTIONS]\n"
        "  komuz eval CANDIDATES… --harness FILE [--cases FILE] [OPTIONS]\n"
        "CANDIDATES are program files, folders (all *.komuz below them), a .jsonl with\n"
        "{\"id\": …, \"source\": …} on each line, or `-` for such lines on standard input.\n",
    .examples =
        "  komuz eval examples/regression/candidates.jsonl --cases examples/regression/cases.csv "
        "\\\n"
        "      --score squared --top 5\n"
        "  komuz eval examples/collatz --cases examples/collatz/cases.jsonl \\\n"
        "      --input input1 --output output1\n"
        "  komuz eval examples/braking/candidates --harness examples/braking/harness.komuz \\\n"
        "      --cases examples/braking/roads.csv --minimize\n"
        "  komuz eval a.komuz b.komuz --cases cases.csv --tolerance 1e-9 --json report.json\n"
        "  ./proposer | komuz eval - --cases cases.csv --json -    # a line out for each line in\n",
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli
