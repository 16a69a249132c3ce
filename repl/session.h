// SPDX-License-Identifier: Apache-2.0
// A session: definitions and variables, and what inputs make of them. Knows neither files nor terminals.
//
// An input is items, which are kept, or a snippet (services/snippet.h): it runs with the variables that it names as
// arguments, and with the items that it names, and those that these name, behind it. So what it costs to compile does not grow with
// the session.
#pragma once
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/candidates/load_modules.h"
#include "repl/answer.h"
#include "repl/definitions.h"
#include "repl/input.h"
#include "repl/variables.h"
#include "services/snippet.h"

namespace komuz::repl {

// The variables that keep what the last input was worth, and the one before it.
inline constexpr std::string_view kIt = "it", kItBefore = "it2";

class Session {
 public:
  // `files`: of modules; it outlives the session. Null: the standard library alone.
  explicit Session(engine::ModuleFiles* files = nullptr);

  // Nothing changes where something is wrong, but that items stay whose tests fail. A snippet with something to decide is not
  // run: AnswerKind::Sketch.
  [[nodiscard]] Answer evaluate(const Input& input, const std::stop_token& stop = {});
  // The same of a snippet, of which nothing is kept.
  [[nodiscard]] Answer measure(const Input& input, const std::stop_token& stop = {});

  // The byte where statements stand behind the items of the input, which may not have them. Nothing where there are none.
  [[nodiscard]] std::optional<u32> find_statements(const Input& input);

  [[nodiscard]] const Definitions& definitions() const { return definitions_; }
  [[nodiscard]] const Variables& variables() const { return variables_; }
  [[nodiscard]] u64 fuel() const { return fuel_; }
  void set_fuel(u64 ticks) { fuel_ = ticks; }
  // False: nothing has been changed.
  bool undo();
  void reset();
  // A text that makes the same session of an empty one.
  [[nodiscard]] std::string replay_text();

  // A snippet compiled and not run, for who looks inside: false where it has errors, which the answer says.
  struct Compiled {
    std::string type;     // what it is worth, or "name: type" of all that it binds
    std::string program;  // the text of the function that it becomes, with the items that it needs
    Code code;
    u32 function = 0;
  };
  [[nodiscard]] bool compile(const Input& input, Compiled& out, Answer& answer);

  // A snippet as a program of its own: a function of some parameters, that begins with the variables of the session, with
  // the definitions that it names behind it. False where it has errors, or binds names.
  struct LineProgram {
    std::string source;
    u32 begin = 0, end = 0;  // where the snippet stands there
    std::string type;        // what it is worth
    // The snippet, and the definitions in their order: where each begins, and where it came from.
    struct Part {
      u32 begin = 0;
      std::string definition;  // its name; empty: the snippet
      std::string file;
      u32 line = 1;  // its first one there
    };
    std::vector<Part> parts;
  };
  [[nodiscard]] bool write_program(const Input& input,
                                   std::span<const services::SnippetName> parameters,
                                   std::string_view function, LineProgram& out, Answer& answer);
  [[nodiscard]] engine::ModuleLoader& modules() { return modules_; }

  // How long a snippet takes. Runs go on until the time is over, at least once; nothing is kept.
  struct Timing {
    std::chrono::nanoseconds compiling{};
    f64 mean = 0, deviation = 0;  // nanoseconds of a run
    u64 runs = 0;
  };
  [[nodiscard]] Answer time_runs(const Input& input, std::chrono::nanoseconds least,
                                 const std::stop_token& stop, Timing& out);

  // The same of items, too, of which no test is run; `type` is empty then.
  [[nodiscard]] bool check(const Input& input, std::string& type, Answer& answer);
  [[nodiscard]] frontend::Compiler& compiler() { return compiler_.compiler(); }

