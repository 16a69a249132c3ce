// SPDX-License-Identifier: Apache-2.0
#include "repl/command_table.h"

#include <algorithm>

namespace komuz::repl {

std::span<const CommandRow> CommandRow::all() {
  static constexpr CommandRow kRows[] = {
      {"help", "[GROUP | COMMAND]", "all groups, the commands of one, a command, or the `keys`",
       ":help ranking", &Commands::help, Section::Session,
       "Of a command there is an example. `?` alone is `:help`."},
      {"list", "", "the definitions and variables of the session", ":list", &Commands::list,
       Section::Session},
      {"undo", "", "take back the last definition, `let`, `:load` or `:reset`", ":undo",
       &Commands::undo, Section::Session},
      {"reset", "", "forget all definitions and variables", ":reset", &Commands::reset,
       Section::Session},
      {"fuel", "[TICKS]", "how many ticks an input may use", ":fuel 10000000", &Commands::fuel,
       Section::Session},
      {"edit", "", "edit the last input in $VISUAL or $EDITOR; on a terminal", ":edit",
       &Commands::edit, Section::Session},
      {"quit", "", "end the session; so does the end of the input", ":quit", &Commands::quit,
       Section::Session, "", "exit bye end x"},
      {"load", "FILE", "take the definitions of a program", ":load examples/tour.komuz",
       &Commands::load, Section::Files},
      {"reload", "", "load all files that were loaded once more", ":reload", &Commands::reload,
       Section::Files},
      {"watch", "[FILE]", "load a file, and again whenever it has changed", ":watch lib.komuz",
       &Commands::watch, Section::Files,
       "It is looked at before an input is evaluated and, on a terminal, while keys are awaited. "
       "Without a name: no file any more."},
      {"save", "FILE", "write a file that makes this session again", ":save session.komuz",
       &Commands::save, Section::Files},
      {"type", "EXPR", "the type of an expression, which is not run",
       ":type [1, 2].map(x => f64(x)).sum()", &Commands::type, Section::Language},
      {"doc", "NAME", "what a name means: of the session, built in, or of a module", ":doc clamp",
       &Commands::doc, Section::Language, "Of a variable its type and value."},
      {"explain", "CODE | WORDS", "what a diagnostic or a trap means, with examples",
       ":explain K0301", &Commands::explain, Section::Language,
       "CODE is as `K0301`, or 301 for short; or the name of a trap, as `DIV_ZERO`. By words, as "
       "`:explain closed bracket`, those are listed whose texts have all of them."},
      {"tokens", "TEXT", "what the lexer makes of a text", ":tokens 1 + x", &Commands::tokens,
       Section::Compiler},
      {"tree", "EXPR", "the tree of the function that an expression becomes", ":tree 1 + 2 * 3",
       &Commands::tree, Section::Compiler},
      {"code", "EXPR", "its bytecode", ":code sqrt(2.0)", &Commands::code, Section::Compiler},
      {"cost", "EXPR", "its bytes of code and of stack, and the ticks of a run",
       ":cost (0..100).map(i => i * i).sum()", &Commands::cost, Section::Compiler},
      {"time", "EXPR", "how long it takes to compile and to run",
       ":time (0..1000).map(i => i * i).sum()", &Commands::time, Section::Compiler},
      {"bench", "EXPR", "how long a run takes, mean and deviation of many",
       ":bench (0..1000).map(i => i * i).sum()", &Commands::bench, Section::Compiler},
      {"cases", "[FILE] [COLUMN] [TYPES]", "cases for lines that name columns; `none` ends that",
       ":cases data.csv z (x: f64, y: f64)", &Commands::cases, Section::Table,
       "Lines with holes are run on them, too. COLUMN is what is expected; else it is `expected`. "
       "A name with blanks stands in double quotes. TYPES are those of the other columns; else "
       "each has the "
       "narrowest that its rows have."},
      {"data", "", "what the cases hold: of each column its type and range", ":data",
       &Commands::data, Section::Table, "Of texts and lists it is that of their lengths."},
      {"score", "[KIND] [T] [F]", "how variants are ranked: exact, squared, maximize, …",
       ":score squared", &Commands::score, Section::Table,
       "KIND is auto, exact, absolute, squared, relative, r2 or correlation, which compare with "
       "`expected`; or maximize or minimize, by what the line is worth. auto, which holds where "
       "none is stated, is "
       "squared of floats, unless cases have tolerances of their own, else exact. T is the "
       "tolerance of "
       "exact: |actual - expected| <= T * max(F, |actual|, |expected|). F, of relative, too, is "
       "what numbers nearer to 0 count as; else it follows from the cases."},
      {"harness", "FILE", "take a harness, whose open functions inputs define",
       ":harness examples/braking/harness.komuz", &Commands::harness, Section::Table,
       "A line that calls it is ranked by what that is worth, as `komuz eval --harness` ranks "
       "programs: `:score minimize`, define what is open, `?k(0.0..=1.0, steps: 5)` and all, and "
       "write "
       "`score(distance, speed, grip)`. `:load` takes a harness, too."},
      {"budget", "[TICKS]", "ticks for a variant's endless cases; `none` states none",
       ":budget 1000000", &Commands::budget, Section::Runs,
       "It is for those cases of a variant together that take all of `:fuel`; a variant that takes "
       "more is `unscored`. Where none is stated it depends on what the other variants take."},
      {"samples", "[N] [SEED]", "draw N of the variants of a line; `all` ends that",
       ":samples 10000 7", &Commands::samples, Section::Runs,
       "Of lines with more than 1,000,000 variants 100,000 are drawn anyway."},
      {"device", "[NAME]", "what lines with holes run on: auto, cpu or cuda", ":device cpu",
       &Commands::device, Section::Runs},
      {"search", "[METHOD] [N]", "look for good variants, in N generations", ":search evolve 20",
       &Commands::search, Section::Runs,
       "METHOD is evolve, lexicase, local or random. A generation is 500 variants; N is 100."},
      {"variants", "", "what is to be decided in the last line with holes", ":variants",
       &Commands::variants, Section::Runs},
      {"top", "[N]", "how many rows are shown; the ranking again", ":top 20", &Commands::top,
       Section::Ranking},
      {"fill", "#I", "a variant as a plain program", ":fill #3", &Commands::fill, Section::Ranking},
      {"why", "#I", "the first case that a variant fails, or its worst one", ":why #3",
       &Commands::why, Section::Ranking},
      {"diff", "#I #J", "how the programs of two variants differ", ":diff #3 #5", &Commands::diff,
       Section::Ranking},
      {"keep", "#I [NAME]", "define a function that is a variant; `kept`, or NAME", ":keep #3 best",
       &Commands::keep, Section::Ranking},
      {"distinct", "", "the ranking, with one row for each behaviour", ":distinct",
       &Commands::distinct, Section::Ranking},
      {"pareto", "", "what is on the front of score, fuel and bytes", ":pareto", &Commands::pareto,
       Section::Ranking},
      {"plot", "[fit | COLUMN]", "draw score against size, the best one's fit, or a column",
       ":plot fit", &Commands::plot, Section::Ranking,
       "`fit` draws what the best variant gives against what is expected; COLUMN of the cases what "
       "is "
       "expected over it, and what the best variant gives where lines have been ranked."},
      {"export", "FILE", "write a report (.json), charts (.svg), the best (.komuz)",
       ":export ranking.json", &Commands::export_results, Section::Ranking},
  };
  return kRows;
}

const CommandRow* CommandRow::find(std::string_view name) {
  const std::span<const CommandRow> rows = all();
  const auto row = std::ranges::find(rows, name, &CommandRow::name);
  return row == rows.end() ? nullptr : &*row;
}

std::span<const SectionRow> SectionRow::all() {
  using Section = CommandRow::Section;
  static constexpr SectionRow kRows[] = {
      {Section::Session, "session", "what is defined here, and the end"},
      {Section::Files, "files", "programs and sessions that are files"},
      {Section::Language, "language", "what names, types and messages mean"},
      {Section::Compiler, "compiler", "what an expression becomes, and how long it takes"},
      {Section::Table, "table", "the cases that lines are run on, and how they are ranked"},
      {Section::Runs, "runs", "which variants of a line are run, and on what"},
      {Section::Ranking, "ranking", "what became of the variants"},
  };
  return kRows;
}

const SectionRow* SectionRow::find(std::string_view name) {
  const std::span<const SectionRow> rows = all();
  const auto row = std::ranges::find(rows, name, &SectionRow::name);
  return row == rows.end() ? nullptr : &*row;
}

}  // namespace komuz::repl
