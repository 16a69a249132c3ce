// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/tree/keep_heads.h"

#include <algorithm>

#include "base/group/serial.h"
#include "frontend_gpu/tree/lex.h"
#include "frontend_gpu/tree/lists.h"

namespace komuz::frontend {
namespace {

// True for the tokens of a head with parameters and results of scalars, or of types that the program makes.
bool may_stand_in_head(Token token) {
  switch (token) {
    case Token::Pub:
    case Token::Fn:
    case Token::Name:
    case Token::LParen:
    case Token::RParen:
    case Token::Comma:
    case Token::Colon:
    case Token::Arrow:
    case Token::LBrace: return true;
    default: return false;
  }
}

bool is_bracket(Token token) {
  return token == Token::LParen || token == Token::RParen || token == Token::LBrace;
}

}  // namespace

const KeptHead& HeadKeeper::begin(std::string_view text) {
  is_kept_ = is_kept_ && text.starts_with(text_);
  return is_kept_ ? head_ : kNoHead;
}

bool HeadKeeper::are_sound(const Columns& c) {
  return (c.flags[kFailed] | c.flags[kNoted] | c.flags[kTypes] | c.flags[kModules]) == 0;
}

void HeadKeeper::end(const Columns& c, const KeptHead& kept, const Code* code) {
  is_kept_ = false;
  if (kept.bytes == 0) {
    if (are_sound(c) && !c.infers_result) look_at(c, code);
    return;
  }
  // What is wrong in the body may be shown at a node of the head, such as the name of the function.
  const u8* const errors = c.error;
  is_kept_ = (c.flags[kFailed] | c.flags[kNoted]) == 0 ||
             std::all_of(errors, errors + kept.nodes, [](u8 error) { return error == 0; });
}

void HeadKeeper::look_at(const Columns& c, const Code* code) {
  const std::string_view text(reinterpret_cast<const char*>(c.source), c.bytes);
  const size_t brace = text.find('{');
  if (brace == std::string_view::npos) return;
  const std::string_view head = text.substr(0, brace + 1);
  if (head != text_) {
    text_ = head;
    is_measured_ = is_refused_ = false;
    return;
  }
  if (!is_measured_) {
    is_measured_ = true;
    is_refused_ = !measure(c);
    if (!is_refused_ && code != nullptr) keep_header(*code);
  }
  is_kept_ = !is_refused_;
}

bool HeadKeeper::measure(const Columns& c) {
  head_ = {};
  head_.bytes = static_cast<u32>(text_.size());
  if (c.item_kind[0] != ItemKind::Function || !measure_tokens(c) || !measure_nodes(c)) return false;
  const ClassifyToken classify{c, tables()};
  const HashSum sum = SerialGroup().scan(head_.tokens, HashSum{}, classify,
                                         [](u32, const HashSum&, const LexedToken&) {});
  head_.hash_low = sum.low;
  head_.hash_high = sum.high;
  return true;
}

// The first function's rows are the first ones.
void HeadKeeper::keep_header(const Code& code) {
  if (code.functions.empty()) return;
  const Function& f = code.functions[0];
  const u32 parameters = f.parameter_slots, types = parameters + 3;
  if (f.kind != FunctionKind::Function || f.result_cells != 1 || code.types.size() < types ||
      parameters > KeptHeader::kMostParameters)
    return;
  // A parameter of several cells, or of none, would have other codes.
  if (code.types[0] != kTupleCode || code.types[1] != parameters) return;
  for (u32 k = 0; k < parameters; ++k)
    if (code.types[2 + k] != code.slot_types[k]) return;
  if (code.types[2 + parameters] == 0 || code.types[2 + parameters] >= kScalarCount) return;
  const u32 names = parameters == 0 ? f.name_end : code.parameter_names[parameters - 1].end;
  if (names > KeptHeader::kMostNames) return;
  header_.names = names;
  header_.parameters = parameters;
  header_.function = f;
  header_.function.max_stack = header_.function.cycle = 0;
  header_.function.stack_bytes = 0;
  std::copy_n(code.names.begin(), names, header_.name_bytes);
  std::copy_n(code.types.begin(), types, header_.types);
  std::copy_n(code.parameter_names.begin(), parameters, header_.parameter_names);
  head_.header = &header_;
}

bool HeadKeeper::measure_tokens(const Columns& c) {
  u32& k = head_.tokens;
  while (k < c.tokens && c.token_start[k] < head_.bytes) {
    const Token token = token_at(c, k++);
    if (!may_stand_in_head(token)) return false;
    head_.brackets += is_bracket(token);
  }
  // The first `{` may stand in a comment.
  return k != 0 && token_at(c, k - 1) == Token::LBrace && c.token_start[k - 1] + 1 == head_.bytes;
}

bool HeadKeeper::measure_nodes(const Columns& c) {
  while (head_.nodes < c.nodes && c.token[head_.nodes] < head_.tokens) ++head_.nodes;
  for (Index i = 0; i < head_.nodes; ++i) {
    if (c.item[i] != 0) return false;
    if (c.end[i] < head_.nodes) continue;
    if (head_.open == KeptHead::kMostOpen) return false;
    head_.open_nodes[head_.open++] = i;
  }
  head_.ranks = head_.nodes - head_.open;
  for (u32 r = 0; r < head_.ranks; ++r) {
    const Index i = c.order[r];
    if (i >= head_.nodes || (visits_of(c.role[i]) & Visits::kIdle) == 0) return false;
  }
  if (c.uses != 0 && c.use_node[0] < head_.nodes) return false;
  for (u32& b = head_.binds; b < c.binds && c.bind_node[b] < head_.nodes; ++b)
    if (c.bind_kind[b] != BindKind::Function && c.bind_kind[b] != BindKind::Parameter) return false;
  return true;
}

}  // namespace komuz::frontend
