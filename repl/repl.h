// SPDX-License-Identifier: Apache-2.0
// The session behind a stream of text: inputs in, answers out, in order. Knows neither files nor terminals.
#pragma once
#include <utility>

#include "repl/commands.h"
#include "repl/input_reader.h"

namespace komuz::repl {

struct ReplOptions {
  bool is_json = false;         // an object for each input
  services::RenderStyle style;  // of what goes to `err`
  ShownStyle shown;             // of what goes to `out`
  bool offers_fixes = false;    // a key applies them, which a note says
};
// The destinations of answers, which may be the same.
struct ReplOutput {
  std::function<void(std::string_view)> out, err;
};

class Repl {
 public:
  Repl(engine::ModuleFiles* files, Host host, ReplOptions options, ReplOutput output)
      : host_(std::move(host)),
        options_(options),
        output_(std::move(output)),
        session_(files),
        variants_(session_, options.shown, host_.make_progress),
        commands_(session_, variants_, host_) {
    variants_.settings().keeps_details = options.is_json;
  }
  Repl(const Repl&) = delete;  // commands point to the session
  Repl& operator=(const Repl&) = delete;

  // Evaluates the inputs that this text of the stream `name` completes.
  void add(std::string_view text, std::string_view name, const std::stop_token& stop = {});
  // The stream has ended; another one may begin.
  void end(std::string_view name, const std::stop_token& stop = {});

  // Items that an attached editor defines. They are no stream: a command or a statement among them is refused.
  void define(std::string_view items, std::string_view name, const std::stop_token& stop = {});

  // Drops open and pending inputs.
  void drop() { reader_.drop(); }

  // For callers that wait for text: whether files are watched, and whether one has changed. Loads the changed ones,
  // and reports them.
  [[nodiscard]] bool watches() const { return commands_.watches(); }
  [[nodiscard]] bool sees_change() { return commands_.sees_change(); }
  void load_changed(const std::stop_token& stop);

  // True if an input is open, so that the next line belongs to it.
  [[nodiscard]] bool is_open() const { return reader_.is_open(); }
  [[nodiscard]] bool has_quit() const { return commands_.has_quit(); }
  // The number of evaluated inputs.
  [[nodiscard]] u64 inputs() const { return inputs_; }
  // Returns the last input with its offered edits, once; empty if there are none.
  [[nodiscard]] std::string take_fix() { return std::exchange(fix_, {}); }
  // True if an input has failed.
  [[nodiscard]] bool has_failed() const { return has_failed_; }
  // Sets the width of the terminal from now on.
  void set_columns(u32 columns) {
    options_.style.width = columns;
    options_.shown.columns = columns;
    variants_.set_columns(columns);
  }
  [[nodiscard]] Session& session() { return session_; }
  [[nodiscard]] Variants& variants() { return variants_; }

 private:
  void evaluate_all(std::string_view name, const std::stop_token& stop);
  // False: there is no complete input.
  [[nodiscard]] bool evaluate_next(std::string_view name, const std::stop_token& stop);
  // Frees the memory of the input. `has_answer`: its answer reports the shortage.
  void end_shortage(std::string_view name, bool has_answer);
  [[nodiscard]] Answer evaluate(const Input& input, const std::stop_token& stop);
  [[nodiscard]] Answer evaluate_as_written(const Input& input, const std::stop_token& stop);
  // Functions of fits take f64. Where an input gives them integers, and nothing else is wrong, it is evaluated with
  // conversions; none: something else is wrong.
  [[nodiscard]] std::optional<Answer> evaluate_converted(const Input& input,
                                                         const std::stop_token& stop);
  [[nodiscard]] Answer evaluate_parts(const Input& input, u32 statements,
                                      const std::stop_token& stop);
  void find_fix(const Input& input, const Answer& answer);
  // Reports that an edit is offered, for one of so many inputs.
  void offer_fix(u64 inputs);
  void show(const Answer& answer);
  // Attached editors see what has changed.
  void show_to_editors();
  void add_loaded(const Answer& loaded, Answer& answer);
  // Shortens values that are too long for a terminal.
  void shorten_values(u32 columns);

  Host host_;
  ReplOptions options_;
  ReplOutput output_;
  Session session_;
  Variants variants_;
  Commands commands_;
  InputReader reader_;
  AnswerText text_;
  frontend::Compiler lexer_;  // for values in colours
  std::string fix_;
  u32 fix_line_ = 1;  // first line of that input
  bool is_fix_told_ = false;
  u64 inputs_ = 0;
  bool has_failed_ = false;
  u64 shown_changes_ = 0;  // of definitions that editors have seen
  services::LiveRef shown_live_;
  // State of the input that was taken last:
  bool is_answered_ = true;
  u32 line_ = 1;
};

}  // namespace komuz::repl
