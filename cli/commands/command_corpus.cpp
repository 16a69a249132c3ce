// SPDX-License-Identifier: Apache-2.0
// komuz corpus: pairs of generated code and cheaper code, for training.
#include <algorithm>

#include "base/counts.h"
#include "cli/commands/command.h"
#include "cli/evaluation/evaluation.h"
#include "cli/files/file_writer.h"
#include "cli/files/json_line.h"
#include "cli/files/outputs.h"
#include "cli/process/interrupt.h"
#include "cli/programs/model_errors.h"
#include "cli/terminal/bar_watch.h"
#include "mend/near_miss.h"
#include "neural/corpus/corpus.h"
#include "neural/decode/decode.h"
#include "neural/decode/open_model.h"
#include "neural/proof/prover.h"
#include "services/results/corpus_text.h"

#include <nlohmann/json.hpp>

namespace komuz::cli {
namespace {

// What is shown on a screen, and what is written to a file.
constexpr u64 kShown = 10, kWritten = 100'000, kMost = u64{1} << 28;
constexpr u32 kMostSize = 400;

constexpr OptionRow kOptions[] = {
    {"count", "N", "pairs (default 10; 100000 with --output)"},
    {"seed", "N", "of the programs (default 0)"},
    {"output", "FILE", "a file of tensors (safetensors), in place of pairs to read", files(), 'o'},
    {"sizes", "A..B", "nodes of the programs, from A to B (default 3..48)"},
    {"families", "LIST", "of arithmetic, if, let, mixed, recursion, with commas; default: all",
     one_of(gen::kFamilyNames)},
    {"variants", "N", "of each window, by the order of operands and variables (default 2)"},
    {"by", "AUTHOR",
     "who makes the targets: rules (default); teacher, who takes seconds for some; model, with the "
     "rules, where each is proved; compiler: nothing is cheaper",
     one_of(neural::kTeachingNames)},
    {"draws", "N",
     "targets that the model draws, so many for each source, with what each is worth"},
    services::kThreadsOption,
    {"json", "", "one object for each pair, one a line; with --output: what the file has"},
    kProgressOption,
    kMemoryOption,
};

// "3..48"
Problem read_sizes(std::string_view text, neural::CorpusOptions& options) {
  const auto number = [](std::string_view digits, u32& out) {
    if (digits.empty() || digits.size() > 4) return false;
    out = 0;
    for (const char digit : digits) {
      if (digit < '0' || digit > '9') return false;
      out = out * 10 + static_cast<u32>(digit - '0');
    }
    return true;
  };
  const size_t dots = text.find("..");
  if (dots != text.npos && number(text.substr(0, dots), options.least_size) &&
      number(text.substr(dots + 2), options.most_size) && options.least_size >= 2 &&
      options.least_size <= options.most_size && options.most_size <= kMostSize)
    return {};
  return input_problem("`--sizes` takes two numbers from 2 to " + std::to_string(kMostSize) +
                       ", such as `8..16`, not `" + std::string(text) + "`");
}

Problem read_families(std::string_view list, neural::CorpusOptions& options) {
  options.families = 0;
  while (!list.empty()) {
    const std::string_view word = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), word.size() + 1));
    if (word.empty()) continue;
    const auto* const found = std::ranges::find(gen::kFamilyNames, word);
    if (found == std::end(gen::kFamilyNames))
      return input_problem(choice_error("--families", gen::kFamilyNames, word));
    options.families |= 1u << (found - std::begin(gen::kFamilyNames));
  }
  if (options.families != 0) return {};
  return input_problem("`--families` names no family; without it all are taken");
}

Exit write_corpus(const neural::Corpus& corpus, const neural::CorpusOptions& options,
                  const std::string& path, Terminal& terminal) {
  FileWriter file(path);
  if (const Problem problem = file.open())
    return terminal.input_error(problem.message(), problem.remedy());
  neural::write_safetensors(neural::corpus_tensors(corpus),
                            neural::corpus_metadata(corpus, options),
                            [&](std::string_view bytes) { return file.write(bytes); });
  if (const Problem problem = file.close())
    return terminal.input_error(problem.message(), problem.remedy());
  return Exit::Success;
}

