// SPDX-License-Identifier: Apache-2.0
// komuz fill: writes a variant of a sketch as a plain program.
#include "cli/commands/command.h"
#include "cli/programs/sketch_file.h"
#include "engine/sketch/fill.h"
#include "engine/sketch/sketch_candidates.h"
#include "services/format.h"
#include "services/simplify/simplify.h"

namespace komuz::cli {
namespace {

constexpr OptionRow kOptions[] = {
    {"literal", {}, "print the text of the sketch with its holes filled, and simplify nothing"},
    kHarnessOption,
    kHarnessEntryOption,
};

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
  if (args.has("literal")) {
    frontend::Compiler compiler;
    const services::Formatted formatted = services::format(compiler, text);
    terminal.out.write(formatted.ok ? formatted.text : text);
    return Exit::Success;
  }
  const Library* const library =
      file.program.project ? &file.program.project->modules().library() : nullptr;
  terminal.out.write(services::simplified_text(text, library));
  return Exit::Success;
}

}  // namespace

constinit const Command kFillCommand = {
    .name = "fill",
    .summary = "print a variant of a sketch as a plain program",
    .usage =
        "  komuz fill SKETCH VARIANT [--literal] [--harness FILE]\n"
        "VARIANT is the number of a variant, as `komuz eval` shows it: '#12'. If the sketch has\n"
        "2^64 variants or more, VARIANT is the list of its decisions: '#[3,0,17]'. The program is\n"
        "simplified: it gives the same values, to the bit, for the same fuel.\n",
    .examples =
        "  komuz fill examples/sketches/formula.komuz '#123'\n"
        "  komuz fill examples/sketches/formula.komuz '#123' > best.komuz\n",
    .arguments = {files("komuz"), 1},
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli
