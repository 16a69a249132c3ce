// SPDX-License-Identifier: Apache-2.0
#include "repl/commands.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/counts.h"
#include "engine/testing/single_run.h"
#include "engine/values/value_text.h"
#include "frontend_gpu/dump.h"
#include "lang/text/code_text.h"
#include "mend/near_miss.h"
#include "repl/command_table.h"
#include "repl/command_words.h"
#include "repl/editor/bindings.h"
#include "repl/open_functions.h"
#include "services/display_text.h"
#include "services/explain.h"
#include "services/simplify/simplify.h"

namespace komuz::repl {

namespace {

constexpr std::string_view kHasHoles =
    "this has holes; evaluate it, and `:keep #I NAME` makes a function of one of its variants";

// The parts between blanks.
std::vector<std::string_view> parts_of(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n";
  std::vector<std::string_view> parts;
  for (size_t at = text.find_first_not_of(kBlanks); at != std::string_view::npos;
       at = text.find_first_not_of(kBlanks, at)) {
    const size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end;
  }
  return parts;
}
// A request for help may mean a group, too.
enum class Asked : u8 { Command, Help };
std::string unknown(std::string_view name, Asked asked) {
  std::vector<std::string_view> names;
  for (const CommandRow& row : CommandRow::all()) names.push_back(row.name);
  if (asked == Asked::Help)
    for (const SectionRow& group : SectionRow::all()) names.push_back(group.name);
  const auto longer = std::ranges::find_if(
      names, [&](std::string_view command) { return !name.empty() && command.starts_with(name); });
  const auto called = std::ranges::find_if(CommandRow::all(), [&](const CommandRow& row) {
    const std::vector<std::string_view> others = parts_of(row.others);
    return std::ranges::find(others, name) != others.end();
  });
  std::string_view near = longer != names.end() ? *longer : nearest_word(name, names);
  if (called != CommandRow::all().end()) near = called->name;
  return "there is no command " + std::string(asked == Asked::Help ? "and no group " : "") + "`" +
         (asked == Asked::Help ? "" : ":") + std::string(name) + "`; " +
         (near.empty() ? "`:help` lists them"
                       : "did you mean `" + std::string(asked == Asked::Help ? ":help " : ":") +
                             std::string(near) + "`?");
}
std::string usage(const CommandRow& row) {
  return ":" + std::string(row.name) + (row.words.empty() ? "" : " ") + std::string(row.words);
}

// Fits a screen of 24 lines, with the command and the next prompt.
std::string groups_text() {
  constexpr size_t kColumn = 12;
  std::string text =
      "Inputs are expressions, definitions (`fn`, `let`, `type`, `use`, `test`) and the\n"
      "commands below. A value is called `it`. Of a line with holes, `x * ?[1.0, 2.0]`,\n"
      "all variants are run. An input goes on while a bracket is open.\n\n";
  for (const SectionRow& group : SectionRow::all()) {
    std::string line = "  " + std::string(group.name);
    line.resize(kColumn, ' ');
    text += line + std::string(group.summary) + "\n" + std::string(kColumn - 1, ' ');
    for (const CommandRow& row : CommandRow::all())
      if (row.section == group.section) text += " :" + std::string(row.name);
    text += '\n';
  }
  return text +
         "\n`:help GROUP` says what its commands do, `:help COMMAND` more of one, with an\n"
         "example; `:help keys` lists the keys.\n";
}
std::string group_text(const SectionRow& group) {
  std::string text = std::string(group.name) + ": " + std::string(group.summary) + "\n";
  std::vector<const CommandRow*> rows;
  size_t column = 0;
  for (const CommandRow& row : CommandRow::all()) {
    if (row.section != group.section) continue;
    rows.push_back(&row);
    column = std::max(column, usage(row).size() + 4);
  }
  for (const CommandRow* const row : rows) {
    std::string line = "  " + usage(*row);
    line.resize(column, ' ');
    text += line + std::string(row->summary) + "\n";
  }
  return text;
}

}  // namespace

Answer Commands::run(const Input& input, const std::stop_token& stop) {
  stop_ = stop;
  const std::string_view text = trimmed(input.text).substr(1);
  const size_t end = std::min(text.find_first_of(" \t\n"), text.size());
  const std::string_view name = text.substr(0, end);
  const Input words{trimmed(text.substr(end)), input.name, input.line};
  const CommandRow* const row = CommandRow::find(name);
  if (row == nullptr) return refused(words, unknown(name, Asked::Command));
  const bool wants_words = !row->words.empty() && row->words[0] != '[';
  if (wants_words && words.text.empty())
    return refused(words, "`:" + std::string(name) + "` needs more: `" + usage(*row) +
                              "`, as in `" + std::string(row->example) + "`");
  if (row->words.empty() && !words.text.empty())
    return refused(words, "`:" + std::string(name) + "` stands alone");
  return (this->*row->run)(words);
}

Answer Commands::help(const Input& words) {
  std::string_view name = words.text;
  if (name.empty()) return told_in_sentences(groups_text());
  if (name == "keys") return told_in_sentences(editor::bindings_text());
  if (const SectionRow* const group = SectionRow::find(name))
    return told_in_sentences(group_text(*group));
  if (name.starts_with(':')) name.remove_prefix(1);
  const CommandRow* const row = CommandRow::find(name);
  if (row == nullptr) return refused(words, unknown(name, Asked::Help));
  std::string text = usage(*row) + "\n  " + std::string(row->summary) + "\n";
  if (!row->more.empty()) text += "  " + std::string(row->more) + "\n";
  return told_in_sentences(text + "  " + std::string(row->example) + "\n");
}

Answer Commands::without_columns(const Input& words, Answer answer) const {
  if (answer.kind == AnswerKind::Errors && variants_.names_column(words.text))
    answer.note += "this command knows no columns of cases; `let` gives such a name a value\n";
  return answer;
}

// Answers about a line are about the line without the cases.
Answer Commands::of_constants(const Input& words, Answer answer) const {
  if (variants_.hides_constant(words.text))
    answer.note += "this command knows no columns of cases: constants are those of the language\n";
  return answer;
}

Answer Commands::type(const Input& words) {
  Answer answer;
  Session::Compiled compiled;
  const bool is_line = variants_.hides_constant(words.text);
  if (!is_line && session_.compile(words, compiled, answer)) return told(compiled.type + "\n");
  std::string type;
  if (!variants_.names_column(words.text)) return answer;
  answer = {};
  return variants_.check(words, type, answer) ? told(type + "\n") : answer;
}

Answer Commands::doc(const Input& words) {
  std::string text;
  const Definition* const own = session_.definitions().find_name(words.text);
  const bool is_import = own != nullptr && own->form == services::ItemForm::Use;
  if (own != nullptr && !is_import) text = own->text + "\n";
  if (const NamedValue* const variable = session_.variables().find(words.text))
    text += let_text(*variable) + "\n";
  for (const services::SnippetName& column : variants_.cases().parameters())
    if (column.name == words.text)
      text += column.name + ": " + column.type + ", a column of the cases\n";
  // A definition of the session hides other meanings of its name.
  if (own != nullptr && !is_import) return told(std::move(text));
  for (const services::DocEntry& entry : docs_.find(words.text))
    text += (text.empty() ? "" : "\n") + services::render_doc(entry);
  if (!text.empty()) return told_in_paragraphs(std::move(text));
  std::vector<std::string> known;
  for (const Definition& definition : session_.definitions().all())
    known.push_back(definition.name);
  for (const NamedValue& variable : session_.variables().all()) known.push_back(variable.name);
  const std::string near = docs_.nearest(words.text, std::move(known));
  return refused(words, "nothing is called `" + std::string(words.text) + "`" +
                            (near.empty() ? "" : "; did you mean `" + near + "`?"));
}

Answer Commands::explain(const Input& words) {
  const services::Explained found = services::find_explanations(parts_of(words.text));
  if (found.unknown)
    return refused(words, services::unknown_topic(
                              *found.unknown, found.is_list ? ", nor a text with such words" : ""));
  std::string text;
  for (const services::Explanation& explanation : found.explanations)
    text += found.is_list ? services::render_topic(explanation.topic)
                          : (text.empty() ? "" : "\n") + services::render_explanation(explanation);
  return found.is_list ? told(std::move(text)) : told_in_paragraphs(std::move(text));
}

Answer Commands::tokens(const Input& words) {
  return told(services::printable_lines(
      frontend::dump(session_.compiler(), words.text, frontend::DumpPhase::Tokens)));
}

Answer Commands::tree(const Input& words) {
  Answer answer;
  Session::Compiled compiled;
  if (!session_.compile(words, compiled, answer)) return without_columns(words, answer);
  return of_constants(
      words, told(services::printable_lines(frontend::dump(session_.compiler(), compiled.program,
                                                           frontend::DumpPhase::Tree))));
}

Answer Commands::code(const Input& words) {
  Answer answer;
  Session::Compiled compiled;
  if (!session_.compile(words, compiled, answer)) return without_columns(words, answer);
  return of_constants(words, told(disassemble(compiled.code.view())));
}

Answer Commands::cost(const Input& words) {
  Answer answer;
  Session::Compiled compiled;
  if (!session_.compile(words, compiled, answer)) return without_columns(words, answer);
  const Function& f = compiled.code.functions[compiled.function];
  std::string text = counted(code_bytes(compiled.code.view()), "byte") + " of code, " +
                     counted(f.stack_bytes, "byte") + " of stack";
  const Answer run = session_.measure(words, stop_);
  if (run.kind == AnswerKind::Stopped) return run;
  if (run.trap == Trap::Hole) return refused(words, std::string(kHasHoles));
  Answer answer_of_run =
      told(text + ", " + counted(run.fuel, "tick") +
           (run.kind == AnswerKind::Trapped ? ", then the trap " + std::string(trap_name(run.trap))
                                            : "") +
           "\n");
  answer_of_run.note = run.note;
  return of_constants(words, std::move(answer_of_run));
}

namespace {

// Three digits suffice to compare.
std::string time_text(f64 nanoseconds) {
  constexpr std::string_view kUnits[] = {"ns", "µs", "ms", "s"};
  size_t unit = 0;
  for (; unit + 1 < std::size(kUnits) && nanoseconds >= 1000; ++unit) nanoseconds /= 1000;
  std::array<char, 32> text{};
  const int digits = nanoseconds >= 100 ? 0 : nanoseconds >= 10 ? 1 : 2;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), nanoseconds,
                                 std::chars_format::fixed, digits);
  return std::string(text.data(), end.ptr) + " " + std::string(kUnits[unit]);
}

}  // namespace

