// SPDX-License-Identifier: Apache-2.0
// The door of the front end: source text in, checked bytecode or diagnostics out.
// It does not run code, and knows neither files nor terminals.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "frontend_gpu/findings/error_limits.h"
#include "lang/cases.h"
#include "lang/code.h"
#include "lang/diagnostics.h"
#include "lang/library.h"
#include "lang/sketch.h"

namespace komuz::frontend {

class KeptProgram;  // frontend_gpu/kept_programs.h
class PhaseRunner;  // frontend_gpu/groups/phases.h
using MakeRunner = std::function<std::unique_ptr<PhaseRunner>()>;

// The 128-bit identity of a text. Programs with the same tokens and the same line starts have equal ones; blanks,
// comments and empty lines do not count.
struct TextHash {
  u64 low = 0, high = 0;
  bool operator==(const TextHash&) const = default;
};

// What compiling one program may take: bytes of its text, and steps of work (work_meter.h). By default only the
// limits of the language hold.
struct CompileBudget {
  u64 bytes = ~u64{0}, work = ~u64{0};
  bool operator==(const CompileBudget&) const = default;
};

struct Options {
  u32 stack_limit = kDefaultStackLimit;  // bytes a lane that an entry may need
  // Makes what runs the passes. Empty: the serial group, one program a call, which is the fast path of the CPU.
  // Tests run the passes on other groups (groups/emulated_groups.h). All groups give the same bytes.
  MakeRunner make_runner = {};
  // Doc examples are tests, too. The identity stays that of the text without them.
  bool examples = false;
  // The modules that `use` items may name; null: none. The library may grow between compilations.
  const Library* library = nullptr;
  // The program is a harness: it has `pub fn` without bodies, which its candidates define. Its code is neither
  // linked nor checked.
  bool is_harness = false;
  // Keeps the code as the text has it: no operation is folded, reduced or shared (optimise.h).
  bool is_plain = false;
  // The harness, a module of the library, whose candidates the programs are. Their code is what the harness's
  // function `harness_entry`, which becomes function 0, can reach.
  u32 harness = kNoModule;
  std::string harness_entry = {};
  CompileBudget budget = {};  // holds on the serial group
};

// The result of compiling one program. Once it has grown, reusing it allocates nothing.
struct Compilation {
  Code code;                            // empty when there are errors
  std::vector<Diagnostic> diagnostics;  // in source order
  // The text that the diagnostics point into, if the program uses modules: its own text, then what the modules say
  // of themselves (expand.h). Empty: the diagnostics point into the program's text, or there are none.
  std::string text;
  TextHash identity;
  bool ok = false;       // no errors; code has passed the checker
  bool stopped = false;  // a stop cut it short: nothing else is known

  void clear();
};

inline namespace plain {
struct Columns;  // frontend_gpu/columns/columns.h
}

struct ExpandedText;  // frontend_gpu/expand.h

// Whether a text is compiled together with the modules that it uses. Refused: it uses them in a way that is not
// allowed.
enum class Expanded : u8 { No, Yes, Refused };

// A workspace for one thread.
class Compiler {
 public:
  explicit Compiler(Options options = {});
  ~Compiler();
  Compiler(Compiler&&) noexcept;
  Compiler& operator=(Compiler&&) noexcept;

  // From now on a stop cuts work on a program short, on the serial group within about a millisecond.
  void stop_when(std::stop_token stop);

  void compile(std::string_view source, Compilation& out, ErrorLimits limits = {});
  // Compiles a program that begins with a function whose result has the type of its body, whatever its head says.
  // No name finds that function, and no `return` leaves it.
  void compile_inferred(std::string_view source, Compilation& out);
  // The same as compile() and identify(), for one of many texts that may differ in numbers alone (kept_programs.h).
  // `shape`: a hash that is equal for such texts, and mostly another one for others. columns() may have nothing
  // afterwards.
  void compile_alike(std::string_view source, u64 shape, Compilation& out);
  [[nodiscard]] TextHash identify_alike(std::string_view source, u64 shape);
  // The identity alone, which takes no more than lexing. It is zero if a stop cut it short.
  [[nodiscard]] TextHash identify(std::string_view source);
  // The text as it is compiled together with its modules, and its identity.
  [[nodiscard]] Expanded expand(std::string_view source, ExpandedText& out, TextHash& identity);
  // The paths of modules that the text names.
  [[nodiscard]] std::vector<std::string> list_modules(std::string_view source);
  // Compiles a module's text, and fills in what other programs need to know of the module.
  void compile_module(Module& module);
  // The text that was compiled last, in the form in which its variants need no space of a module (shared_spaces.h).
  // Nothing: its own text is that form, or it has errors.
  [[nodiscard]] std::optional<WrittenOut> written_out(std::string_view source) const;
  // What the passes left behind of the last program, for printers and editor services. It has nodes only if the
  // program had tokens.
  [[nodiscard]] const Columns& columns() const;
  // The work that the last program has taken so far (work_meter.h).
  [[nodiscard]] u64 work() const;
  // What went wrong between the lanes of the emulated group in the last program; empty: nothing did. If it is not
  // empty, the compilation has no code and one diagnostic, InternalRefused.
  [[nodiscard]] std::string_view fault() const;

 private:
  void compile_text(std::string_view source, Compilation& out);
  [[nodiscard]] const KeptProgram* take_kept(std::string_view source, u64 shape);

  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace komuz::frontend
