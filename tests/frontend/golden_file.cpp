// SPDX-License-Identifier: Apache-2.0
#include "tests/frontend/golden_file.h"

#include <charconv>
#include <optional>

#include "engine/cases/slice_cases.h"
#include "engine/cases/slice_entry.h"
#include "engine/testing/run_tests.h"
#include "engine/values/value_text.h"
#include "frontend_gpu/expand.h"
#include "mend/mend.h"

namespace komuz::test {

namespace {

constexpr std::string_view kDiagnosticMark = "//~", kRunMark = "//=";

std::string_view without_indent(std::string_view line) {
  const size_t at = line.find_first_not_of(" \t");
  return at == std::string_view::npos ? std::string_view{} : line.substr(at);
}

std::string place_in(std::string_view source, u32 offset) {
  const Place place = place_of(source, offset);
  return std::to_string(place.line) + ":" + std::to_string(place.column);
}

std::string span_text(std::string_view source, u32 begin, u32 end) {
  const bool broken = source.substr(begin, end - begin).find('\n') != std::string_view::npos;
  return std::to_string(place_of(source, begin).column) + "+" +
         (broken ? "…" : std::to_string(end - begin));
}

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) out += c == '\n' ? std::string("\\n") : std::string(1, c);
  return out + "\"";
}

std::string diagnostic_line(const Diagnostic& d, std::string_view source) {
  std::string line = std::string(kDiagnosticMark) + " " + span_text(source, d.begin, d.end()) +
                     " " + std::string(diagnostic_row(d.code()).code) + " " +
                     diagnostic_message(d, source);
  if (const std::optional<Edit> fix = diagnostic_fix(d, source))
    line += " | fix " + span_text(source, fix->begin, fix->end) + " " + in_quotes(fix->text);
  return line + "\n";
}

// The request in a `//=` line: [fuel N:] name(arguments)
struct Call {
  u64 fuel = kDefaultFuel;
  std::string_view text;  // as far as it is kept
  std::string_view name, arguments;
};

std::optional<Call> parse_call(std::string_view line) {
  Call call;
  std::string_view rest = line.substr(kRunMark.size());
  if (rest.starts_with(" fuel ")) {
    const char* const end = rest.data() + rest.size();
    const auto [stop, error] = std::from_chars(rest.data() + 6, end, call.fuel);
    if (error != std::errc{} || stop == end || *stop != ':') return std::nullopt;
    rest = rest.substr(static_cast<size_t>(stop - rest.data()) + 1);
  }
  const size_t open = rest.find('(');
  if (open == std::string_view::npos) return std::nullopt;
  call.name = without_indent(rest.substr(0, open));
  size_t depth = 0, at = open;
  for (; at < rest.size(); ++at) {
    if (rest[at] == '\'') at += rest.substr(at).starts_with("'\\") ? 3 : 2;
    if (at < rest.size() && rest[at] == '"')
      for (++at; at + 1 < rest.size() && rest[at] != '"'; ++at) at += rest[at] == '\\';
    if (at >= rest.size()) return std::nullopt;
    if (rest[at] == '(') ++depth;
    if (rest[at] == ')' && --depth == 0) break;
  }
  if (at >= rest.size()) return std::nullopt;
  call.arguments = rest.substr(open, at + 1 - open);
  call.text = line.substr(0, static_cast<size_t>(rest.data() - line.data()) + at + 1);
  return call;
}

class Remake {
 public:
  Remake(std::string_view source, const Code& code, EveryMachine& machines, const Library& library,
         std::string& failure)
      : source_(source),
        whole_(code),
        code_(code.view()),
        machines_(machines),
        library_(library),
        failure_(failure) {}

