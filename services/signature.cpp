// SPDX-License-Identifier: Apache-2.0
#include "services/signature.h"

#include <algorithm>

#include "frontend_gpu/view.h"
#include "services/front_end_names.h"
#include "services/item_text.h"

namespace komuz::services {

namespace {

// What the tokens tell of a call.
struct OpenCall {
  Index name = kNone;      // the token of what is called
  bool is_method = false;  // `x.f(`
  u32 commas = 0;          // before the place
  Index field = kNone;     // the name before a `:` behind the last of them
};

// Reads back from a place to the parentheses around it. Finds nothing in parentheses that group, hold a tuple, or
// belong to a head.
OpenCall find_call(const Columns& c, Index tokens, u32 byte) {
  OpenCall call;
  u32 depth = 0;
  for (Index t = tokens; t-- > 0;) {
    if (c.token_start[t] >= byte) continue;
    const Token token = frontend::word_at(c, t);
    const Act act = token_row(token).act;
    const bool is_around =
        c.token_start[t] + c.token_length[t] > byte;  // the place is inside of it
    if (act == Act::Close && !is_around) ++depth;
    if (depth == 0 && token == Token::Comma) ++call.commas;
    if (depth == 0 && token == Token::Colon && call.commas == 0 && t > 0) call.field = t - 1;
    // What is never closed ends with its item.
    if (act == Act::Item || (token == Token::LBrace && depth == 0)) break;
    if (token == Token::LBrace) {
      --depth;
      continue;
    }
    if (act != Act::Paren) continue;
    if (depth != 0) {
      --depth;
      continue;
    }
    const bool is_call = token == Token::LParen && t > 0 &&
                         frontend::word_at(c, t - 1) == Token::Name &&
                         (t < 2 || !frontend::begins_item(c, t - 2));
    if (!is_call) {
      call = {};
      if (token != Token::LParen) break;
      continue;
    }
    call.name = t - 1;
    call.is_method = t >= 2 && frontend::token_at(c, t - 2) == Token::Dot;
    break;
  }
  return call;
}

bool is_spelled(const Columns& c, Index node, std::string_view name) {
  return text_of_token(c, c.token[node]) == name;
}
// `math.lerp(`
bool is_module(const Analysis& analysis, std::string_view name) {
  const Columns& c = analysis.columns();
  for (u32 b = 0; b < c.binds; ++b)
    if (c.bind_kind[b] == BindKind::Module && is_spelled(c, c.bind_node[b], name)) return true;
  return false;
}

// The node of a token as it is written; kNone: it was mended away.
Index known_node(const Analysis& analysis, Index written) {
  const Columns &c = analysis.columns(), &w = analysis.written();
  const Index token = analysis.token_around(w.token_start[written]);
  const bool is_same = token != kNone && c.token_start[token] == w.token_start[written] &&
                       c.token_length[token] == w.token_length[written];
  return is_same ? analysis.node_of(token) : kNone;
}

// For a name that the front end did not resolve, since its item is broken.
Symbol symbol_named(const Analysis& analysis, std::string_view name) {
  const Columns& c = analysis.columns();
  for (u32 b = 0; b < c.binds; ++b) {
    const BindKind kind = c.bind_kind[b];
    if (kind != BindKind::Function && kind != BindKind::Constructor) continue;
    const Index node = c.bind_node[b];
    if (frontend::module_of(c, node) == 0 && is_spelled(c, node, name))
      return symbol_of(analysis, node);
  }
  for (u32 row = 0; row < kBuiltinCount; ++row)
    if (kBuiltins[row].name == name) return {Symbol::Kind::Builtin, frontend::kBuiltinRef + row};
  return {};
}

}  // namespace

std::vector<CallSignature::Parameter> parameters_of_signature(std::string_view signature) {
  std::vector<CallSignature::Parameter> found;
  const size_t open = signature.find('(');
  if (open == std::string_view::npos) return found;
  u32 depth = 0, begin = static_cast<u32>(open) + 1;
  const auto add = [&](u32 end) {
    while (begin < end && signature[begin] == ' ') ++begin;
    if (begin < end) found.push_back({begin, end});
    begin = end + 1;
  };
  for (u32 k = begin; k < signature.size(); ++k) {
    const char byte = signature[k];
    if (byte == ',' && depth == 0) add(k);
    depth += byte == '(' || byte == '[';
    if (byte != ')' && byte != ']') continue;
    if (depth == 0) {
      add(k);
      break;
    }
    --depth;
  }
  return found;
}

std::optional<CallSignature> call_signature(const Analysis& analysis, u32 place) {
  const Columns& c = analysis.written();
  const OpenCall call = find_call(c, analysis.written_tokens(), analysis.in_program(place));
  if (call.name == kNone) return std::nullopt;
  const std::string_view name = text_of_token(c, call.name);
  Symbol symbol = symbol_of(analysis, known_node(analysis, call.name));
  if (symbol.kind == Symbol::Kind::None) symbol = symbol_named(analysis, name);
  SymbolText words = describe(analysis, symbol);
  CallSignature out;
  out.signature = std::move(words.signature);
  out.parameters = parameters_of_signature(out.signature);
  if (out.parameters.empty() && out.signature.find('(') == std::string::npos) return std::nullopt;
  out.module = std::move(words.module);
  out.text = std::move(words.text);
  const auto count = static_cast<u32>(out.parameters.size());
  // Operations are documented with the receiver before the `.`; functions have it as their first parameter.
  const bool takes_receiver = call.is_method && words.kind == NameKind::Function &&
                              !is_module(analysis, text_of_token(c, call.name - 2));
  out.active = std::min(call.commas + takes_receiver, count);
  if (call.field == kNone) return out;
  const std::string label = std::string(text_of_token(c, call.field)) + ":";
  for (u32 k = 0; k < count; ++k)
    if (std::string_view(out.signature).substr(out.parameters[k].begin).starts_with(label))
      out.active = k;
  return out;
}

}  // namespace komuz::services
