// SPDX-License-Identifier: Apache-2.0
// Commands of a session: a `:`, a word, and its arguments on the same line (command_table.h).
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "base/problem.h"
#include "repl/editors.h"
#include "repl/harness_candidate.h"
#include "repl/session.h"
#include "repl/variants/variants.h"
#include "services/doc_finder.h"
#include "services/export/export.h"

namespace komuz::repl {

// Alone, it means `:help`.
inline constexpr std::string_view kHelpMark = "?";

// The parts of the world that commands need.
struct Host {
  std::function<Result<std::string>(const std::string& path)> read_file;  // for a source
  // Reads a file of any size. A read that was stopped is no problem.
  std::function<Result<std::string>(const std::string& path, const engine::Watch& watch)>
      read_cases;
  // Watches the reading of cases and the search for their types, which takes long for many cases; empty: no progress
  // is shown.
  std::function<std::unique_ptr<engine::Watch>(const std::stop_token& stop)> make_watch;
  // Writes a file, unless it is one of `read` under any name.
  std::function<Problem(const std::string& path, std::string_view text,
                        std::span<const std::string> read)>
      write_file;
  // Changes when the file does; empty if there is no file.
  std::function<std::string(const std::string& path)> file_stamp;
  services::DocFinder::ReadModule read_module;
  services::DocFinder::ListModules list_modules;  // none: the modules are unknown
  Variants::MakeProgress make_progress;           // empty: no progress is shown
  Editors* editors = nullptr;                     // null: none can be attached
};

class Commands {
 public:
  Commands(Session& session, Variants& variants, const Host& host)
      : session_(session),
        variants_(variants),
        host_(host),
        docs_(host.read_module, host.list_modules) {}

  // The input starts with a `:`.
  [[nodiscard]] Answer run(const Input& input, const std::stop_token& stop);
  // Loads watched files that have changed, and reports each.
  [[nodiscard]] std::vector<Answer> load_changed(const std::stop_token& stop);
  [[nodiscard]] bool watches() const { return !watched_.empty(); }
  // Checks the watched files: true if one has changed since it was loaded, but not since the last check, since its
  // writer may not be done.
  [[nodiscard]] bool sees_change();
  [[nodiscard]] bool has_quit() const { return has_quit_; }
  // True if the text names a function that a fit has defined.
  [[nodiscard]] bool names_fitted(std::string_view text) const;
  // May attached editors define something?
  [[nodiscard]] bool takes_input() const { return takes_input_; }

 private:
  friend struct CommandRow;
  // `words`: the command's arguments, as an input of its own.
  Answer help(const Input& words);
  Answer type(const Input& words);
  Answer doc(const Input& words);
  Answer explain(const Input& words);
  Answer tokens(const Input& words);
  Answer tree(const Input& words);
  Answer code(const Input& words);
  Answer cost(const Input& words);
  Answer list(const Input& words);
  Answer load(const Input& words);
  Answer reload(const Input& words);
  Answer watch(const Input& words);
  Answer save(const Input& words);
  Answer undo(const Input& words);
  Answer reset(const Input& words);
  Answer fuel(const Input& words);
  Answer edit(const Input& words);
  Answer quit(const Input& words);
  Answer time(const Input& words);
  Answer bench(const Input& words);
  Answer device(const Input& words);
  Answer native(const Input& words);  // in native_commands.cpp
  Answer lsp(const Input& words);     // in editor_commands.cpp

  // In case_commands.cpp, variant_commands.cpp and ranking_commands.cpp.
  Answer cases(const Input& words);
  Answer data(const Input& words);
  Answer harness(const Input& words);
  Answer score(const Input& words);
  Answer budget(const Input& words);
  Answer samples(const Input& words);
  Answer split(const Input& words);
  Answer fit(const Input& words);     // in fit_command.cpp
  Answer import(const Input& words);  // in import_command.cpp
  Answer top(const Input& words);
  Answer variants(const Input& words);
  Answer fill(const Input& words);
  Answer why(const Input& words);
  Answer diff(const Input& words);
  Answer keep(const Input& words);
  Answer search(const Input& words);
  Answer distinct(const Input& words);
  Answer pareto(const Input& words);
  Answer plot(const Input& words);
  Answer plot_fit(const Input& words);
  Answer plot_column(const Input& words);
  Answer export_results(const Input& words);
  Answer export_fitted(const Input& words);  // in fit_command.cpp
  // In the language that the file's name says; else as it is. What differs is added to `notes`.
  [[nodiscard]] Result<std::string> exported(const std::string& text, const std::string& path,
                                             services::ExportOptions options,
                                             std::string& notes) const;
  [[nodiscard]] Answer written(const Input& words, const std::string& path, const std::string& text,
                               const std::string& notes);
  [[nodiscard]] std::unique_ptr<engine::Watch> watch_of(const std::stop_token& stop) const;
  // The answer if new cases have not been read.
  [[nodiscard]] Answer stopped_reading() const;
  // The variant that a word names. A failure says why there is none.
  Answer read_variant(const Input& words, std::string_view name, engine::Decisions& out);

  // `words`: the command's, which tell the place of the input. A program may also be a harness.
  enum class Wanted : u8 { Program, Harness };
  Answer load_file(const Input& words, const std::string& path, Wanted wanted = Wanted::Program);
  void forget_changed_modules();
  // The program as the user takes it along; with a harness, only the candidate.
  [[nodiscard]] std::string own_program(const std::string& program);
  // Adds, for commands on a function of variables, that a column is no variable.
  [[nodiscard]] Answer without_columns(const Input& words, Answer answer) const;
  [[nodiscard]] Answer of_constants(const Input& words, Answer answer) const;
  [[nodiscard]] std::string settings_text() const;
  // Files that the session reads again. No command writes to these.
  [[nodiscard]] std::vector<std::string> read_files() const;

  Session& session_;
  Variants& variants_;
  const Host& host_;
  services::DocFinder docs_;
  std::vector<std::string> loaded_;      // files
  std::optional<HarnessItems> harness_;  // the last one that was loaded
  struct Watched {
    std::string path, stamp, seen = {};  // when it was loaded, and at the last check
  };
  std::vector<Watched> watched_;
  // The last formula that a fit has defined, with its comments; and the names of all.
  struct Fitted {
    std::string program;
    services::ExportOptions options;
  };
  std::optional<Fitted> fitted_;
  std::set<std::string, std::less<>> fitted_names_;
  std::stop_token stop_;  // of the running command
  bool has_quit_ = false, takes_input_ = false;
};

}  // namespace komuz::repl