  std::string run_line(std::string_view line) {
    const std::optional<Call> call = parse_call(line);
    const size_t number = call ? code_.find_function(call->name) : code_.functions.size();
    if (number == code_.functions.size()) return refuse(line, "no such call");
    const Function& f = code_.functions[number];
    engine::CaseType type = engine::case_type(code_.parameter_types(f), {&call->arguments, 1},
                                              engine::ValueStyle::Text);
    std::vector<u64> cells(count_cells(type.code));
    if (!type.error)
      type.error = engine::parse_value(type.code, call->arguments, engine::ValueStyle::Text, cells);
    if (type.error) return refuse(line, type.error->message);
    if (!engine::has_slices(code_.parameter_types(f)))
      return std::string(call->text) + outcome(code_, static_cast<u32>(number), cells, call->fuel) +
             "\n";
    Code with_entry = whole_;
    u32 entry = static_cast<u32>(number);
    const std::string wrong = engine::add_slice_entry(with_entry, entry, type.code);
    if (!wrong.empty()) return refuse(line, wrong);
    return std::string(call->text) + outcome(with_entry.view(), entry, cells, call->fuel) + "\n";
  }
  std::string test_lines() {
    std::string out;
    for (u32 k = 0; k < code_.functions.size(); ++k)
      if (code_.functions[k].kind == FunctionKind::Prop)
        compare_samples(k);
      else if (code_.functions[k].kind != FunctionKind::Function)
        outcome(code_, k, {}, kDefaultFuel);
    for (const engine::TestResult& result : engine::run_tests(code_)) {
      out += std::string(kRunMark) + "   " + (result.passed ? "passes " : "fails ") +
             in_quotes(code_.name(code_.functions[result.function]));
      if (!result.passed)
        out += " at " + place_text(result.place) + ": " + describe(result) + arguments_text(result);
      out += " fuel " + std::to_string(result.fuel) + "\n";
    }
    return out;
  }

 private:
  // Of the program, or of a module that it uses.
  [[nodiscard]] std::string place_text(u32 place) const {
    const u32 offset = offset_of(place);
    frontend::Compiler compiler({.library = &library_});
    const Module* const module = frontend::module_of_place(place, compiler, source_, library_);
    if (module == nullptr) return place_in(source_, offset);
    return module->path + ":" + place_in(module->text, offset);
  }
  std::string arguments_text(const engine::TestResult& result) {
    if (result.arguments.empty()) return "";
    std::string text = " with ";
    engine::print_value(text, result.argument_types, result.arguments, engine::ValueStyle::Source);
    return text;
  }
  // A property on a few of its samples, on every machine.
  void compare_samples(u32 property) {
    constexpr u32 kSamples = 200;
    const engine::PropertyEntry entry(code_, property);
    const CodeView code = entry.code();
    const Function& f = code.functions[entry.function()];
    const ArgumentColumns columns(code, f, engine::property_samples(entry, 1, kSamples));
    std::string difference;
    (void)machines_.run({code, entry.function(), columns.view(), entry.budget(kDefaultFuel)},
                        difference);
    if (!difference.empty()) failure_ += std::string(code.name(f)) + ": " + difference + "\n";
  }
  std::string refuse(std::string_view line, std::string_view why) {
    failure_ += std::string(line) + ": " + std::string(why) + "\n";
    return std::string(line);
  }
  // `function` is one of the program's, or one that was added to call it with slices.
  std::string outcome(const CodeView& code, u32 function, const std::vector<u64>& cells, u64 fuel) {
    const bool is_added = function >= code_.functions.size();
    const Function& f = code.functions[function];
    // More lanes than a vector has, so that all of them are looked at.
    constexpr u32 kCases = 67;
    const ArgumentColumns columns(code, f, std::vector(kCases, cells));
    std::string difference;
    const u64 budget = is_added ? engine::slice_entry_fuel(fuel) : fuel;
    Outcomes out = machines_.run({code, function, columns.view(), budget}, difference);
    if (is_added)
      engine::hide_slice_entry(code, function,
                               {out.values, out.traps, out.places, out.depths, out.fuel});
    for (u32 row = 1; row < kCases && difference.empty(); ++row)
      if (out.row_text(row) != out.row_text(0)) difference = "the same case ends differently";
    if (!difference.empty()) failure_ += std::string(code.name(f)) + ": " + difference + "\n";
    std::string text;
    if (out.traps[0] == Trap::None) {
      std::vector<u64> values;
      for (u32 k = 0; k < f.result_cells; ++k) values.push_back(out.values[size_t{k} * kCases]);
      text = " == ";
      engine::print_value(text, code.result_type(f), values, engine::ValueStyle::Text);
    } else {
      text = " traps " + std::string(trap_name(out.traps[0])) + " at " +
             place_text(code_.places[out.places[0]]) + " depth " + std::to_string(out.depths[0]);
    }
    return text + " fuel " + std::to_string(out.fuel[0]);
  }

