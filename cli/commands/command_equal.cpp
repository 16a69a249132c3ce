// SPDX-License-Identifier: Apache-2.0
// komuz equal: compares functions with a reference: a proof, an input that refutes, or a bound.
#include <nlohmann/json.hpp>

#include "base/counts.h"
#include "cli/commands/command.h"
#include "cli/files/json_line.h"
#include "cli/process/interrupt.h"
#include "cli/programs/native_run.h"
#include "cli/programs/program.h"
#include "engine/cases/signature.h"
#include "services/results/equality_text.h"

namespace komuz::cli {
namespace {

constexpr OptionRow kOptions[] = {
    {"entry", "NAME", "the functions to compare; default: the only `pub fn` of each"},
    {"fuel", "RULE", "what is asked of ticks: any (default), less (not more), or same",
     one_of(neural::kFuelRuleNames)},
    {"inputs", "N", "guided inputs that are run where there is no proof (default 10000)"},
    {"seed", "N", "of the inputs (default 0)"},
    {"ticks", "N", "ticks that each run may use (default 100000)"},
    {"confidence", "P", "of the bound that is given without a proof (default 0.95)"},
    {"resources", "N",
     "work of the solver, in its own units (default 4000000); 0: only the same terms are a proof"},
    {"time-limit", "T",
     "ends the solver's work on one question after so long, such as 10s; the runs of the functions "
     "are bounded by --inputs and --ticks"},
    {"accept-tested", "",
     "exit with 0 also where inputs were compared and showed no difference, without a proof"},
    kNativeOption,
    {"json", "", "one object for each comparison, one a line"},
};

struct Reference {
  Program program;
  u32 function = 0;
};

class Equal {
 public:
  Equal(const Args& args, const neural::EqualityOptions& options, Terminal& terminal)
      : args_(args), options_(options), terminal_(terminal) {}

  Exit run() {
    const ErrorForm form = args_.has("json") ? ErrorForm::Lines : ErrorForm::Text;
    if (const Exit loaded = load_correct_program(std::string(args_.positional[0]), form, terminal_,
                                                 reference_.program);
        loaded != Exit::Success)
      return loaded;
    const engine::EntryChoice entry = entry_of(reference_.program);
    if (!entry.refusal.empty())
      return terminal_.usage_error("equal", reference_.program.path + ": " + entry.refusal);
    reference_.function = static_cast<u32>(entry.function);
    std::vector<std::string> paths;
    const u64 unread = find_programs(std::span(args_.positional).subspan(1), terminal_, paths);
    Exit exit = unread > 0 ? Exit::InputOutput : Exit::Success;
    for (const std::string& path : paths) {
      const Exit compared = compare(path, form);
      if (compared == Exit::Interrupted) return compared;
      exit = worse(exit, compared);
    }
    return exit;
  }

 private:
  // What has to be said of several comparisons: what could not be read before what failed.
  static Exit worse(Exit a, Exit b) {
    constexpr Exit kOrder[] = {Exit::Success, Exit::Unproved, Exit::Failure, Exit::Usage,
                               Exit::InputOutput};
    for (const Exit* at = std::end(kOrder); at != std::begin(kOrder);)
      if (--at; *at == a || *at == b) return *at;
    return a;
  }

  [[nodiscard]] engine::EntryChoice entry_of(const Program& program) const {
    return engine::choose_entry(program.code.view(), args_.value("entry").value_or(""));
  }
  // Says that a candidate cannot be compared; the others can.
  Exit refuse(const std::string& path, const std::string& why, const std::string& remedy) {
    if (args_.has("json"))
      terminal_.out.write(
          json_line(services::refused_comparison_json(reference_.program.path, path, why)));
    else
      terminal_.error(path + ": " + why, remedy);
    return Exit::Usage;
  }

  Exit compare(const std::string& path, ErrorForm form) {
    Program candidate;
    if (const Exit loaded = load_correct_program(path, form, terminal_, candidate);
        loaded != Exit::Success)
      return loaded;
    const engine::EntryChoice entry = entry_of(candidate);
    if (!entry.refusal.empty()) return refuse(path, entry.refusal, {});
    static const Library kNoModules;
    const Program& a = reference_.program;
    const services::EqualityQuestion question{
        a.path,
        candidate.path,
        {a.code.view(), reference_.function},
        {candidate.code.view(), static_cast<u32>(entry.function)},
        a.source,
        a.project ? a.project->modules().library() : kNoModules,
        options_};
    const Result<neural::Equality> compared = neural::compare(question.a, question.b, options_);
    if (compared.problem())
      return refuse(path, compared.problem().message(), compared.problem().remedy());
    const neural::Equality& equality = compared.value();
    terminal_.out.write(args_.has("json")
                            ? json_line(services::equality_json(question, equality))
                            : services::equality_text(question, equality, terminal_.out.style()));
    switch (equality.verdict) {
      case neural::Verdict::Proved: return Exit::Success;
      case neural::Verdict::Refuted: return Exit::Failure;
      case neural::Verdict::Interrupted: return Exit::Interrupted;
      case neural::Verdict::Unknown: return Exit::Unproved;
      case neural::Verdict::Tested: break;
    }
    return args_.has("accept-tested") ? Exit::Success : Exit::Unproved;
  }

  const Args& args_;
  const neural::EqualityOptions& options_;
  Terminal& terminal_;
  Reference reference_;
};

Exit run(Args& args, Terminal& terminal) {
  neural::EqualityOptions options;
  options.fuel = static_cast<neural::FuelRule>(args.choice("fuel", "any"));
  options.inputs = args.number("inputs", neural::kDefaultInputs, 1, u64{1} << 40);
  options.seed = args.number("seed", 0, 0, ~u64{0});
  options.ticks = args.number("ticks", neural::kDefaultTicks, 1, u64{1} << 62);
  options.resources = args.number("resources", neural::kProofResources, 0, 0xFFFF'FFFF);
  options.proves_by_terms_alone = options.resources == 0;
  options.confidence = args.amount("confidence", options.confidence);
  if (const auto limit = args.duration("time-limit"))
    options.time_limit_ms = static_cast<u32>(std::min<i64>(limit->count(), ~0u));
  NativeRun native(args, terminal);
  if (!args.error().empty()) return terminal.usage_error("equal", args.error());
  if (args.has_rest) return terminal.usage_error("equal", "`--` has no meaning here");
  if (args.positional.size() < 2)
    return terminal.usage_error("equal",
                                "name a reference and what is compared with it: `komuz equal A B`");
  if (options.confidence <= 0 || options.confidence >= 1)
    return terminal.usage_error("equal",
                                "`--confidence` is a number between 0 and 1, such as 0.99");
  const Interrupt interrupt;
  const std::stop_token stop = interrupt.token();
  options.stop = &stop;
  options.native = native.tier();
  const Exit exit = Equal(args, options, terminal).run();
  if (exit == Exit::Interrupted) terminal.error("interrupted");
  return exit;
}

}  // namespace

constinit const Command kEqualCommand = {
    .name = "equal",
    .summary = "prove that functions are equal, or find an input that tells them apart",
    .usage =
        "  komuz equal A FILES… [--entry NAME] [--fuel less | same] [--json]\n"
        "Compares the entry of A with that of each of FILES, programs or folders of them.\n",
    .examples =
        "  komuz equal slow.komuz fast.komuz\n"
        "  komuz equal reference.komuz candidates --fuel less --json\n",
    .arguments = {files(kProgramEndings)},
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli
