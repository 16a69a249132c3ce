// SPDX-License-Identifier: Apache-2.0
// The door of the native backend: checked code in, machine code out, for runs that are long enough to pay for it. What
// it gives has the same outcomes as the machines of vm/, to the bit. It knows neither source texts nor files, nor what
// pays; LLVM is behind komuz_backend.so, which is opened on first use, and nothing here shows it.
//
//   const Result<const Backend*> opened = open_backend();
//   if (opened.problem()) …                       // the virtual machines go on without it
//   Result<NativeCode> code = opened.value()->compile(view, function, Effort::Normal);
//   code.value().run({cases, fuel}, outcomes);
#pragma once
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "backend/c/c_layout.h"
#include "backend/effort.h"
#include "backend/loaded_constants.h"
#include "backend/settings.h"
#include "backend/source_map.h"
#include "base/problem.h"
#include "lang/cases.h"
#include "lang/code.h"

namespace komuz::backend {

struct AbiTable;
struct CompiledCode;

// What vm::Job says of a run, but for the code.
struct NativeJob {
  CasesView cases;
  u64 fuel = kDefaultFuel;  // the budget of each case
  // When it is requested, a run ends soon, and its outcomes are meaningless.
  const std::stop_token* stop = nullptr;
  // For code that loads some: CodeView::constants of each variant, one behind the other. A variant has as many cases as
  // each other one, and they lie together. There are several only of code that loads those of each case.
  std::span<const u64> constants = {};
  u32 variants = 1;
};

// A function of a program as code of this process. May run on several threads at once.
class NativeCode {
 public:
  // Constants that it loads, and their types.
  struct Loaded {
    std::vector<u32> numbers;
    std::vector<Scalar> types;
    ConstantsOf of = ConstantsOf::Job;
  };
  NativeCode(const AbiTable& table, CompiledCode&& code, const Function& function, Loaded loaded);
  ~NativeCode();
  NativeCode(NativeCode&&) noexcept;
  NativeCode& operator=(NativeCode&&) noexcept;

  void run(const NativeJob& job, OutcomesView out) const;
  // Of an object file with this code.
  [[nodiscard]] u64 code_bytes() const;
  // Cases at a time.
  [[nodiscard]] u32 lanes() const;
  // Rows of CodeView::constants: jobs may have other numbers there than the code that was compiled.
  [[nodiscard]] std::span<const u32> loaded() const;

 private:
  void run_cases(const NativeJob& job, std::span<const u64> cells, OutcomesView out) const;
  void run_lanes(const NativeJob& job, std::span<const u64> cells, OutcomesView out) const;
  struct Owned;
  Owned* owned_;
};

// The code of a program for another place.
struct EmitRequest {
  Form form = Form::Object;
  Effort effort = Effort::Full;
  std::string symbol;  // the name of the RunCase (case_state.h)
  // Functions for C (c/c_interface.h); if there are some, they are written instead.
  std::span<const CFunction> c_functions = {};
  std::string processor = "x86-64";  // as LLVM calls it; "native": this one
  Shape shape = {};
  // Then Form::Ir has places beside its instructions, and functions for C tell them of traps. Null: they do not.
  const SourceMap* source = nullptr;
  // Then an object file, or assembly, has the lines of the source for debuggers; of lanes it has none.
  bool has_lines = false;
};

// A program of a module for GPUs. `symbol` is the name of its kernel (docs/native.md): a letter or `_` first, then
// letters, digits and `_`, and no other program's of the module.
struct PtxProgram {
  CodeView code;
  u32 function = 0;  // the entry, as for Backend::compile
  std::string symbol;
};
struct PtxRequest {
  std::string target = "sm_75";  // which all later GPUs run; or "sm_90"
  Effort effort = Effort::Normal;
  Form form = Form::Assembly;  // PTX; Ir is that of the module
};

// The opened library. May be used by several threads at once.
class Backend {
 public:
  explicit Backend(const AbiTable& table) : table_(table) {}

  // What compiles: "LLVM 19.1.7".
  [[nodiscard]] std::string about() const;
  // Names that `processor` may have besides "native", in order.
  [[nodiscard]] std::vector<std::string> processors() const;
  // `code` is checked, and `function` has no references among its parameters. The problem says why the virtual machines
  // have to run it. `processor` as in EmitRequest; this one must have what it has. Code for many cases at a time pays for
  // many cases of code that is no recursion. What `code` has for the constants that are loaded does not matter.
  [[nodiscard]] Result<NativeCode> compile(const CodeView& code, u32 function, Effort effort,
                                           const std::string& processor = "native",
                                           Shape shape = {},
                                           const LoadedConstants& loaded = {}) const;
  // The bytes of a file.
  [[nodiscard]] Result<std::string> emit(const CodeView& code, u32 function,
                                         const EmitRequest& request) const;
  // A module for GPUs. The problem says which program it is about.
  [[nodiscard]] Result<std::string> emit_ptx(std::span<const PtxProgram> programs,
                                             const PtxRequest& request = {}) const;

  // In the place of what the environment says, for all code that is compiled from here on. What is kept in memory is
  // forgotten.
  void configure(const BackendSettings& settings) const;
  // Why something beside compiling did not work, each reason once, since the last configure(): a map could not be
  // written, or a file of the cache not be used. Code is not worse for it.
  [[nodiscard]] std::vector<std::string> notes() const;
  [[nodiscard]] CacheUse cache_use() const;

 private:
  const AbiTable& table_;
};

// Opens the library when it is first called: the file that the environment variable KOMUZ_BACKEND names, else
// komuz_backend.so beside the executable or in ../lib/komuz from there. The problem says why there is none.
[[nodiscard]] Result<const Backend*> open_backend();

}  // namespace komuz::backend
