// SPDX-License-Identifier: Apache-2.0
// Results for people: the ranking as a table, and the counts as a line.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/results/equal_ids.h"
#include "engine/results/results.h"
#include "engine/search/search.h"
#include "services/excerpt.h"

namespace komuz::services {

// "0.25", or "-" if there is none. Six digits suffice to compare by eye; the JSON report has all digits.
[[nodiscard]] std::string score_text(engine::ScoreKind score, const engine::ResultRow& row);

// The word for cases that are as expected. Beside a sum of errors their number does not measure a program's quality.
[[nodiscard]] std::string_view passed_word(engine::ScoreKind score);

enum class TableRows : u8 { Best, Behaviours, ParetoFront };
// The best `most` programs, or the best one of each of the best behaviours, or those on the front. A repeated program
// is shown once, since its copies have the same result and later ranks.
[[nodiscard]] std::vector<u32> shown_rows(const engine::Results& results, TableRows which,
                                          size_t most);
// The text of a row's program on one line.
using ProgramText = std::function<std::string(u32 row)>;
// The same text with escape sequences for its colours.
using PaintProgram = std::function<std::string(std::string_view program)>;
// What is shown of programs: the whole program on a line, or a sketch's decisions as decided_text() writes them.
enum class ProgramForm : u8 { Line, Decided };
struct ShownPrograms {
  ProgramForm form = ProgramForm::Line;
  ProgramText text = {};  // empty: nothing
  PaintProgram paint = {};
};
// Rank, id, status, score, passed/cases, fuel, bytes, and the number of copies; with programs, these as well. Beside
// program lines there is no passed/cases, a status only where one is not "ok", and no id of more than 40 columns.
// `width`: the width of lines, as far as possible: programs and ids are cut, and columns left out. Without a width
// only very long programs are cut. Ranks are those among all candidates; behaviours are ranked by themselves.
inline constexpr u32 kShortIdWidth = 40;
[[nodiscard]] std::string ranking_table(const engine::Results& results, TableRows which,
                                        std::span<const u32> shown, std::optional<u32> width,
                                        const RenderStyle& style,
                                        const ShownPrograms& programs = {});
// Longer programs are cut.
inline constexpr u32 kMostProgramWidth = 400;
// A remark on all candidates; empty if there is none.
struct Note {
  std::string message, remedy;
};
// Several candidates have the same id.
[[nodiscard]] Note equal_ids_note(const engine::EqualIds& equal);
// A column has the name of a constant of the language.
[[nodiscard]] Note constants_note(const engine::CasesTable& cases);
// Columns whose names no program can use have others in programs.
[[nodiscard]] Note names_note(const engine::CasesTable& cases);
// Parameters that are indicators of a column of texts.
[[nodiscard]] Note indicators_note(const engine::CasesTable& cases,
                                   const engine::CaseArguments& arguments);
// Rows are left out, in which a cell is missing.
[[nodiscard]] Note left_out_note(const engine::CasesTable& cases);
// So many of the cases are about to be held out (engine/cases/split_cases.h), and what was left out before. `remedy`: how others are
// drawn.
[[nodiscard]] Note split_note(const engine::CasesTable& cases, u64 held_out,
                              std::string_view remedy);
// More programs were refused for other signatures than were run.
[[nodiscard]] Note signature_note(const engine::Results& results);
// Floats are compared bit by bit, and the best candidate, whose results are values, passes no case.
[[nodiscard]] Note exact_note(const engine::Results& results);
// Parameters take several inputs in their order, whatever their names.
[[nodiscard]] Note order_note(const engine::Results& results,
                              const std::vector<std::string>& inputs);
// Squares are in a unit of their own, or a tolerance has no scale.
[[nodiscard]] Note scale_note(const engine::Results& results);

// How far a search came: "15 generations", and whether these cover all variants.
[[nodiscard]] std::string search_line(const engine::SearchCandidates& search);

// "4 programs on the Pareto front of score, fuel and bytes"
[[nodiscard]] std::string front_line(const engine::Results& results);

// "held out: c07342 ok, score 0.00168192, 40/44 passed", and the first case that it failed, if any, in lines of
// `width` columns; empty if nothing was held out.
[[nodiscard]] std::string held_out_text(const engine::Results& results, u32 width);

// "10,000 candidates on 256 cases: 9,212 ok, 301 trapped, 300 do not compile; 187 are duplicates"
[[nodiscard]] std::string counts_line(const engine::Results& results);

}  // namespace komuz::services