Answer Commands::time(const Input& words) {
  Session::Timing timing;
  const Answer answer = session_.time_runs(words, std::chrono::nanoseconds(0), stop_, timing);
  if (answer.trap == Trap::Hole) return refused(words, std::string(kHasHoles));
  if (answer.kind != AnswerKind::Value) return without_columns(words, answer);
  return of_constants(
      words,
      told("compiled in " + time_text(static_cast<f64>(timing.compiling.count())) + ", run in " +
           time_text(timing.mean) + ", " + counted(answer.fuel, "tick") + "\n"));
}

Answer Commands::bench(const Input& words) {
  constexpr std::chrono::milliseconds kLeast(300);
  Session::Timing timing;
  const Answer answer = session_.time_runs(words, kLeast, stop_, timing);
  if (answer.trap == Trap::Hole) return refused(words, std::string(kHasHoles));
  if (answer.kind != AnswerKind::Value) return without_columns(words, answer);
  return of_constants(
      words, told(time_text(timing.mean) + " ± " + time_text(timing.deviation) + " in " +
                  counted(timing.runs, "run") + ", " + counted(answer.fuel, "tick") + " each\n"));
}

Answer Commands::device(const Input& words) {
  VariantSettings& settings = variants_.settings();
  if (!words.text.empty()) {
    Result<engine::DeviceChoice> choice = engine::read_device_choice(":device", words.text);
    if (choice.problem()) return refused(words, choice.problem().text());
    engine::DeviceChoice before = std::exchange(settings.device, std::move(choice).value());
    variants_.forget_devices();
    if (const Problem problem = variants_.open_devices()) {
      settings.device = std::move(before);
      variants_.forget_devices();
      return refused(words, "no such GPU is there: " + problem.message());
    }
  }
  const std::string gpus = variants_.devices().name();
  return told("lines with holes run on " + (gpus.empty() ? "the CPU" : gpus) + "\n");
}

