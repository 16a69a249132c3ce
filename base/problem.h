// SPDX-License-Identifier: Apache-2.0
// Errors are values: what can fail returns a Problem, which is empty where all is well, or a Result, which has a value or a problem.
//
//   Problem load(const Cases& cases);              // for a function that gives nothing else
//   Result<Signature> read_signature(Text text);   // for one that gives a value
//
//   if (Problem problem = load(cases)) return problem;
//   return load(cases).then([&] { return run(batch); }).then([&] { return fetch(out); });
//
// An empty one is a null pointer: returning it costs no more than that. What a problem says is text for people, a sentence as
// docs/style.md asks for.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/ints.h"

namespace komuz {

enum class ProblemKind : u8 {
  Input,   // an input is wrong, or cannot be read or written
  Option,  // nothing is wrong with the input: an option names what it does not have
  Device,  // nor here: the GPU failed, or there is none
  Stop,    // nor here: who waits has asked for an end
};

struct InputPlace {
  std::string file;
  u64 line = 0;    // from 1; 0: the input as a whole
  u64 column = 0;  // a byte of the line, from 1; 0: the line as a whole
};

class [[nodiscard]] Problem {
 public:
  // All is well.
  Problem() noexcept = default;
  Problem(ProblemKind kind, InputPlace place, std::string message, std::string remedy);
  Problem(const Problem& other);
  Problem(Problem&& other) noexcept = default;
  Problem& operator=(const Problem& other);
  Problem& operator=(Problem&& other) noexcept = default;
  ~Problem() = default;

  // True: there is a problem.
  [[nodiscard]] explicit operator bool() const { return said_ != nullptr; }
  [[nodiscard]] bool is(ProblemKind kind) const { return said_ != nullptr && said_->kind == kind; }
  // Of none they are empty.
  [[nodiscard]] const InputPlace& place() const { return said().place; }
  [[nodiscard]] const std::string& message() const { return said().message; }
  // What the user can do; empty if nothing can be said.
  [[nodiscard]] const std::string& remedy() const { return said().remedy; }
  // One line: "cases.csv:3:7: message; remedy". Empty of none.
  [[nodiscard]] std::string text() const;

  // What is known better further up. Of none nothing comes.
  Problem at(InputPlace place) &&;
  Problem with_remedy(std::string remedy) &&;
  // Behind the message.
  Problem with_note(std::string_view note) &&;

  // The next step, which gives a Problem, too: it is taken where all is well so far.
  template <class Step>
  Problem then(Step&& step) && {
    return said_ == nullptr ? std::forward<Step>(step)() : std::move(*this);
  }

 private:
  struct Said {
    ProblemKind kind = ProblemKind::Input;
    InputPlace place;
    std::string message, remedy;
  };
  [[nodiscard]] const Said& said() const { return said_ == nullptr ? kNothing : *said_; }

  static const Said kNothing;
  std::unique_ptr<Said> said_;  // null: all is well
};

// What is wrong with an input.
inline Problem input_problem(InputPlace place, std::string message, std::string remedy = {}) {
  return {ProblemKind::Input, std::move(place), std::move(message), std::move(remedy)};
}
inline Problem input_problem(std::string message) {
  return {ProblemKind::Input, {}, std::move(message), {}};
}
// What an option names is not there.
inline Problem option_problem(std::string message, std::string remedy) {
  return {ProblemKind::Option, {}, std::move(message), std::move(remedy)};
}
// What a device says of itself.
inline Problem device_problem(std::string message) {
  return {ProblemKind::Device, {}, std::move(message), {}};
}
// Of what was cut short because a stop was requested.
inline Problem stopped() { return {ProblemKind::Stop, {}, "interrupted", {}}; }

// A value, or why there is none. Which of the two is asked by problem(): a Result itself is neither true nor false.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  // There is one.
  Result(Problem problem) : problem_(std::move(problem)) {}

  [[nodiscard]] const Problem& problem() const& { return problem_; }
  Problem problem() && { return std::move(problem_); }
  // Where there is no problem.
  [[nodiscard]] const T& value() const& { return *value_; }
  [[nodiscard]] T& value() & { return *value_; }
  [[nodiscard]] T value() && { return *std::move(value_); }

 private:
  std::optional<T> value_;
  Problem problem_;
};

}  // namespace komuz
