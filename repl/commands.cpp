// SPDX-License-Identifier: Apache-2.0
#include "repl/commands.h"

#include <algorithm>
#include <charconv>

#include "base/counts.h"
#include "engine/single_run.h"
#include "engine/value_text.h"
#include "frontend_gpu/dump.h"
#include "lang/code_text.h"
#include "lang/near_miss.h"
#include "services/explain.h"

namespace komuz::repl {

struct CommandRow {
  std::string_view name, words, summary, example;
  Answer (Commands::*run)(const Input& words);

  static std::span<const CommandRow> all();
};

namespace {

std::string_view trimmed(std::string_view text) {
  const size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  text.remove_prefix(begin);
  while (!text.empty() && std::string_view(" \t\r\n").find(text.back()) != std::string_view::npos)
    text.remove_suffix(1);
  return text;
}

Answer told(std::string text) {
  Answer answer;
  answer.kind = AnswerKind::Text;
  answer.text = std::move(text);
  return answer;
}
Answer refused(const Input& words, const std::string& reason) {
  Answer answer;
  answer.kind = AnswerKind::Errors;
  answer.text =
      std::string(words.name) + ":" + std::to_string(words.line) + ": error: " + reason + "\n";
  return answer;
}

const CommandRow* find_row(std::string_view name) {
  const auto rows = CommandRow::all();
  const auto row = std::ranges::find(rows, name, &CommandRow::name);
  return row == rows.end() ? nullptr : &*row;
}
std::string unknown(std::string_view name) {
  std::vector<std::string_view> names;
  for (const CommandRow& row : CommandRow::all()) names.push_back(row.name);
  const std::string_view near = nearest_word(name, names);
  return "there is no command `:" + std::string(name) + "`; " +
         (near.empty() ? "`:help` lists them" : "did you mean `:" + std::string(near) + "`?");
}
std::string usage(const CommandRow& row) {
  return ":" + std::string(row.name) + (row.words.empty() ? "" : " ") + std::string(row.words);
}

}  // namespace

std::span<const CommandRow> CommandRow::all() {
  static constexpr CommandRow kRows[] = {
      {"help", "[COMMAND]", "this list, or one command with an example", ":help type",
       &Commands::help},
      {"type", "EXPR", "the type of an expression, which is not run",
       ":type [1, 2].map(x => f64(x)).sum()", &Commands::type},
      {"doc", "NAME", "what a name means: of the session, built in, or of a module", ":doc clamp",
       &Commands::doc},
      {"explain", "CODE", "what a diagnostic or a trap means, with examples", ":explain K0301",
       &Commands::explain},
      {"list", "", "the definitions and variables of the session", ":list", &Commands::list},
      {"load", "FILE", "take the definitions of a program", ":load examples/tour.komuz",
       &Commands::load},
      {"reload", "", "load all files that were loaded once more", ":reload", &Commands::reload},
      {"save", "FILE", "write a file that makes this session again, by `komuz repl FILE`",
       ":save session.komuz", &Commands::save},
      {"undo", "", "take back the last definition, `let`, `:load` or `:reset`", ":undo",
       &Commands::undo},
      {"reset", "", "forget all definitions and variables", ":reset", &Commands::reset},
      {"fuel", "[TICKS]", "how many ticks an input may use", ":fuel 10000000", &Commands::fuel},
      {"tokens", "TEXT", "what the lexer makes of a text", ":tokens 1 + x", &Commands::tokens},
      {"tree", "EXPR", "the tree of the function that an expression becomes", ":tree 1 + 2 * 3",
       &Commands::tree},
      {"code", "EXPR", "its bytecode", ":code sqrt(2.0)", &Commands::code},
      {"cost", "EXPR", "its bytes of code and of stack, and the ticks of a run",
       ":cost (0..100).map(i => i * i).sum()", &Commands::cost},
      {"quit", "", "end the session; so does the end of the input", ":quit", &Commands::quit},
  };
  return kRows;
}

Answer Commands::run(const Input& input, const std::stop_token& stop) {
  stop_ = stop;
  const std::string_view text = trimmed(input.text).substr(1);
  const size_t end = std::min(text.find_first_of(" \t\n"), text.size());
  const std::string_view name = text.substr(0, end);
  const Input words{trimmed(text.substr(end)), input.name, input.line};
  const CommandRow* const row = find_row(name);
  if (row == nullptr) return refused(words, unknown(name));
  const bool wants_words = !row->words.empty() && row->words[0] != '[';
  if (wants_words && words.text.empty())
    return refused(words, "`:" + std::string(name) + "` needs more: `" + usage(*row) +
                              "`, as in `" + std::string(row->example) + "`");
  if (row->words.empty() && !words.text.empty())
    return refused(words, "`:" + std::string(name) + "` stands alone");
  return (this->*row->run)(words);
}

Answer Commands::help(const Input& words) {
  constexpr size_t kColumn = 18;
  std::string_view name = words.text;
  if (name.starts_with(':')) name.remove_prefix(1);
  if (!name.empty()) {
    const CommandRow* const row = find_row(name);
    if (row == nullptr) return refused(words, unknown(name));
    return told(usage(*row) + "\n  " + std::string(row->summary) + "\n  " +
                std::string(row->example) + "\n");
  }
  std::string text =
      "An expression is evaluated; its value is `it`, the one before `it2`. `let x = …` keeps a "
      "value,\n"
      "`fn`, `const`, `type` and `use` define something, `test` and `prop` are run. An input goes "
      "on\n"
      "to the next line while a bracket is open.\n\n";
  for (const CommandRow& row : CommandRow::all()) {
    std::string line = "  " + usage(row);
    line.resize(std::max(line.size() + 1, kColumn), ' ');
    text += line + std::string(row.summary) + "\n";
  }
  return told(std::move(text));
}

Answer Commands::type(const Input& words) {
  Answer answer;
  Session::Compiled compiled;
  if (!session_.compile(words, compiled, answer)) return answer;
  return told(compiled.type + "\n");
}

Answer Commands::doc(const Input& words) {
  std::string text;
  for (const Definition& definition : session_.definitions().all())
    if (definition.name == words.text) text += definition.text + "\n";
  for (const NamedValue& variable : session_.variables())
    if (variable.name == words.text) text += "let " + variable.name + ": " + variable.type + "\n";
  for (const services::DocEntry& entry : docs_.find(words.text))
    text += (text.empty() ? "" : "\n") + services::render_doc(entry);
  if (!text.empty()) return told(std::move(text));
  const std::string near = docs_.nearest(words.text);
  return refused(words, "nothing is called `" + std::string(words.text) + "`" +
                            (near.empty() ? "" : "; did you mean `" + near + "`?"));
}

Answer Commands::explain(const Input& words) {
  const auto found = services::explain(words.text);
  if (!found)
    return refused(words, "there is no diagnostic and no trap `" + std::string(words.text) + "`");
  return told(services::render_explanation(*found));
}

Answer Commands::tokens(const Input& words) {
  return told(frontend::dump(session_.compiler(), words.text, frontend::DumpPhase::Tokens));
}

Answer Commands::tree(const Input& words) {
  Answer answer;
  Session::Compiled compiled;
  if (!session_.compile(words, compiled, answer)) return answer;
  return told(frontend::dump(session_.compiler(), compiled.program, frontend::DumpPhase::Tree));
}

Answer Commands::code(const Input& words) {
  Answer answer;
  Session::Compiled compiled;
  if (!session_.compile(words, compiled, answer)) return answer;
  return told(disassemble(compiled.code.view()));
}

Answer Commands::cost(const Input& words) {
  Answer answer;
  Session::Compiled compiled;
  if (!session_.compile(words, compiled, answer)) return answer;
  const Function& f = compiled.code.functions[compiled.function];
  std::string text = counted(code_bytes(compiled.code.view()), "byte") + " of code, " +
                     counted(f.stack_bytes, "byte") + " of stack";
  const Answer run = session_.measure(words, stop_);
  if (run.kind == AnswerKind::Stopped) return run;
  return told(text + ", " + counted(run.fuel, "tick") +
              (run.kind == AnswerKind::Trapped
                   ? ", then the trap " + std::string(trap_name(run.trap))
                   : "") +
              "\n");
}

Answer Commands::list(const Input& words) {
  static_cast<void>(words);
  std::string text;
  for (const Definition& definition : session_.definitions().all()) text += definition.text + "\n";
  for (const NamedValue& variable : session_.variables()) {
    text += "let " + variable.name + ": " + variable.type + " = ";
    engine::print_value(text, variable.type_codes, variable.cells, engine::ValueStyle::Source);
    text += "\n";
  }
  return told(std::move(text));
}

Answer Commands::load_file(const std::string& path) {
  const Host::File file = host_.read_file(path);
  if (!file.problem.empty()) {
    Answer answer;
    answer.kind = AnswerKind::Errors;
    answer.text = file.problem + "\n";
    return answer;
  }
  if (std::ranges::find(loaded_, path) == loaded_.end()) loaded_.push_back(path);
  return session_.evaluate({file.text, path, 1}, stop_);
}
Answer Commands::load(const Input& words) { return load_file(std::string(words.text)); }
Answer Commands::reload(const Input& words) {
  if (loaded_.empty()) return refused(words, "nothing has been loaded; `:load FILE` does");
  Answer last;
  const std::vector<std::string> paths = loaded_;
  for (const std::string& path : paths) {
    last = load_file(path);
    if (last.is_failure()) return last;
  }
  return last;
}

Answer Commands::save(const Input& words) {
  const std::string problem = host_.write_file(std::string(words.text), session_.replay_text());
  return problem.empty() ? Answer() : refused(words, problem);
}

Answer Commands::undo(const Input& words) {
  return session_.undo() ? Answer() : refused(words, "there is nothing to take back");
}
Answer Commands::reset(const Input& words) {
  static_cast<void>(words);
  session_.reset();
  return {};
}

Answer Commands::fuel(const Input& words) {
  if (words.text.empty()) return told(grouped(session_.fuel()) + " ticks\n");
  u64 ticks = 0;
  const char* const end = words.text.data() + words.text.size();
  const auto read = std::from_chars(words.text.data(), end, ticks);
  if (read.ec != std::errc() || read.ptr != end || ticks == 0)
    return refused(words, "`:fuel` takes a number of ticks, as in `:fuel 10000000`");
  session_.set_fuel(ticks);
  return {};
}

Answer Commands::quit(const Input& words) {
  static_cast<void>(words);
  has_quit_ = true;
  return {};
}

}  // namespace komuz::repl