Answer Commands::list(const Input& words) {
  static_cast<void>(words);
  std::string text;
  text += session_.definitions().whole().text;
  for (const NamedValue& variable : session_.variables().all()) text += let_text(variable) + "\n";
  return told_program(std::move(text));
}

Answer Commands::load_file(const Input& words, const std::string& path, Wanted wanted) {
  const Result<std::string> file = host_.read_file(path);
  if (file.problem()) return refused(words, file.problem().message());
  const std::string& text = file.value();
  if (text.starts_with(":{"))
    return refused({path, path},
                   "this is a session that was saved; `komuz repl " + path + "` makes it again");
  const OpenedProgram opened = open_program(session_.compiler(), text, [&](std::string_view name) {
    const Definition* const own = session_.definitions().find_name(name);
    return own != nullptr && !is_open_function(own->text);
  });
  const bool is_harness = opened.text != text;
  const Input program{opened.text, path, 1, is_harness};
  std::string type;
  Answer problem;
  if (wanted == Wanted::Harness && !is_harness) {
    if (!session_.check(program, type, problem)) return problem;
    return refused(words, path + " leaves no function open, as a harness does; `:load " + path +
                              "` takes a program");
  }
  if (!starts_item(opened.text) && session_.check(program, type, problem) && !type.empty())
    return refused(program, "this defines nothing; `komuz repl " + path + "` runs its lines");
  if (std::ranges::find(loaded_, path) == loaded_.end()) loaded_.push_back(path);
  Answer answer = session_.evaluate(program, stop_);
  if (answer.kind == AnswerKind::Stopped || !is_harness) return answer;
  // The harness is loaded even though one of its tests has failed.
  HarnessItems items = list_harness_items(session_.compiler(), path, text);
  const bool is_there = std::ranges::all_of(items.own, [&](const HarnessItem& item) {
    return session_.definitions().find_name(item.name) != nullptr;
  });
  if (is_there) harness_ = std::move(items);
  if (answer.is_failure()) return answer;
  if (harness_ && variants_.cases().is_there() && !harness_->columns.empty()) {
    const std::string types = variants_.cases().types();
    // If this is stopped, or the types do not fit, the cases stay as they are.
    static_cast<void>(variants_.cases().prefer(
        harness_->columns, variants_.settings().score.value_or(engine::ScoreKind::Exact),
        *watch_of(stop_)));
    if (variants_.cases().types() != types) {
      variants_.forget_line();
      answer.text += variants_.cases().text();
    }
  }
  for (const std::string& function : opened.open)
    answer.text += "open until an input defines it: `" + services::printable(function) + "`\n";
  if (!engine::is_value_score(variants_.score()))
    answer.text += "`:score maximize` or `:score minimize` ranks lines that call the harness\n";
  if (!answer.text.empty()) answer.kind = AnswerKind::Text;
  answer.form = TextForm::Sentences;
  return answer;
}
std::string Commands::own_program(const std::string& program) {
  const std::string own =
      !harness_ || variants_.line() == nullptr
          ? std::string()
          : candidate_text(*harness_, session_.compiler(), program, variants_.line()->entry());
  return services::simplified_text(own.empty() ? program : own, &session_.modules().library());
}

// Changed modules are read anew; the results of a line from the old ones are dropped.
void Commands::forget_changed_modules() {
  if (session_.modules().forget_changed()) variants_.forget_line();
}
Answer Commands::load(const Input& words) {
  forget_changed_modules();
  return load_file(words, std::string(words.text));
}
Answer Commands::harness(const Input& words) {
  forget_changed_modules();
  return load_file(words, std::string(words.text), Wanted::Harness);
}
Answer Commands::reload(const Input& words) {
  if (loaded_.empty()) return refused(words, "nothing has been loaded; `:load FILE` does");
  forget_changed_modules();
  std::string text, notes;  // of loaded files, whose definitions may have broken others
  std::vector<Answer::Source> sources;
  const std::vector<std::string> paths = loaded_;
  for (const std::string& path : paths) {
    Answer one = load_file(words, path);
    sources.insert(sources.end(), one.sources.begin(), one.sources.end());
    notes += one.note;
    if (one.is_failure() || one.kind == AnswerKind::Stopped) {
      one.sources = std::move(sources);
      one.note = text + notes;
      return one;
    }
    text += one.text;
  }
  Answer all = text.empty() ? Answer() : told(std::move(text));
  all.sources = std::move(sources);
  all.note = std::move(notes);
  return all;
}

Answer Commands::watch(const Input& words) {
  if (words.text.empty()) {
    watched_.clear();
    return {};
  }
  const std::string path(words.text);
  std::string stamp =
      host_.file_stamp(path);  // taken before the file is read, so that a later change is seen
  forget_changed_modules();
  const Answer answer = load_file(words, path);
  const auto known = std::ranges::find(watched_, path, &Watched::path);
  if (!stamp.empty() && known == watched_.end()) watched_.push_back({path, std::move(stamp)});
  return answer;
}

std::vector<Answer> Commands::load_changed(const std::stop_token& stop) {
  std::vector<Answer> answers;
  stop_ = stop;
  for (Watched& watched : watched_) {
    std::string stamp = host_.file_stamp(watched.path);
    if (stamp == watched.stamp) continue;
    watched.stamp = std::move(stamp);
    if (watched.stamp.empty()) {
      answers.emplace_back().note =
          watched.path + " is gone; what it gave stays, and it is loaded when it is there again\n";
      continue;
    }
    forget_changed_modules();
    Answer& answer = answers.emplace_back(load_file({watched.path, watched.path}, watched.path));
    answer.note += answer.is_failure() ? watched.path + " has changed, and has errors\n"
                                       : "loaded " + watched.path + ", which has changed\n";
  }
  return answers;
}

bool Commands::sees_change() {
  bool has_changed = false;
  for (Watched& watched : watched_) {
    std::string stamp = host_.file_stamp(watched.path);
    const bool is_other = stamp != watched.stamp;
    has_changed = has_changed || (is_other && stamp == watched.seen);
    watched.seen = std::move(stamp);
  }
  return has_changed;
}

std::vector<std::string> Commands::read_files() const {
  std::vector<std::string> files;
  if (variants_.cases().is_there()) files.push_back(variants_.cases().file());
  for (const Watched& watched : watched_) files.push_back(watched.path);
  const Library& library = session_.modules().library();
  for (u32 k = 0; k < library.size(); ++k) files.push_back(library[k].file);
  return files;
}

Answer Commands::save(const Input& words) {
  const Problem problem = host_.write_file(std::string(words.text),
                                           session_.replay_text() + settings_text(), read_files());
  return problem ? refused(words, problem.message()) : Answer();
}

// The settings for lines with holes, as commands.
std::string Commands::settings_text() const {
  const VariantSettings& own = variants_.settings();
  const VariantSettings usual;
  std::string text;
  if (own.score) text += ":score " + score_text(*own.score, own) + "\n";
  if (own.budget) text += ":budget " + std::to_string(*own.budget) + "\n";
  if (own.split) {
    text += ":split ";
    engine::print_scalar(text, Scalar::F64, std::bit_cast<u64>(*own.split),
                         engine::ValueStyle::Text);
    text += (own.split_seed == 0 ? "" : " " + std::to_string(own.split_seed)) + "\n";
  }
  if (variants_.cases().is_there()) text += ":cases " + variants_.cases().source() + "\n";
  if (own.choice.samples)
    text += ":samples " + std::to_string(*own.choice.samples) +
            (own.choice.seed == 0 ? "" : " " + std::to_string(own.choice.seed)) + "\n";
  if (own.top != usual.top) text += ":top " + std::to_string(own.top) + "\n";
  return text;
}

Answer Commands::undo(const Input& words) {
  return session_.undo() ? Answer() : refused(words, "there is nothing to take back");
}
Answer Commands::reset(const Input& words) {
  static_cast<void>(words);
  forget_changed_modules();
  session_.reset();
  harness_.reset();
  return {};
}

Answer Commands::fuel(const Input& words) {
  if (words.text.empty()) return told(grouped(session_.fuel()) + " ticks\n");
  const std::optional<u64> ticks = read_ticks(words.text);
  if (!ticks)
    return refused(words,
                   "`:fuel` takes a number of ticks, from 1 to 2^62, as in `:fuel 10000000`");
  session_.set_fuel(*ticks);
  return {};
}

// An editor, if there is one, handles this command itself.
Answer Commands::edit(const Input& words) {
  return refused(words, "`:edit` is for sessions on a terminal");
}

Answer Commands::quit(const Input& words) {
  static_cast<void>(words);
  has_quit_ = true;
  return {};
}

}  // namespace komuz::repl
