// SPDX-License-Identifier: Apache-2.0
// What an editor on a terminal asks about inputs: their colours, whether they go on, their completions, their types.
// Changes nothing of the session.
#pragma once
#include "repl/editor/assistance.h"
#include "repl/input_reader.h"
#include "repl/session.h"
#include "repl/variants/variants.h"
#include "services/analysis.h"

namespace komuz::repl {

class Assistant {
 public:
  // The names of a folder's files; names of folders end in `/`.
  using ListFiles = std::function<std::vector<std::string>(const std::string& folder)>;
  // The session and its variants outlive it.
  Assistant(Session& session, Variants& variants, ListFiles list_files)
      : session_(session),
        variants_(variants),
        list_files_(std::move(list_files)),
        analysis_(&session.modules().library()) {}

  [[nodiscard]] editor::Spans highlight(std::string_view text);
  [[nodiscard]] editor::Openness openness(std::string_view text);
  [[nodiscard]] editor::Completion complete(std::string_view text, size_t cursor);
  // Empty for text that is still being typed.
  [[nodiscard]] editor::Description describe(std::string_view text);

  // All of these functions; valid as long as the assistant.
  [[nodiscard]] editor::Assistance assistance();

 private:
  // Reads the text as inputs. Returns the number of complete ones; `last` is an open one.
  size_t read(std::string_view text, InputReader& reader, std::string_view& last);
  // The type of an input's value, and the number of its variants; false if it has errors.
  [[nodiscard]] bool check(std::string_view input, std::string& type, Answer& answer);
  // True if an input is wrong, as `d` says, only because it is unfinished.
  [[nodiscard]] bool lacks_rest(std::string_view input, const Diagnostic& d);
  void add_files(std::string_view path, editor::Completion& completion);
  // Adds the words that may stand at a place of code, the likeliest first.
  void add_code(std::string_view code, size_t cursor, editor::Completion& completion);

  Session& session_;
  Variants& variants_;
  ListFiles list_files_;
  frontend::Compiler lexer_;
  services::Analysis analysis_;
};

}  // namespace komuz::repl