  std::string_view source_;
  const Code& whole_;
  CodeView code_;
  EveryMachine& machines_;
  const Library& library_;
  std::string& failure_;
};

// The lines of a file, told apart by what they are for.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}
  // False at the end.
  bool next() {
    at_ = end_;
    if (at_ == text_.size()) return false;
    const size_t stop = text_.find('\n', at_);
    end_ = stop == std::string_view::npos ? text_.size() : stop + 1;
    const std::string_view words = without_indent(line());
    const bool result = in_tests_ && words.starts_with("//=   ");
    in_tests_ = result || asks_tests();
    made_ = result || words.starts_with(kDiagnosticMark);
    return true;
  }
  [[nodiscard]] std::string_view line() const { return text_.substr(at_, end_ - at_); }
  [[nodiscard]] size_t end() const { return end_; }
  [[nodiscard]] bool last() const { return end_ == text_.size(); }
  [[nodiscard]] bool is_made() const { return made_; }  // by an update; written anew each time
  [[nodiscard]] bool asks_run() const { return without_indent(line()).starts_with(kRunMark); }
  [[nodiscard]] bool asks_tests() const { return without_indent(line()).starts_with("//= tests"); }

 private:
  std::string_view text_;
  size_t at_ = 0, end_ = 0;
  bool in_tests_ = false, made_ = false;
};

std::string without_comments_of_ours(std::string_view text) {
  std::string out;
  for (Lines lines(text); lines.next();)
    if (!lines.is_made() && !lines.asks_run()) out += lines.line();
  return out;
}

}  // namespace

std::string remade_golden_file(std::string_view text, EveryGroup& groups, EveryMachine& machines,
                               const Library& library, std::string& failure) {
  std::string difference;
  frontend::Compilation bare;
  groups.serial().compile(without_comments_of_ours(text), bare);
  const frontend::Compilation& program = groups.compile(text, difference);
  if (!difference.empty()) failure += difference + "\n";
  if (program.identity != bare.identity) failure += "comments change the identity\n";
  if (program.code.instructions != bare.code.instructions) failure += "comments change the code\n";

  std::string out;
  Remake remake(text, program.code, machines, library, failure);
  const std::string_view told = program.text.empty() ? text : std::string_view(program.text);
  size_t next = 0;
  for (Lines lines(text); lines.next();) {
    if (lines.asks_run() && !lines.is_made()) {
      if (!program.ok) failure += "a run is asked for, but the program has errors\n";
      if (!program.ok || lines.asks_tests())
        out += lines.line();
      else
        out += remake.run_line(lines.line().substr(0, lines.line().find('\n')));
      if (program.ok && lines.asks_tests()) out += remake.test_lines();
    } else if (!lines.is_made()) {
      out += lines.line();
    }
    while (next < program.diagnostics.size() &&
           (program.diagnostics[next].begin < lines.end() || lines.last())) {
      if (!out.ends_with('\n')) out += '\n';
      out += diagnostic_line(program.diagnostics[next++], told);
    }
  }
  return out;
}

}  // namespace komuz::test