Exit run(Args& args, Terminal& terminal) {
  const std::string path(args.value("output").value_or(""));
  neural::CorpusOptions options;
  options.count = args.number("count", path.empty() ? kShown : kWritten, 1, kMost);
  options.seed = args.number("seed", 0, 0, ~u64{0});
  options.variants = static_cast<u32>(args.number("variants", options.variants, 1, 16));
  options.threads = static_cast<u32>(args.number("threads", 0, 1, 1024));
  options.draws = static_cast<u32>(args.number("draws", 0, 2, neural::kMostCandidates));
  options.teaching = static_cast<neural::Teaching>(args.choice("by", "rules"));
  if (!args.error().empty()) return terminal.usage_error("corpus", args.error());
  if (args.has_rest || !args.positional.empty())
    return terminal.usage_error("corpus", "programs are generated: it takes no files");
  if (args.value("by") && args.value("draws"))
    return terminal.usage_error("corpus", "`--draws` are the model's: leave out `--by`");
  if (const auto sizes = args.value("sizes"))
    if (const Problem wrong = read_sizes(*sizes, options))
      return terminal.usage_error("corpus", wrong.message());
  if (const auto families = args.value("families"))
    if (const Problem wrong = read_families(*families, options))
      return terminal.usage_error("corpus", wrong.message());
  if (options.draws > 0 || options.teaching == neural::Teaching::Model) {
    const Result<const neural::Model*> model = neural::open_model();
    if (const Problem& problem = model.problem()) return report_model_problem(problem, terminal);
    options.model = model.value();
  }
  // Without the solver few targets are proved, and the corpus would be another one.
  if (options.teaching == neural::Teaching::Search || options.teaching == neural::Teaching::Model)
    if (const Result<const neural::Prover*> prover = neural::open_prover(); prover.problem())
      return terminal.input_error("`--by " + std::string(*args.value("by")) +
                                      "` proves its targets: " + prover.problem().message(),
                                  prover.problem().remedy());
  const Output outputs[] = {{"--output", path}};
  if (const Exit checked = check_outputs(outputs, {}, terminal); checked != Exit::Success)
    return checked;

  Interrupt interrupt;
  Result<neural::Corpus> made = [&] {
    const BarWatch watch(terminal, &interrupt, interrupt.token());
    return neural::make_corpus(options, watch);
  }();
  if (made.problem())
    return terminal.input_error(made.problem().message(), made.problem().remedy());
  const neural::Corpus& corpus = made.value();
  if (path.empty()) {
    for (u64 pair = 0; pair < corpus.size(); ++pair)
      terminal.out.write(args.has("json") ? json_line(services::pair_json(corpus, options, pair))
                                          : services::pair_text(corpus, options, pair));
  } else {
    if (corpus.is_stopped) {
      terminal.error("interrupted after " + counted(corpus.size(), "pair") +
                     ": no file is written");
      return Exit::Interrupted;
    }
    if (const Exit written = write_corpus(corpus, options, path, terminal);
        written != Exit::Success)
      return written;
    terminal.out.write(args.has("json") ? json_line(services::corpus_json(corpus))
                                        : services::corpus_text(corpus));
  }
  if (!corpus.is_stopped) return Exit::Success;
  terminal.error("interrupted");
  return Exit::Interrupted;
}

}  // namespace

constinit const Command kCorpusCommand = {
    .name = "corpus",
    .summary = "generate pairs of code and cheaper code, to train a model with",
    .usage =
        "  komuz corpus [--count N] [--seed N] [--json]\n"
        "  komuz corpus [--count N] [--seed N] -o FILE\n"
        "Generates functions of scalars and compiles them. For each window, a stretch of code "
        "that\n"
        "only computes, it shows or writes the words of the code and those of cheaper code.\n"
        "The same options give the same bytes, with any number of threads.\n",
    .examples =
        "  komuz corpus --count 3 --families if --sizes 6..12\n"
        "  komuz corpus --count 1000000 --seed 7 -o corpus.safetensors\n",
    .arguments = {},
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli
