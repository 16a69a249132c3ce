// SPDX-License-Identifier: Apache-2.0
// Commands of a session: a `:`, a word, and what belongs to it on the same line (command_table.h).
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/problem.h"
#include "repl/harness_candidate.h"
#include "repl/session.h"
#include "repl/variants/variants.h"
#include "services/doc_finder.h"

namespace komuz::repl {

// Alone, it is `:help`.
inline constexpr std::string_view kHelpMark = "?";

// What commands need of the world around.
struct Host {
  std::function<Result<std::string>(const std::string& path)> read_file;  // of a source
  // Of any size; what a stop has cut short is no problem.
  std::function<Result<std::string>(const std::string& path, const engine::Watch& watch)>
      read_cases;
  // For who reads cases and finds their types, which takes long of many; empty: nobody is told.
  std::function<std::unique_ptr<engine::Watch>(const std::stop_token& stop)> make_watch;
  // Writes no file that is one of `read`, whatever it is called.
  std::function<Problem(const std::string& path, std::string_view text,
                        std::span<const std::string> read)>
      write_file;
  // Changes when the file does; empty where there is none.
  std::function<std::string(const std::string& path)> file_stamp;
  services::DocFinder::ReadModule read_module;
  services::DocFinder::ListModules list_modules;  // none: nobody knows which there are
  Variants::MakeProgress make_progress;           // empty: nobody is told
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
  // Loads watched files that have changed, and says so of each.
  [[nodiscard]] std::vector<Answer> load_changed(const std::stop_token& stop);
  [[nodiscard]] bool watches() const { return !watched_.empty(); }
  // Looks at watched files: has one changed since it was loaded, and not since the last look? Who writes it may not be done.
  [[nodiscard]] bool sees_change();
  [[nodiscard]] bool has_quit() const { return has_quit_; }

 private:
  friend struct CommandRow;
  // What belongs to the command, as an input of its own.
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

  // case_commands.cpp, variant_commands.cpp, ranking_commands.cpp
  Answer cases(const Input& words);
  Answer data(const Input& words);
  Answer harness(const Input& words);
  Answer score(const Input& words);
  Answer budget(const Input& words);
  Answer samples(const Input& words);
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
  [[nodiscard]] std::unique_ptr<engine::Watch> watch_of(const std::stop_token& stop) const;
  // What is said where new cases have not been read.
  [[nodiscard]] Answer stopped_reading() const;
  // The variant that a word names; a failure: there is none, and why.
  Answer read_variant(const Input& words, std::string_view name, engine::Decisions& out);

  // `words`: of the command, which says where the input is.
  // A program may be a harness, too.
  enum class Wanted : u8 { Program, Harness };
  Answer load_file(const Input& words, const std::string& path, Wanted wanted = Wanted::Program);
  void forget_changed_modules();
  // What somebody takes home: of a harness the candidate alone.
  [[nodiscard]] std::string own_program(const std::string& program);
  // What looks at a function of variables says that a column is none.
  [[nodiscard]] Answer without_columns(const Input& words, Answer answer) const;
  [[nodiscard]] Answer of_constants(const Input& words, Answer answer) const;
  [[nodiscard]] std::string settings_text() const;
  // Files that the session looks at again: nothing is written to these.
  [[nodiscard]] std::vector<std::string> read_files() const;

  Session& session_;
  Variants& variants_;
  const Host& host_;
  services::DocFinder docs_;
  std::vector<std::string> loaded_;      // files
  std::optional<HarnessItems> harness_;  // the last one that was loaded
  struct Watched {
    std::string path, stamp, seen = {};  // when it was loaded, and at the last look
  };
  std::vector<Watched> watched_;
  std::stop_token stop_;  // of the command that runs
  bool has_quit_ = false;
};

}  // namespace komuz::repl
