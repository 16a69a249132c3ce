// SPDX-License-Identifier: Apache-2.0
// A session: definitions and variables, and the evaluation of inputs. Knows neither files nor terminals.
//
// An input is either items, which are kept, or a snippet (services/snippet.h). A snippet runs with the variables that
// it names as arguments; the items that it names, and those that these name, follow it. So the cost of compiling it
// does not grow with the session.
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

// The variables that keep the value of the last input, and of the one before it.
inline constexpr std::string_view kIt = "it", kItBefore = "it2";

class Session {
 public:
  // `files`: for modules; it outlives the session. Null: only the standard library.
  explicit Session(engine::ModuleFiles* files = nullptr);

  // After an error nothing changes, except that items stay whose tests fail. A snippet with open decisions is not
  // run: AnswerKind::Sketch.
  [[nodiscard]] Answer evaluate(const Input& input, const std::stop_token& stop = {});
  // The same for a snippet, of which nothing is kept.
  [[nodiscard]] Answer measure(const Input& input, const std::stop_token& stop = {});

  // The byte where statements follow the items of an input, which is not allowed. Nothing if there are none.
  [[nodiscard]] std::optional<u32> find_statements(const Input& input);

  [[nodiscard]] const Definitions& definitions() const { return definitions_; }
  [[nodiscard]] const Variables& variables() const { return variables_; }
  [[nodiscard]] u64 fuel() const { return fuel_; }
  void set_fuel(u64 ticks) { fuel_ = ticks; }
  // Makes native code of what runs long, and outlives the session; null: nobody does.
  [[nodiscard]] engine::NativeTier* native() const { return native_; }
  void set_native(engine::NativeTier* tier) { native_ = tier; }
  // False: there was nothing to undo.
  bool undo();
  void reset();
  // A text that builds the same session from an empty one.
  [[nodiscard]] std::string replay_text();

  // A snippet that is compiled and not run, for inspection. False if it has errors, which are in the answer.
  struct Compiled {
    std::string type;     // of its value, or "name: type" for all bindings
    std::string program;  // the text of its function, with the items that it needs
    Code code;
    u32 function = 0;
  };
  [[nodiscard]] bool compile(const Input& input, Compiled& out, Answer& answer);

  // A snippet as a program of its own: a function of some parameters that begins with the session's variables,
  // followed by the definitions that it names. False if it has errors, or binds names.
  struct LineProgram {
    std::string source;
    u32 begin = 0, end = 0;  // place of the snippet
    std::string type;        // of its value
    // The snippet and the definitions in order: their beginnings and origins.
    struct Part {
      u32 begin = 0;
      std::string definition;  // its name; empty: the snippet
      std::string file;
      u32 line = 1;  // its first line there
    };
    std::vector<Part> parts;
  };
  [[nodiscard]] bool write_program(const Input& input,
                                   std::span<const services::SnippetName> parameters,
                                   std::string_view function, LineProgram& out, Answer& answer);
  [[nodiscard]] engine::ModuleLoader& modules() { return modules_; }

  // Measures a snippet. Runs go on until the time is over, at least once; nothing is kept.
  struct Timing {
    std::chrono::nanoseconds compiling{};
    f64 mean = 0, deviation = 0;  // nanoseconds of a run
    u64 runs = 0;
  };
  [[nodiscard]] Answer time_runs(const Input& input, std::chrono::nanoseconds least,
                                 const std::stop_token& stop, Timing& out);

  // The same also for items, whose tests are not run; `type` is then empty.
  [[nodiscard]] bool check(const Input& input, std::string& type, Answer& answer);
  [[nodiscard]] frontend::Compiler& compiler() { return compiler_.compiler(); }

 private:
  // The purpose of compiling a snippet: to run it, or to show it as a function with an explicit type.
  enum class Purpose : u8 { Run, Read };
  // Compiles the snippet with all that it names.
  [[nodiscard]] bool prepare(const Input& input, Purpose purpose, services::SnippetType& type,
                             Answer& answer);
  // The same with names that have been collected.
  [[nodiscard]] bool prepare_named(const Input& input, std::string_view function, Purpose purpose,
                                   services::SnippetType& type, Answer& answer);
  [[nodiscard]] bool compile_snippet(const services::Snippet& snippet, Purpose purpose,
                                     services::SnippetType& type);
  void collect_names(std::string_view text);
  // Collects the definitions that a text names, and the types of the collected variables.
  void collect_items(std::string_view text);
  // True if the text names a variable that may be assigned to.
  [[nodiscard]] bool has_variable_words(std::string_view text) const;
  // True if the prepared program has open decisions.
  [[nodiscard]] bool has_decisions(std::string_view text) const;
  void run_snippet(const Input& input, const services::SnippetType& type,
                   const std::stop_token& stop, Answer& answer);
  void tell_value(const services::SnippetType& type, const CodeView& code, u32 function,
                  Answer& answer) const;
  // True if the value differs from the variable's.
  [[nodiscard]] bool has_changed(const NamedValue& value) const;
  void tell_trap(const Input& input, const CodeView& code, u32 function, Answer& answer) const;
  // The module of a place in a program's code; null: the program's own text.
  [[nodiscard]] const Module* module_at(u32 place, std::string_view program) const;
  void tell_errors(const Input& input, Answer& answer) const;
  // Reports diagnostics of definitions, each at its origin. `at`: where the definitions begin in the program.
  static void tell_errors(const std::string& program, u32 at, const DefinitionText& definitions,
                          std::span<const Diagnostic> diagnostics, Answer& answer);
  void keep(const Input& input, const services::SnippetType& type, Answer& answer);
  // Imports types of modules by name, so that later inputs can use them. False: a name has another meaning in the
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

    // The text of its places, which includes modules at its end.
    [[nodiscard]] const std::string& diagnosed() const {
      return compiled.text.empty() ? text : compiled.text;
    }
  };
  [[nodiscard]] bool compile_items(const Input& input, std::span<const Definition> items,
                                   ItemProgram& program, Answer& answer);
  // The same with examples in the input's comments as tests. False: some have errors, which are in the answer.
  [[nodiscard]] bool compile_examples(const Input& input, ItemProgram& program, Answer& answer);
  static void tell_item_errors(const Input& input, const ItemProgram& program, Answer& answer);
  void run_tests(const Input& input, const ItemProgram& program, const std::stop_token& stop,
                 Answer& answer) const;
  void replace_items(std::vector<Definition> items, Answer& answer);
  // Removes variables whose types have a new meaning, since their cells belong to the old one. Returns their names.
  std::vector<std::string> forget_strange_values();
  void tell_broken_users(std::span<const std::string> replaced, Answer& answer);
  // Definitions in blocks, each behind what it needs: a program may hold fewer than a session.
  [[nodiscard]] std::string definition_blocks() const;

  engine::ModuleLoader modules_;
  services::SnippetCompiler compiler_;
  frontend::Compiler example_compiler_;  // takes examples in comments for tests
  Definitions definitions_;
  Variables variables_;
  size_t undoable_ = 0;  // steps of both lists
  u64 fuel_ = kDefaultFuel;
  engine::NativeTier* native_ = nullptr;
  // State of the compiled snippet:
  std::vector<services::SnippetName> names_;
  bool assigns_ = false;  // to `var`s among them
  std::vector<u64> arguments_;
  DefinitionText items_;
  std::string before_;  // variables as statements, if the snippet has no parameters
  engine::SingleRun run_;
};

// True if the input consists of items rather than of statements.
[[nodiscard]] bool starts_item(std::string_view text);

}  // namespace komuz::repl
