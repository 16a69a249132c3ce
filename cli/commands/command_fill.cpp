// SPDX-License-Identifier: Apache-2.0
// komuz fill: writes a variant of a sketch as a plain program.
#include "cli/commands/command.h"
#include "cli/programs/sketch_file.h"
#include "engine/sketch/fill.h"
#include "engine/sketch/sketch_candidates.h"
#include "services/format.h"

namespace komuz::cli {
namespace {

constexpr OptionRow kOptions[] = {kHarnessOption, kHarnessEntryOption};

Exit run(Args& args, Terminal& terminal) {
  if (args.has_rest) return terminal.usage_error("fill", "`--` has no meaning here");
  if (args.positional.size() != 2)
    return terminal.usage_error("fill", "name a sketch and one of its variants, such as '#12'");
  std::optional<Harness> harness;
  if (const Exit opened = open_harness(args, "fill", terminal, harness); opened != Exit::Success)
    return opened;
  SketchFile file;
  const Exit loaded =
      load_sketch(std::string(args.positional[0]), harness ? &*harness : nullptr, terminal, file);
  if (loaded != Exit::Success) return loaded;
  engine::Decisions decisions;
  if (const Problem problem = engine::read_variant_name(*file.plan, args.positional[1], decisions))
    return terminal.usage_error("fill", problem.message());
  std::string text;
  (void)engine::Fill(file.program.source, *file.plan).write(decisions, text);
  frontend::Compiler compiler;
  const services::Formatted formatted = services::format(compiler, text);
  terminal.out.write(formatted.ok ? formatted.text : text);
  return Exit::Success;
}

}  // namespace

constinit const Command kFillCommand = {
    .name = "fill",
    .summary = "print a variant of a sketch as a plain program",
    .usage =
        "  komuz fill SKETCH VARIANT [--harness FILE]\n"
        "VARIANT is the number of a variant, as `komuz eval` shows it: '#12'. If the sketch has\n"
        "2^64 variants or more, VARIANT is the list of its decisions: '#[3,0,17]'.\n",
    .examples =
        "  komuz fill examples/sketches/formula.komuz '#123'\n"
        "  komuz fill examples/sketches/formula.komuz '#123' > best.komuz\n",
    .arguments = {files("komuz"), 1},
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli
