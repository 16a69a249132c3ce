// SPDX-License-Identifier: Apache-2.0
// Diagnostics as rows. A pass writes a code, a span and two arguments; words and fixes are made at the edge.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/ints.h"

namespace komuz {

enum class Severity : u8 { Error, Warning, Note };

// The codes that passes report come first: their columns have 8 bits for a code.
enum class DiagnosticCode : u16 {
  None,
#define DIAGNOSTIC(Name, code, severity, message) Name,
#include "lang/diagnostics.def"
#define HOST_DIAGNOSTIC(Name, code, severity, message) Name,
#include "lang/diagnostics.def"
};
inline constexpr u32 kPassDiagnosticCount = 1
#define DIAGNOSTIC(Name, code, severity, message) +1
#include "lang/diagnostics.def"
    ;
inline constexpr u32 kDiagnosticCount = kPassDiagnosticCount
#define HOST_DIAGNOSTIC(Name, code, severity, message) +1
#include "lang/diagnostics.def"
    ;

// Bytes [begin, begin + length) of the source. The message in diagnostics.def says what the arguments hold.
struct Diagnostic {
  u32 begin = 0;
  u32 length : 20 = 0;
  u32 code_bits : 12 = 0;
  u32 a = 0, b = 0;

  [[nodiscard]] DiagnosticCode code() const { return static_cast<DiagnosticCode>(code_bits); }
  [[nodiscard]] u32 end() const { return begin + length; }
};
static_assert(sizeof(Diagnostic) == 16);

// Makes a row. A length that exceeds the row's field is cut.
[[nodiscard]] inline Diagnostic make_diagnostic(DiagnosticCode code, u32 begin = 0, u32 length = 0,
                                                u32 a = 0, u32 b = 0) {
  Diagnostic d;
  d.begin = begin;
  d.length = (length < 0xF'FFFF ? length : 0xF'FFFF) & 0xF'FFFF;
  d.code_bits = static_cast<u32>(code) & 0xFFF;
  d.a = a;
  d.b = b;
  return d;
}

// Second argument of some rows: the remedy is no edit that could be made here.
inline constexpr u32 kNoEdit = 1;
// First argument of UnknownName.
inline constexpr u32 kNoneMeant = 1;
// First argument of TypeBeforeName.
inline constexpr u32 kOfParameter = 1;
// Second argument of ListSum: the operand on that side is no list.
inline constexpr u32 kElementRight = 1, kElementLeft = 2;
// The same: a list is wanted, and the operands are arrays and slices.
inline constexpr u32 kListWanted = 3;
// First argument of PropRange: the parameter has elements.
inline constexpr u32 kOfElements = 1;

struct DiagnosticRow {
  std::string_view code;  // stable: "K0301"
  Severity severity;
  std::string_view message;
};
[[nodiscard]] const DiagnosticRow& diagnostic_row(DiagnosticCode code);
// "error", "warning", "note".
[[nodiscard]] std::string_view severity_name(Severity severity);

// Line and column count from 1; a column is a byte of the line.
struct Place {
  u32 line = 1, column = 1;
};
[[nodiscard]] Place place_of(std::string_view source, u32 offset);

}  // namespace komuz
