// SPDX-License-Identifier: Apache-2.0
// Programs as native code (backend/backend.h) in a file.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "backend/backend.h"
#include "cli/process/args.h"
#include "cli/programs/program.h"

namespace komuz::cli {

inline constexpr OptionRow kHeaderOption = {
    "header", "H", "a C header for native code; the code gets the functions that it declares",
    files("h hpp")};
inline constexpr OptionRow kPrefixOption = {"prefix", "P",
                                            "with --header: stands before all names in C"};
inline constexpr OptionRow kNativeFuelOption = {
    "fuel", "N", "with --header: ticks that a call may take; default: 1000000"};
inline constexpr OptionRow kLimitsOption = {
    "limits", "",
    "with --header: functions that take a budget of the call, and a flag that stops it"};
inline constexpr OptionRow kCpuOption = {
    "cpu", "NAME",
    "the processor of native code, as LLVM calls it (help: all); default: x86-64. Of PTX sm_75 "
    "(default) or sm_90"};

inline constexpr OptionRow kDebugOption = {
    "debug", "", "lines of the source for debuggers, in native code: `break FILE.komuz:12` in gdb"};

// Files with native code.
struct NativeFiles {
  std::string code;    // an object file, or text
  std::string header;  // of C; empty: none was asked for
};

// What is asked for.
struct NativeRequest {
  backend::Form form = backend::Form::Object;
  std::string header = {};  // the file of the C header; empty: none
  backend::Effort effort = backend::Effort::Full;
  backend::Shape shape = {};
  bool has_places = false;  // of the source: beside LLVM's text
};

// Code of the function `entry`; by default of the only public one, with a header of all public ones. Nothing, if it
// cannot be: the reason is on standard error, and `exit` says how the command `command` ends.
[[nodiscard]] std::optional<NativeFiles> native_files(const Program& program,
                                                      const NativeRequest& request,
                                                      std::string_view command, Args& args,
                                                      Terminal& terminal, Exit& exit);

}  // namespace komuz::cli
