// SPDX-License-Identifier: Apache-2.0
// komuz shards: a command line of `komuz eval` in, the scripts that run it in parts out.
#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "base/counts.h"
#include "base/machine/memory.h"
#include "cli/cluster/shard_scripts.h"
#include "cli/commands/command.h"
#include "cli/evaluation/evaluation.h"
#include "cli/files/file_writer.h"
#include "engine/candidates/evaluate_options.h"

namespace komuz::cli {
namespace {

namespace fs = std::filesystem;

constexpr OptionRow kOptions[] = {
    {"of", "N", "how many parts"},
    {"slurm", "DIR", "write an array of jobs for Slurm into this folder, and `DIR/submit`",
     files()},
    {"local", "DIR", "write `DIR/run` instead, which runs the parts on this machine", files()},
    {"at-once", "M",
     "so many parts run at a time at most; default: what Slurm has room for, with --local one for "
     "each processor"},
    {"partition", "NAME", "for Slurm: where the jobs run"},
    {"account", "NAME", "for Slurm: whom the jobs are charged to"},
    {"time", "TIME", "for Slurm: the limit of a job; a part that reaches it can go on"},
    {"mem", "SIZE", "for Slurm: the memory of a job"},
    {"cpus-per-task", "N",
     "for Slurm: the processors of a part, which has as many threads (default 1)"},
    {"sbatch", "OPTION", "for Slurm: any option of sbatch, such as --qos=long; repeat the option"},
};
// They are options of sbatch by the same name, for both jobs.
constexpr std::string_view kJobOptions[] = {"partition", "account", "time", "mem"};
// What the scripts themselves say to sbatch.
constexpr std::string_view kOwnOfSbatch[] = {"--array",    "-a",           "--output", "-o",
                                             "--parsable", "--dependency", "-d",       "--wrap"};

Exit usage(std::string_view message, Terminal& terminal) {
  return terminal.usage_error(kShardsCommand.name, message);
}

bool takes(std::span<const OptionRow> options, std::string_view name) {
  return std::ranges::find(options, name, &OptionRow::name) != options.end();
}
// What is of the whole run goes to the merge. Limits and progress are of each process.
bool is_of_merge(std::string_view name) { return takes(kMergeCommand.options, name); }
bool is_of_part(std::string_view name) {
  return !is_of_merge(name) || name == services::kProgressOption.name ||
         name == services::kMemoryOption.name;
}

// The options of a command line, one word each.
void add_options(const Args& args, bool (*is_taken)(std::string_view),
                 std::vector<std::string>& words) {
  for (const OptionRow& row : kEvalCommand.options) {
    if (!is_taken(row.name) || !args.has(row.name)) continue;
    const std::string word = "--" + std::string(row.name);
    if (row.value.empty()) words.push_back(word);
    for (const std::string_view value : args.values(row.name))
      if (!row.value.empty()) words.push_back(word + "=" + std::string(value));
  }
}

// Options whose values the scripts give, and what jobs cannot read.
Problem find_eval_problem(const Args& eval) {
  for (const OptionRow& row : {services::kLogOption, services::kResumeOption})
    if (eval.has(row.name))
      return input_problem("each part has its own log in DIR/logs: leave out `--" +
                           std::string(row.name) + "`");
  if (eval.has("shard"))
    return input_problem("`--of N` says how many parts there are: leave out `--shard`");
  if (eval.value(services::kWorstOption.name).value_or("0") != "0" && eval.value("top") != "1")
    return input_problem(
        "logs have no cases, so `--worst` is of the best candidate alone: add `--top 1`, or leave "
        "it "
        "out");
  std::vector<std::string_view> inputs = eval.positional;
  for (const std::string_view name : {"cases", "harness"})
    if (const auto path = eval.value(name)) inputs.push_back(*path);
  for (const std::string_view input : inputs) {
    std::error_code ignored;
    const fs::file_status status = fs::status(fs::path(input), ignored);
    if (input == "-" ||
        (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status)))
      return input_problem("every part reads `" + std::string(input) +
                           "` again, and it is a stream: write it to a file");
  }
  return {};
}

// As `komuz eval` would be begun, on this machine, which needs no GPU for it.
Exit check_eval(Args& eval, u32 parts, Terminal& terminal) {
  if (const Problem wrong = services::device_choice(eval).problem())
    return terminal.usage_error(kEvalCommand.name, wrong.text());
  static_cast<void>(eval.duration(services::kProgressOption.name));
  static_cast<void>(eval.bytes(services::kMemoryOption.name, 0));
  static_cast<void>(eval.duration(services::kWaitOption.name));
  if (!eval.error().empty()) return terminal.usage_error(kEvalCommand.name, eval.error());
  std::vector<std::string> words(eval.positional.begin(), eval.positional.end());
  add_options(
      eval,
      [](std::string_view name) {
        return name != services::kDeviceOption.name && name != services::kWaitOption.name;
      },
      words);
  words.push_back("--device=cpu");
  words.push_back("--shard=" + engine::shard_text({0, parts}));
  const std::vector<std::string_view> views(words.begin(), words.end());
  Args args(kEvalCommand.options, views);
  return run_evaluation(services::EvaluationKind::Check, args, terminal);
}

// Options of sbatch. They are lines of a script.
Problem read_sbatch(Args& args, ShardPlan& plan) {
  for (const std::string_view name : kJobOptions)
    if (const auto value = args.value(name)) {
      if (value->empty()) return input_problem("`--" + std::string(name) + "` has an empty value");
      plan.job_lines.push_back(sbatch_option(name, *value));
    }
  const u64 processors = args.number("cpus-per-task", 1, 1, 1024);
  if (args.has("cpus-per-task"))
    plan.array_lines.push_back(sbatch_option("cpus-per-task", std::to_string(processors)));
  for (const std::string_view option : args.values("sbatch")) {
    if (!option.starts_with('-'))
      return input_problem(
          "`--sbatch` takes an option of sbatch, such as `--sbatch=--qos=long`, not `" +
          std::string(option) + "`");
    const std::string_view word = option.substr(0, option.find_first_of("= "));
    if (std::ranges::find(kOwnOfSbatch, word) != std::end(kOwnOfSbatch))
      return input_problem("the scripts say `" + std::string(word) +
                           "` to sbatch themselves: leave it out of `--sbatch`");
    plan.job_lines.emplace_back(option);
  }
  for (const std::string& line : plan.job_lines)
    if (std::ranges::any_of(line, [](char c) { return static_cast<unsigned char>(c) < ' '; }))
      return input_problem(
          "options of sbatch are lines of a script, and one has a control character");
  return {};
}

// Names of outputs with a backslash mean something else to Slurm.
constexpr char kNotInSlurmNames = '\\';

// Logs that are there already are gone on with, if they are of the same command line.
Problem find_folder_problem(const ShardPlan& plan, const Script& first) {
  if (!services::exists(plan.folder)) return {};
  if (!services::is_folder(plan.folder))
    return input_problem({}, plan.folder + " is no folder", "name one");
  const std::string path = plan.folder + "/" + first.name;
  std::error_code ignored;
  if (!services::exists(path))
    return fs::is_empty(plan.folder, ignored)
               ? Problem()
               : input_problem({}, plan.folder + " is not empty", "name a new folder");
  std::string text;
  if (Problem unread = services::read_file(path, text)) return unread;
  return text == first.text
             ? Problem()
             : input_problem({}, plan.folder + " has the parts of another command line",
                             "name another folder, or remove this one");
}

Problem write_scripts(const ShardPlan& plan, std::span<const Script> scripts) {
  for (const std::string_view inner : {"logs", "output"}) {
    const std::string path = plan.folder + "/" + std::string(inner);
    std::error_code error;
    fs::create_directories(path, error);
    if (error) {
      errno = error.value();
      return services::system_error("write", path);
    }
  }
  for (const Script& script : scripts) {
    const std::string path = plan.folder + "/" + script.name;
    if (Problem unwritten = write_file(path, script.text)) return unwritten;
    std::error_code error;
    fs::permissions(path, fs::perms::owner_exec, fs::perm_options::add, error);
    if (error) {
      errno = error.value();
      return services::system_error("write", path);
    }
  }
  return {};
}

Exit run(Args& args, Terminal& terminal) {
  const bool is_slurm = args.has("slurm");
  if (is_slurm == args.has("local"))
    return usage("say how the parts are run: either `--slurm DIR` or `--local DIR`", terminal);
  if (!args.positional.empty() || args.rest.empty())
    return usage(
        "the command line to run in parts follows `--`: `-- eval CANDIDATES… --cases FILE`",
        terminal);
  if (args.rest[0] == kSearchCommand.name)
    return usage(
        "a search cannot be split, as each generation depends on the one before: run some "
        "with other seeds",
        terminal);
  if (args.rest[0] != kEvalCommand.name)
    return usage("`komuz eval` alone has parts: write `-- eval CANDIDATES… --cases FILE`, not `" +
                     std::string(args.rest[0]) + "`",
                 terminal);
  if (!is_slurm)
    for (const OptionRow& row : kOptions)
      if (row.help.starts_with("for Slurm") && args.has(row.name))
        return usage("`--" + std::string(row.name) + "` is for `--slurm DIR`", terminal);
  ShardPlan plan;
  if (!args.has("of")) return usage("say how many parts there are: `--of N`", terminal);
  plan.parts = static_cast<u32>(args.number("of", 1, 1, engine::Shard::kMost));
  if (args.has("at-once"))
    plan.at_once = static_cast<u32>(args.number("at-once", 1, 1, engine::Shard::kMost));
  const Problem wrong = read_sbatch(args, plan);
  if (!args.error().empty()) return usage(args.error(), terminal);
  if (wrong) return usage(wrong.message(), terminal);

  Args eval(kEvalCommand.options, std::span(args.rest).subspan(1));
  if (eval.has_rest) return usage("a second `--` has no meaning here", terminal);
  if (!eval.error().empty()) return terminal.usage_error(kEvalCommand.name, eval.error());
  if (const Problem problem = find_eval_problem(eval)) return usage(problem.message(), terminal);
  if (const Exit checked = check_eval(eval, plan.parts, terminal); checked != Exit::Success)
    return checked;

  std::error_code error;
  const fs::path place = fs::current_path(error);
  const std::string_view folder = *args.value(is_slurm ? "slurm" : "local");
  plan.place = place.string();
  plan.folder = fs::absolute(fs::path(folder), error).lexically_normal().string();
  while (plan.folder.size() > 1 && plan.folder.ends_with('/')) plan.folder.pop_back();
  if (is_slurm && plan.folder.find(kNotInSlurmNames) != std::string::npos)
    return usage(
        "`--slurm` takes no folder with a backslash in its path, which Slurm reads in its "
        "own way: name another",
        terminal);
  plan.komuz = fs::read_symlink("/proc/self/exe", error).string();
  plan.eval_words.assign(eval.positional.begin(), eval.positional.end());
  add_options(eval, is_of_part, plan.eval_words);
  // It wants a report, which is the merge's.
  if (eval.has(services::kCaseScoresOption.name)) plan.eval_words.emplace_back("--json=/dev/null");
  add_options(eval, is_of_merge, plan.merge_words);
  plan.states_threads = eval.has(services::kThreadsOption.name);
  plan.states_wait = eval.has(services::kWaitOption.name);
  const std::vector<Script> scripts =
      shard_scripts(plan, is_slurm ? ShardWay::Slurm : ShardWay::Local);
  Problem problem = find_folder_problem(plan, scripts.front());
  if (!problem) problem = write_scripts(plan, scripts);
  if (problem) return terminal.input_error(problem.message(), problem.remedy());
  terminal.out.write(plan.folder + " has scripts for " + counted(plan.parts, "part") +
                     "; start them, and go on after failures, by " + plan.folder + "/" +
                     scripts.back().name + "\n");
  return Exit::Success;
}

}  // namespace

constinit const Command kShardsCommand = {
    .name = "shards",
    .summary = "write the scripts that run `eval` in parts: as an array of Slurm, or locally",
    .usage =
        "  komuz shards --of N --slurm DIR [OPTIONS] -- eval ARGUMENTS…\n"
        "  komuz shards --of N --local DIR [--at-once M] -- eval ARGUMENTS…\n"
        "The command line behind `--` is that of one `komuz eval`. It is checked now, up to the\n"
        "first candidate. `DIR/submit` submits the parts, and a job that merges them: into the\n"
        "table, and into `--json`, `--best` and `--plot` with the same bytes as without parts.\n"
        "Called again after failures, it submits what is left. `DIR/run` does the same here.\n",
    .examples =
        "  komuz shards --of 100 --slurm run1 --time 1:00:00 -- eval pool.jsonl \\\n"
        "      --cases cases.csv --score squared --json report.json\n"
        "  run1/submit\n",
    .arguments = {},
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli
