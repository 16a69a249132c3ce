// SPDX-License-Identifier: Apache-2.0
// The expression becomes the result of a function of the entry's parameters, behind the statements of the entry that
// precede it.
#include "services/variants/case_values.h"

#include <algorithm>

#include "engine/cases/signature.h"
#include "engine/results/case_arguments.h"
#include "engine/testing/single_run.h"
#include "engine/values/value_text.h"
#include "frontend_gpu/view.h"
#include "lang/type_codes.h"
#include "services/items.h"
#include "services/snippet.h"
#include "services/variants/variant_texts.h"

namespace komuz::services {
namespace {

// Where the statements of a function's body may begin: behind its `{`, and behind each `;` or block in it.
std::vector<u32> statement_begins(std::string_view text, const TextItem& item) {
  frontend::Compiler lexer;
  static_cast<void>(lexer.identify(text));
  const frontend::Columns& c = lexer.columns();
  std::vector<u32> begins;
  i32 depth = 0;
  bool is_in_body = false;
  for (frontend::Index t = 0; t < c.tokens; ++t) {
    const u32 begin = c.token_start[t];
    if (begin < item.head_begin) continue;
    if (begin >= item.end) break;
    const Token token = frontend::token_at(c, t);
    if (!is_in_body && depth == 0 && token == Token::LBrace) {
      is_in_body = true;
      begins.push_back(begin + 1);
      continue;
    }
    const Act act = token_row(token).act;
    if (act == Act::Paren || act == Act::Brace) ++depth;
    if (act == Act::Close) --depth;
    if (is_in_body && depth == 0 && (token == Token::Semi || token == Token::RBrace))
      begins.push_back(begin + c.token_length[t]);
  }
  return begins;
}

std::vector<SnippetName> parameters_of(const engine::Suite& suite) {
  std::vector<SnippetName> names;
  const std::string_view types = suite.signature.parameter_types;
  size_t at = 2;  // behind the tuple's code and count
  for (const std::string& name : suite.signature.names) {
    const size_t end = skip_type(types, at);
    names.push_back({name, type_text(types.substr(at, end - at), RecordText::Name)});
    at = end;
  }
  return names;
}

std::string arguments_text(const engine::Suite& suite, u32 number) {
  std::string text;
  engine::for_each_argument(
      suite, number, [&](std::string_view name, std::string_view type, std::span<const u64> cells) {
        text.append(text.empty() ? "" : ", ").append(name).append(" = ");
        engine::print_value(text, type, cells, engine::ValueStyle::Text);
      });
  return text;
}

}  // namespace

std::vector<ValueOnCase> values_on_cases(const RankedSketch& ranked, const Library& library,
                                         u32 begin, u32 end, u32 most,
                                         const std::stop_token& stop) {
  std::vector<ValueOnCase> out;
  const auto best = ranked.best();
  const engine::Suite& suite = ranked.results.suite;
  if (!best || !ranked.results.typed || suite.has_slices) return out;
  const CodeView sketch_code = ranked.sketch->code.view();
  const engine::EntryChoice entry = engine::choose_entry(sketch_code, "");
  if (!entry.refusal.empty()) return out;
  VariantTexts texts(*ranked.sketch);
  if (texts.choose(ranked.results.id(*best))) return out;
  const auto filled_begin = texts.place_of(begin), filled_end = texts.place_of(end);
  if (!filled_begin || !filled_end || *filled_begin >= *filled_end) return out;
  const std::string& text = texts.text();
  frontend::Compiler compiler({.library = &library});
  frontend::Compilation compilation;
  compiler.compile(text, compilation);
  const std::string_view name = sketch_code.name(sketch_code.functions[entry.function]);
  const std::vector<TextItem> items = list_items(compiler, text);
  const auto item = std::ranges::find_if(items, [&](const TextItem& one) {
    return one.form == ItemForm::Function && one.name == name && one.begin <= *filled_begin &&
           *filled_end <= one.end;
  });
  if (item == items.end()) return out;
  const std::vector<u32> begins = statement_begins(text, *item);
  const auto behind = std::ranges::upper_bound(begins, *filled_begin);
  if (behind == begins.begin()) return out;

  const std::vector<SnippetName> parameters = parameters_of(suite);
  Snippet snippet;
  snippet.text = std::string_view(text).substr(*filled_begin, *filled_end - *filled_begin);
  snippet.variables = parameters;
  snippet.items = text;
  SnippetCompiler snippets({.library = &library});
  SnippetType type;
  bool is_sound = false;
  // A name that its own statement binds has a value behind it.
  for (auto cut = std::prev(behind); cut != begins.end() && cut <= behind && !is_sound; ++cut) {
    snippet.before = std::string_view(text).substr(begins.front(), *cut - begins.front());
    is_sound =
        snippets.infer(snippet, type) && type.value != "()" && snippets.compile(snippet, type);
  }
  if (!is_sound) return out;
  const CodeView code = snippets.code().view();
  const size_t function = code.find_function(snippet.function);
  if (function == code.functions.size()) return out;
  const std::string_view result = code.result_type(code.functions[function]);
  std::vector<u64> cells(suite.argument_types.size());
  for (u32 k = 0; k < std::min(most, suite.count) && !stop.stop_requested(); ++k) {
    for (u32 slot = 0; slot < cells.size(); ++slot) cells[slot] = suite.argument_cell(slot, k);
    engine::SingleRun run;
    engine::run_single(code, static_cast<u32>(function), cells, kDefaultFuel, run, &stop);
    ValueOnCase& value = out.emplace_back();
    value.arguments = arguments_text(suite, k);
    if (run.trap == Trap::None)
      engine::print_value(value.value, result, run.value, engine::ValueStyle::Source);
    else
      value.value = "trap " + std::string(trap_name(run.trap));
  }
  return out;
}

}  // namespace komuz::services
