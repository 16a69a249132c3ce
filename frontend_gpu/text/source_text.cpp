// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/text/source_text.h"

#include <cstring>

namespace komuz::frontend {

namespace {

Diagnostic at(DiagnosticCode code, size_t begin, size_t length) {
  return make_diagnostic(code, static_cast<u32>(begin), static_cast<u32>(length));
}

// The number of bytes of the character at p by RFC 3629; 0: there is no valid one.
size_t character_length(const u8* p, size_t left) {
  const u8 a = p[0];
  const auto follows = [&](size_t k) { return k < left && (p[k] & 0xC0) == 0x80; };
  if (a < 0x80) return 1;
  if (a >= 0xC2 && a <= 0xDF) return follows(1) ? 2 : 0;
  if (a >= 0xE0 && a <= 0xEF) {
    if (!follows(1) || !follows(2)) return 0;
    const bool shorter = a == 0xE0 && p[1] < 0xA0, surrogate = a == 0xED && p[1] >= 0xA0;
    return shorter || surrogate ? 0 : 3;
  }
  if (a >= 0xF0 && a <= 0xF4) {
    if (!follows(1) || !follows(2) || !follows(3)) return 0;
    const bool shorter = a == 0xF0 && p[1] < 0x90, beyond = a == 0xF4 && p[1] >= 0x90;
    return shorter || beyond ? 0 : 4;
  }
  return 0;
}

}  // namespace

Diagnostic check_text(std::string_view source) {
  if (source.size() > kMaxSourceBytes) return at(DiagnosticCode::TooLarge, 0, 0);
  if (source.starts_with("\xEF\xBB\xBF")) return at(DiagnosticCode::ByteOrderMark, 0, 3);
  const u8* const p = reinterpret_cast<const u8*>(source.data());
  const size_t n = source.size();
  // Looks at eight bytes at a time for a byte beyond ASCII or a zero byte (Mycroft's test).
  u64 suspicious = 0;
  size_t k = 0;
  for (; k + 8 <= n; k += 8) {
    u64 word;
    std::memcpy(&word, p + k, 8);
    suspicious |= (word | (word - 0x0101'0101'0101'0101u)) & 0x8080'8080'8080'8080u;
  }
  if (k < n && n >= 8) {  // the last eight, some of them once more
    u64 word;
    std::memcpy(&word, p + n - 8, 8);
    suspicious |= (word | (word - 0x0101'0101'0101'0101u)) & 0x8080'8080'8080'8080u;
    k = n;
  }
  for (; k < n; ++k) suspicious |= p[k] == 0 || p[k] >= 0x80;
  for (k = 0; suspicious != 0 && k < n;) {
    if (p[k] == 0) return at(DiagnosticCode::NulByte, k, 1);
    const size_t length = character_length(p + k, n - k);
    if (length == 0) return at(DiagnosticCode::InvalidUtf8, k, 1);
    k += length;
  }
  if (n <= kMaxLineBytes) return {};
  for (size_t line = 0; line < n;) {
    const void* const end = std::memchr(p + line, '\n', n - line);
    const size_t next = end == nullptr ? n : static_cast<size_t>(static_cast<const u8*>(end) - p);
    if (next - line > kMaxLineBytes) return at(DiagnosticCode::LineTooLong, line, 1);
    line = next + 1;
  }
  return {};
}

}  // namespace komuz::frontend
