// SPDX-License-Identifier: Apache-2.0
// Errors are values. A function that can fail returns a Problem, which is empty if all is well, or a Result, which holds a value or
// a problem.
//
//   Problem load(const Cases& cases);              // gives nothing else
//   Result<Signature> read_signature(Text text);   // gives a value
//
//   if (Problem problem = load(cases)) return problem;
//   return load(cases).then([&] { return run(batch); }).then([&] { return fetch(out); });
//
// An empty Problem is a null pointer, and costs no more to return than one. The message is a sentence for people (docs/style.md).
// No function may throw a problem away: both types are [[nodiscard]].
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
  Option,  // the input is right; an option names something that it lacks
  Device,  // the input is right; the GPU failed, or there is none
  Stop,    // the input is right; the caller requested a stop
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

  // True if there is a problem.
  [[nodiscard]] explicit operator bool() const { return said_ != nullptr; }
  [[nodiscard]] bool is(ProblemKind kind) const { return said_ != nullptr && said_->kind == kind; }
  // The parts of the problem; empty if there is none.
  [[nodiscard]] const InputPlace& place() const { return said().place; }
  [[nodiscard]] const std::string& message() const { return said().message; }
  // What the user can do; empty if there is no advice.
  [[nodiscard]] const std::string& remedy() const { return said().remedy; }
  // One line: "cases.csv:3:7: message; remedy". Empty if there is no problem.
  [[nodiscard]] std::string text() const;

  // A caller may know the place or a remedy better. Without a problem these do nothing.
  Problem at(InputPlace place) &&;
  Problem with_remedy(std::string remedy) &&;
  // Appends the note to the message.
  Problem with_note(std::string_view note) &&;

  // Takes the next step, which returns a Problem too, if all is well so far.
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

// An input is wrong, or cannot be read or written.
inline Problem input_problem(InputPlace place, std::string message, std::string remedy = {}) {
  return {ProblemKind::Input, std::move(place), std::move(message), std::move(remedy)};
}
inline Problem input_problem(std::string message) {
  return {ProblemKind::Input, {}, std::move(message), {}};
}
// An option names something that is not there.
inline Problem option_problem(std::string message, std::string remedy) {
  return {ProblemKind::Option, {}, std::move(message), std::move(remedy)};
}
// A device failed; this is its own message.
inline Problem device_problem(std::string message) {
  return {ProblemKind::Device, {}, std::move(message), {}};
}
// A requested stop interrupted the work.
inline Problem stopped() { return {ProblemKind::Stop, {}, "interrupted", {}}; }

// A value, or the problem that kept it from being. Ask problem() which of the two it is: a Result is neither true nor false.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  // `problem` is not empty.
  Result(Problem problem) : problem_(std::move(problem)) {}

  [[nodiscard]] const Problem& problem() const& { return problem_; }
  Problem problem() && { return std::move(problem_); }
  // Only if there is no problem.
  [[nodiscard]] const T& value() const& { return *value_; }
  [[nodiscard]] T& value() & { return *value_; }
  [[nodiscard]] T value() && { return *std::move(value_); }

 private:
  std::optional<T> value_;
  Problem problem_;
};

}  // namespace komuz
