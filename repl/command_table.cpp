// SPDX-License-Identifier: Apache-2.0
#include "repl/command_table.h"

#include <algorithm>

namespace komuz::repl {

std::span<const CommandRow> CommandRow::all() {
  static constexpr CommandRow kRows[] = {
      {"help", "[GROUP | COMMAND]", "all groups, the commands of one, a command, or the `keys`",
       ":help ranking", &Commands::help, Section::Session,
       "Each command has an example. `?` alone is `:help`."},
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
      {"lsp", "[PORT | off] [input]", "let editors connect to this session", ":lsp 8940",
       &Commands::lsp, Section::Session,
       "They know what it has defined, and rank sketches on its cases; docs/lsp.md says how each "
       "is set up. Without PORT it is any that is free. With `input`, editors may define items "
       "here, too. `off` ends it."},
      {"quit", "", "end the session; so does the end of the input", ":quit", &Commands::quit,
       Section::Session, "", "exit bye end x"},
      {"load", "FILE", "take the definitions of a program", ":load examples/tour.komuz",
       &Commands::load, Section::Files},
      {"reload", "", "load all files that were loaded once more", ":reload", &Commands::reload,
       Section::Files},
      {"import", "TOOL FILE [NAME]", "define what the formulas of another tool mean",
       ":import sympy formulas.txt", &Commands::import, Section::Files,
       "As `komuz import --from TOOL FILE` does. A formula becomes a function with the name of the "
       "file, or NAME; several have the numbers of their lines behind it."},
      {"watch", "[FILE]", "load a file, and again whenever it changes", ":watch lib.komuz",
       &Commands::watch, Section::Files,
       "The session checks the file before it evaluates an input and, on a terminal, while it "
       "waits "
       "for keys. Without a name no file is watched any more."},
      {"save", "FILE", "write a file that restores this session", ":save session.komuz",
       &Commands::save, Section::Files},
      {"type", "EXPR", "the type of an expression, which is not run",
       ":type [1, 2].map(x => f64(x)).sum()", &Commands::type, Section::Language},
      {"doc", "NAME", "what a name of the session, a built-in name or a name of a module means",
       ":doc clamp", &Commands::doc, Section::Language, "For a variable, its type and value."},
      {"explain", "CODE | WORDS", "what a diagnostic or a trap means, with examples",
       ":explain K0301", &Commands::explain, Section::Language,
       "CODE is a code such as `K0301`, or 301 for short, or the name of a trap such as "
       "`DIV_ZERO`. "
       "WORDS, as in `:explain closed bracket`, list the codes whose texts have all of them."},
      {"tokens", "TEXT", "what the lexer makes of a text", ":tokens 1 + x", &Commands::tokens,
       Section::Compiler},
      {"tree", "EXPR", "the tree of the function that an expression becomes", ":tree 1 + 2 * 3",
       &Commands::tree, Section::Compiler},
      {"code", "EXPR", "the bytecode of an expression", ":code sqrt(2.0)", &Commands::code,
       Section::Compiler},
      {"cost", "EXPR", "the bytes of code and of stack of an expression, and the ticks of a run",
       ":cost (0..100).map(i => i * i).sum()", &Commands::cost, Section::Compiler},
      {"time", "EXPR", "how long an expression takes to compile and to run",
       ":time (0..1000).map(i => i * i).sum()", &Commands::time, Section::Compiler},
      {"bench", "EXPR", "how long a run takes, mean and deviation of many",
       ":bench (0..1000).map(i => i * i).sum()", &Commands::bench, Section::Compiler},
      {"cases", "[FILE] [COLUMN] [OPTIONS] [TYPES]",
       "cases for lines that name columns; `none` ends that", ":cases data.csv z (x: f64, y: f64)",
       &Commands::cases, Section::Table,
       "Lines with holes run on the cases, too. COLUMN is the column of what is expected; default: "
       "`expected`. A name with blanks stands in double quotes. TYPES are the types of the other "
       "columns; default: the narrowest type that fits the rows. OPTIONS are `--separator CHAR`, "
       "`--decimal MARK`, `--skip-missing`, `--weights COLUMN` and `--input COLUMN=NAME` of `komuz "
       "eval`."},
      {"data", "", "the columns of the cases, each with its type and range", ":data",
       &Commands::data, Section::Table, "For texts and lists, it is the range of their lengths."},
      {"score", "[KIND] [NUMBERS]", "how variants are ranked: exact, squared, maximize, …",
       ":score squared", &Commands::score, Section::Table,
       // clang-format off
       "KIND is auto"
#define SCORE(Name, name, ...) ", " name
#include "engine/scores/score_kinds.def"
       ", which compare with `expected`; or maximize or minimize, which rank by the value of the line. auto is the "
       // clang-format on
       "default: squared for floats, unless cases have tolerances of their own, else exact. exact "
       "takes T and F, as in `:score exact 1e-9 0.001`: |actual - expected| <= T * max(F, "
       "|actual|, "
       "|expected|). relative takes F, as what numbers nearer to 0 count; huber and log-cosh take "
       "D, "
       "the distance from which on errors are no squares; quantile takes Q, the share of cases "
       "that "
       "are to lie below. Without them they follow from the cases."},
      {"split", "[SHARE] [SEED]", "hold out a share of the cases; `none` ends that", ":split 0.2 7",
       &Commands::split, Section::Table,
       "Lines are ranked on the others, and the shown variants run on those that are held out, as "
       "with `komuz eval --split`. SEED draws them; default 0."},
      {"fit", "[COLUMN] [TIME | GENERATIONS]", "look for a formula for a column of the cases",
       ":fit period 30s", &Commands::fit, Section::Table,
       "As `komuz fit` does, with its defaults, for 10 seconds if nothing is said. COLUMN is by "
       "default the one that is expected. The formula that it takes becomes a function of the "
       "session."},
      {"harness", "FILE", "take a harness, whose open functions inputs define",
       ":harness examples/braking/harness.komuz", &Commands::harness, Section::Table,
       "A line that calls the harness is ranked by its value, as `komuz eval --harness` ranks "
       "programs. Say `:score minimize`, define the open functions, with holes such as "
       "`?k(0.0..=1.0, steps: 5)`, and write `score(distance, speed, grip)`. `:load` takes a "
       "harness, too."},
      {"budget", "[TICKS]", "ticks for the endless cases of a variant; `none` states no budget",
       ":budget 1000000", &Commands::budget, Section::Runs,
       "The budget is for all cases of a variant together that take all of `:fuel`. A variant that "
       "takes more is `unscored`. The default depends on what the other variants take."},
      {"samples", "[N] [SEED]", "draw N of the variants of a line; `all` ends that",
       ":samples 10000 7", &Commands::samples, Section::Runs,
       "By default 100,000 are drawn if a line has more than 1,000,000 variants. A line with "
       "`?c(real)` is searched, and none are drawn of it."},
      {"device", "[NAME]", "what lines with holes run on: auto, cpu, cuda or cuda:0,1",
       ":device cpu", &Commands::device, Section::Runs},
      {"native", "[WHEN | EXPR]", "machine code for what runs long: never, auto or always",
       ":native auto", &Commands::native, Section::Runs,
       "Results are the same. Alone it says what was compiled, and what that took and gained. With "
       "an expression it shows the machine code of it and of the functions that it calls."},
      {"search", "[METHOD] [N]", "look for good variants, in N generations", ":search evolve 20",
       &Commands::search, Section::Runs,
       "METHOD is evolve, lexicase, local or random. A generation is 500 variants; N is 100."},
      {"variants", "", "the decisions of the last line with holes", ":variants",
       &Commands::variants, Section::Runs},
      {"top", "[N]", "how many rows are shown; the ranking again", ":top 20", &Commands::top,
       Section::Ranking},
      {"fill", "[#I | @R]", "a variant as a plain program", ":fill @2", &Commands::fill,
       Section::Ranking,
       "#I is its name. @R is its rank in the last table, a number of the column `rank`, which "
       "counts copies, too; without either it is the best, @1. With the score correlation it has "
       "the line that the score fits."},
      {"why", "[#I | @R]", "the first case that a variant fails, or its worst one", ":why @2",
       &Commands::why, Section::Ranking, "Without a variant it is the best, @1."},
      {"diff", "[#I] [#J]", "how the programs of two variants differ", ":diff @1 #5",
       &Commands::diff, Section::Ranking,
       "@R is a rank in the last table. One variant is compared with the best; without any it is "
       "the best two."},
      {"keep", "[#I | @R] [NAME]", "define a function that is a variant; `kept`, or NAME",
       ":keep @1 best", &Commands::keep, Section::Ranking,
       "Without a variant it is the best, @1. Otherwise as `:fill`."},
      {"distinct", "", "the ranking, with one row for each behaviour", ":distinct",
       &Commands::distinct, Section::Ranking},
      {"pareto", "", "what is on the front of score, fuel and bytes", ":pareto", &Commands::pareto,
       Section::Ranking},
      {"plot", "[fit | COLUMN]", "draw score against size, the best one's fit, or a column",
       ":plot fit", &Commands::plot, Section::Ranking,
       "`fit` draws what the best variant gives, with the score correlation on its line, against "
       "what is expected. COLUMN draws what is "
       "expected over a column of the cases and, after a line was ranked, what the best variant "
       "gives."},
      {"export", "[FILE]", "write a report (.json), charts (.svg), the best (.komuz)",
       ":export ranking.json", &Commands::export_results, Section::Ranking,
       "After `:fit` the formula is what is best, and without FILE it is shown. "
       "The best program is written in another language if the ending says so: .py, .c, .cu, .jl, "
       ".rs, .js, .sql, .tex or .mathml. `komuz export` has more of them, and options."},
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
