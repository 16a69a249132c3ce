// SPDX-License-Identifier: Apache-2.0
// The door of the front end: source text in, checked bytecode or diagnostics out.
// It does not run code, and knows neither files nor terminals.
#pragma once
#include <functional>
#include <memory>
#include <stop_token>
#include <string_view>
#include <vector>

#include "frontend_gpu/findings/error_limits.h"
#include "lang/cases.h"
#include "lang/code.h"
#include "lang/diagnostics.h"
#include "lang/library.h"

namespace komuz::frontend {

class PhaseRunner;  // frontend_gpu/groups/phases.h
using MakeRunner = std::function<std::unique_ptr<PhaseRunner>()>;

// 128-bit identity of a text: equal for programs that have the same tokens and the same line starts; blanks, comments and
// empty lines apart.
struct TextHash {
  u64 low = 0, high = 0;
  bool operator==(const TextHash&) const = default;
};

// What compiling one program may take: bytes of its text, and steps of work (work_meter.h). By default the language's own
// limits hold alone.
struct CompileBudget {
  u64 bytes = ~u64{0}, work = ~u64{0};
  bool operator==(const CompileBudget&) const = default;
};

struct Options {
  u32 stack_limit = kDefaultStackLimit;  // bytes a lane that an entry may need
  // What runs the passes. Empty: the serial group, one program a call, which is the fast path of the CPU. Tests run them on
  // others (groups/emulated_groups.h). All of them give the same bytes.
  MakeRunner make_runner = {};
  bool examples =
      false;  // doc examples are tests, too; the identity is that of the text without them
  // What `use` items may name; it may grow between compilations. Null: nothing.
  const Library* library = nullptr;
  // A harness has `pub fn` without bodies, which its candidates define. Its code is neither linked nor checked.
  bool is_harness = false;
  // Code as the text has it: no operation is folded, reduced or shared (optimise.h).
  bool is_plain = false;
  // A module of the library that is a harness: programs are its candidates, and their code is what `harness_entry` of it
  // reaches, which is function 0.
  u32 harness = kNoModule;
  std::string harness_entry = {};
  CompileBudget budget = {};  // on the serial group
};

// What compiling one program gives. Reused from call to call, it stops allocating.
struct Compilation {
  Code code;                            // empty when there are errors
  std::vector<Diagnostic> diagnostics;  // in source order
  // Of a program that uses modules, what the diagnostics speak of: its text, and behind it what modules say of themselves
  // (expand.h). Empty: the text alone, or there are no diagnostics.
  std::string text;
  TextHash identity;
  bool ok = false;       // no errors; code has passed the checker
  bool stopped = false;  // it was cut short by a stop: nothing else is known

  void clear();
};

inline namespace plain {
struct Columns;  // frontend_gpu/columns/columns.h
}

struct ExpandedText;  // frontend_gpu/expand.h

// Is a text compiled with those of the modules that it uses? Refused: it uses them as it may not.
enum class Expanded : u8 { No, Yes, Refused };

// A compiler is a workspace for one thread.
class Compiler {
 public:
  explicit Compiler(Options options = {});
  ~Compiler();
  Compiler(Compiler&&) noexcept;
  Compiler& operator=(Compiler&&) noexcept;

  // From now on a stop cuts work on a program short, within a millisecond or so on the serial group.
  void stop_when(std::stop_token stop);

  void compile(std::string_view source, Compilation& out, ErrorLimits limits = {});
  // The same of a program that begins with a function, whose result has the type of its body, whatever its head says. No
  // name finds that function, and no `return` leaves it.
  void compile_inferred(std::string_view source, Compilation& out);
  // The identity alone: what lexing gives. Zeros where a stop cut it short.
  [[nodiscard]] TextHash identify(std::string_view source);
  // What the text is compiled as, where it uses modules, and its identity.
  [[nodiscard]] Expanded expand(std::string_view source, ExpandedText& out, TextHash& identity);
  // The paths of modules that the text names.
  [[nodiscard]] std::vector<std::string> list_modules(std::string_view source);
  // Compiles a module's text; what is to be known of it is filled in.
  void compile_module(Module& module);
  // What the passes left behind of the last program, for printers and editor services; nodes only if it had tokens.
  [[nodiscard]] const Columns& columns() const;
  // How much work the last program took so far (work_meter.h).
  [[nodiscard]] u64 work() const;
  // What went wrong between the lanes of the emulated group in the last program; empty: nothing. Code and diagnostics
  // then say that the compiler refuses.
  [[nodiscard]] std::string_view fault() const;

 private:
  void compile_text(std::string_view source, Compilation& out);

  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace komuz::frontend