 private:
  // What a snippet is compiled for: to be run, or to be looked at, as a function that says of what type it is.
  enum class Purpose : u8 { Run, Read };
  // Compiles the snippet with what it names.
  [[nodiscard]] bool prepare(const Input& input, Purpose purpose, services::SnippetType& type,
                             Answer& answer);
  // The same where that has been collected.
  [[nodiscard]] bool prepare_named(const Input& input, std::string_view function, Purpose purpose,
                                   services::SnippetType& type, Answer& answer);
  [[nodiscard]] bool compile_snippet(const services::Snippet& snippet, Purpose purpose,
                                     services::SnippetType& type);
  void collect_names(std::string_view text);
  // The definitions that a text names, and the types of the variables that were collected.
  void collect_items(std::string_view text);
  // Does the text name a variable that may be assigned to?
  [[nodiscard]] bool has_variable_words(std::string_view text) const;
  // Is anything of what was prepared to be decided?
  [[nodiscard]] bool has_decisions(std::string_view text) const;
  void run_snippet(const Input& input, const services::SnippetType& type,
                   const std::stop_token& stop, Answer& answer);
  void tell_value(const services::SnippetType& type, const CodeView& code, u32 function,
                  Answer& answer) const;
  // Is it another value than that of the variable?
  [[nodiscard]] bool has_changed(const NamedValue& value) const;
  void tell_trap(const Input& input, const CodeView& code, u32 function, Answer& answer) const;
  // The module of a place in the code of a program; null: its own text.
  [[nodiscard]] const Module* module_at(u32 place, std::string_view program) const;
  void tell_errors(const Input& input, Answer& answer) const;
  // Diagnostics of definitions, each where its own came from. `at`: where the definitions begin in the program.
  static void tell_errors(const std::string& program, u32 at, const DefinitionText& definitions,
                          std::span<const Diagnostic> diagnostics, Answer& answer);
  void keep(const Input& input, const services::SnippetType& type, Answer& answer);
  // Types of modules are imported by their names, so that later inputs can say them. False: a name means something else to the
  // session, which the answer says.
  [[nodiscard]] bool import_types(const Input& input, std::span<const services::ModuleType> types,
                                  Answer& answer);
  void remember();

  void add_items(const Input& input, const std::stop_token& stop, Answer& answer);
  [[nodiscard]] std::vector<Definition> read_items(const Input& input);
  // Items as a program of their own: the input, and behind it the definitions that it needs.
  struct ItemProgram {
    std::string text;
    u32 needed_begin = 0;
    DefinitionText needed;
    frontend::Compilation compiled;
    std::vector<frontend::AssertedComparison> asserted;

    // What its places speak of, which has modules behind it.
    [[nodiscard]] const std::string& diagnosed() const {
      return compiled.text.empty() ? text : compiled.text;
    }
  };
  [[nodiscard]] bool compile_items(const Input& input, std::span<const Definition> items,
                                   ItemProgram& program, Answer& answer);
  // The same with the examples in comments of the input as tests. False: some have errors, which the answer says.
  [[nodiscard]] bool compile_examples(const Input& input, ItemProgram& program, Answer& answer);
  static void tell_item_errors(const Input& input, const ItemProgram& program, Answer& answer);
  void run_tests(const Input& input, const ItemProgram& program, const std::stop_token& stop,
                 Answer& answer) const;
  void replace_items(std::vector<Definition> items, Answer& answer);
  // Names of variables whose types mean something else now: their cells are of what they meant before.
  std::vector<std::string> forget_strange_values();
  void tell_broken_users(std::span<const std::string> replaced, Answer& answer);
  // Definitions as blocks, each behind what it needs: a program holds less than a session may.
  [[nodiscard]] std::string definition_blocks() const;

  engine::ModuleLoader modules_;
  services::SnippetCompiler compiler_;
  frontend::Compiler example_compiler_;  // takes examples in comments for tests
  Definitions definitions_;
  Variables variables_;
  size_t undoable_ = 0;  // steps of both
  u64 fuel_ = kDefaultFuel;
  // Of the snippet that is compiled.
  std::vector<services::SnippetName> names_;
  bool assigns_ = false;  // to those of them that are `var`
  std::vector<u64> arguments_;
  DefinitionText items_;
  std::string before_;  // variables as statements, where the snippet has none as parameters
  engine::SingleRun run_;
};

// Does the input consist of items, rather than of statements?
[[nodiscard]] bool starts_item(std::string_view text);

}  // namespace komuz::repl
