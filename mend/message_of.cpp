// SPDX-License-Identifier: Apache-2.0
// Words for diagnostics: here rows become sentences. Their edits are in edit_of.cpp.
#include <algorithm>

#include "base/characters.h"
#include "base/counts.h"
#include "lang/diagnostic_types.h"
#include "lang/diagnostics.h"
#include "lang/missing_case.h"
#include "lang/recursion_note.h"
#include "lang/stack_need.h"
#include "lang/tokens.h"
#include "lang/traps.h"
#include "lang/types.h"
#include "mend/aliases.h"
#include "mend/builtin_words.h"
#include "mend/habits/from_chains.h"
#include "mend/habits/from_forms.h"
#include "mend/habits/from_formulas.h"
#include "mend/habits/from_grids.h"
#include "mend/habits/from_items.h"
#include "mend/habits/from_text.h"
#include "mend/name_edits.h"
#include "mend/odd_characters.h"
#include "mend/record_edits.h"
#include "mend/source_text.h"
#include "mend/standard_uses.h"
#include "mend/type_edits.h"

namespace komuz {

namespace {

constexpr std::string_view kFeatureTexts[] = {
#define FEATURE(Name, text) text,
#include "lang/features.def"
#include "mend/mend.h"
};

// The name of the type, or the bracketed type, at a place.
std::string spelled_type(std::string_view source, u32 begin) {
  u32 end = begin, depth = 0;
  while (end < source.size() && is_word(source[end])) ++end;
  if (end < source.size() && source[end] == '[') do {
      depth += source[end] == '[';
      depth -= source[end] == ']';
      ++end;
    } while (depth != 0 && end < source.size());
  return "`" + std::string(source_at(source, begin, end - begin)) + "`";
}
// The type of a container: "[i64; 3]", "List[…, 8]".
std::string container_text(u32 packed) {
  const u32 form = packed >> 24 & 15, held = packed >> 20 & 15, count = packed & 0xFFFF;
  const std::string element = held == 0xF   ? "_"
                              : held == 9   ? "i64"
                              : held == 10  ? "f64"
                              : held == 0xB ? "()"
                              : held == 0xE ? "…"
                                            : std::string(scalar_name(static_cast<Scalar>(held)));
  const std::string number = std::to_string(count);
  switch (form) {
    case 0: return "`Option[" + element + "]`";
    case 1: return "`[" + element + "; " + number + "]`";
    case 2:
      return element == "u8" ? "`Bytes[" + number + "]`"
                             : "`List[" + element + ", " + number + "]`";
    default: return "`[" + element + "]`";
  }
}
// See frontend_gpu/questions/type_brief.h.
std::string brief_text(u32 packed, std::string_view source) {
  if (packed >> 28 == 0xE) return spelled_type(source, packed & 0xFF'FFFF);
  if (is_container_brief(packed)) return container_text(packed);
  std::string out;
  u32 elements[9] = {};  // for each open tuple, and for none
  u32 depth = 0;
  for (i32 shift = 28; shift >= 0; shift -= 4) {
    const u32 digit = packed >> shift & 15;
    if (digit == 0) break;
    if (digit != 0xD && elements[depth]++ != 0) out += ", ";
    if (digit <= 8) out += scalar_name(static_cast<Scalar>(digit));
    switch (digit) {
      case 0x9: out += "integer literal"; break;
      case 0xA: out += "float literal"; break;
      case 0xB: out += "()"; break;
      case 0xC:
        out += "(";
        elements[++depth] = 0;
        break;
      case 0xD:
        out += elements[depth] == 1 ? ",)" : ")";
        if (depth != 0) --depth;
        break;
      case 0xE: out += "…"; break;
      case 0xF: out += "nothing"; break;
      default: break;
    }
  }
  if (out == "integer literal") return "an integer literal";
  if (out == "float literal") return "a float literal";
  return out.empty() ? "no value" : "`" + out + "`";
}

bool is_number_brief(u32 packed) {
  const u32 first = packed >> 28;
  return packed << 4 == 0 && first >= 1 && first <= 0xA;
}

// The source under a span on one line, shortened.
std::string shown(std::string_view text) {
  constexpr size_t kLongest = 40;
  const size_t whole = text.size();
  size_t length = std::min({text.find('\n'), whole, kLongest});
  while (length > 0 && length < whole && (text[length] & 0xC0) == 0x80)
    --length;  // characters are not cut
  const bool cut = length < whole;
  text = text.substr(0, length);
  return std::string(text) + (cut ? "…" : "");
}

// Names with dots between them.
std::string_view path_at(std::string_view source, u32 at) {
  u32 end = at;
  while (end < source.size() && (is_word(source[end]) || source[end] == '.')) ++end;
  return source_at(source, at, end - at);
}
// ` (f → g → f)`; empty if a function calls itself.
std::string chain_text(std::string_view name, const RecursionNote& note, std::string_view source) {
  if (note.first == 0) return "";
  std::string text = " (" + shown(name) + " → " + shown(word_at(source, note.first));
  if (note.second != 0) text += " → " + shown(word_at(source, note.second));
  if (note.more) text += " → …";
  return text + " → " + shown(name) + ")";
}
std::string counted(u32 count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}
std::string advice_of(const AliasRow* row) {
  if (row == nullptr) return "";
  if (row->right.empty()) return "; " + std::string(row->advice);
  return "; write `" + std::string(row->right) + "`";
}

// `Rect`, `Some(_)`, without quotes; empty if no word describes it.
std::string case_word_text(u32 word, std::string_view source) {
  const u32 value = case_value(word);
  switch (case_kind(word)) {
    case CaseWord::None: return "";
    case CaseWord::Constructor: return shown(word_at(source, value));
    case CaseWord::Bool: return value != 0 ? "true" : "false";
    case CaseWord::Number: return std::to_string(value);
    case CaseWord::Option: return value != 0 ? "Some(_)" : "None";
    case CaseWord::Any: return "_";
  }
  return "";
}
// `Rect(..)`
std::string pattern_of_case(u32 word, std::string_view source) {
  const std::string value = case_word_text(word, source);
  const bool has_fields =
      case_kind(word) == CaseWord::Constructor &&
      source_at(source, case_value(word) + static_cast<u32>(value.size()), 1) == "(";
  return value + (has_fields ? "(..)" : "");
}
// `(Rect(..), Some(false))`
std::string tuple_case_text(const TupleCase& values, std::string_view source) {
  std::string text;
  for (u32 k = 0; k < TupleCase::kMostValues; ++k) {
    const u32 word = values.words[k];
    if (case_kind(word) == CaseWord::None) break;
    const u32 held = k < TupleCase::kMostHolders ? values.held[k] : 0;
    std::string value = pattern_of_case(word, source);
    if (held != 0)
      value = value.substr(0, value.find('(')) + "(" + pattern_of_case(held, source) + ")";
    text += (text.empty() ? "" : ", ") + value;
  }
  return "`(" + text + ")`";
}
std::string case_text(u32 a, u32 b, std::string_view source) {
  if (TupleCase::is_in(a)) return tuple_case_text(TupleCase::of(a, b), source);
  const std::string outer = case_word_text(a, source), inner = case_word_text(b, source);
  if (outer.empty() && inner.empty()) return "all other values";
  if (outer.empty() || inner.empty()) return "`" + outer + inner + "`";
  return "`" + outer + "` with `" + inner + "`";
}

// For nested tuples, where the word alone says little.
std::string missing_text(const Diagnostic& d, std::string_view source) {
  const std::string text = case_text(d.a, d.b, source);
  const u32 open = behind_gap(source, d.end());
  const size_t close =
      source_at(source, open, 1) == "(" ? closing_bracket(source, open) : std::string_view::npos;
  const bool is_tuple = close != std::string_view::npos &&
                        parts_of(source.substr(open + 1, close - open - 1)).size() > 1;
  const bool is_word = text.starts_with('`') && !TupleCase::is_in(d.a);
  return is_tuple && is_word ? "a value that holds " + text : text;
}

// `Vec2(x: f64, y: f64)`, from its name on.
std::string spelled_fields(std::string_view source, u32 begin) {
  const size_t name_end = begin + word_at(source, begin).size();
  size_t end = name_end;
  u32 depth = 0;
  for (size_t k = name_end; k < source.size(); ++k) {
    depth += source[k] == '(';
    depth -= source[k] == ')';
    if (depth == 0) {
      end = source[k] == ')' ? k + 1 : name_end;
      break;
    }
  }
  return shown(source.substr(begin, end - begin));
}
// Lists are joined; for arrays, element-wise addition is more likely meant.
std::string join_text(const Diagnostic& d, std::string_view at, std::string_view source) {
  const std::string type = type_text(d.a, source);
  constexpr std::string_view kExtend =
      "lists are joined by `extend`: `var c = a.list(N); c.extend(b);`";
  if (d.b == kListWanted) return std::string(kExtend);
  if (type.starts_with('[') && d.b != 0)
    return "a number is added to each element by `a.map(x => x + 1)`";
  if (type.starts_with('[')) return "elements are added by `a.zip(b).map((x, y) => x + y)`";
  if (d.b == kElementLeft)
    return "the first element is written into a new list: `var c: " + type +
           " = [x]; c.extend(a);`";
  if (const std::optional<Edit> edit = diagnostic_fix(d, source);
      edit && !edit->text.starts_with("var "))
    return "write `" + shown(edit->text) + "`";
  if (d.b == kElementRight) return "an element goes behind the last one by `a.push(x)`";
  if (at == "+=") return "write `a.extend(b)`, or `a.push(x)` of one element";
  return std::string(kExtend);
}
std::string relief_text(const StackNeed& need) {
  if (need.is_recursive) return "lower a `rec` bound";
  return "make arrays and lists shorter, and pass them on as slices `[T]`, which are not copied";
}

std::string near_text(u32 near, std::string_view source) {
  if (near == 0) return "";
  const std::string_view word = builtin_word_of(near);
  return "; did you mean `" + (word.empty() ? shown(path_at(source, near)) : std::string(word)) +
         "`?";
}
// For a value where a lambda must be.
std::string lambda_text(std::string_view at) {
  if (const std::string head = head_of_lambda(at); !head.empty()) return "; write `" + head + " …`";
  const std::string lambda = lambda_of_block(at);
  if (!lambda.empty()) return "; write `" + shown(lambda) + "`";
  return at.starts_with('{') ? ", without braces" : ", without `" + shown(at) + "`";
}
// The place where a variable's type is stated: behind its name, or in its range.
std::string stated_text(const Diagnostic& d, std::string_view source) {
  const std::optional<Edit> edit = diagnostic_fix(d, source);
  if (!edit || edit->begin == d.end()) return "its type behind its name";
  const std::string_view behind = source.substr(edit->end);
  return "`" + edit->text + shown(trimmed(behind.substr(0, behind.find('{')))) + "`";
}
// For a chain without a length of its own.
std::string list_text(const Diagnostic& d, std::string_view source) {
  const std::optional<Edit> edit = diagnostic_fix(d, source);
  if (edit && edit->text.starts_with("list(")) return "write `." + edit->text + "`";
  if (edit && edit->text.starts_with("count("))
    return "how many elements are kept, `.count(p)` says";
  if (edit && edit->text == ".count()") return "how many elements there are, `.count()` says";
  if (edit && !edit->text.starts_with('.')) return "write `" + shown(edit->text) + "`";
  const std::string list = edit ? edit->text : ".list(N)";
  size_t begin = d.begin;
  while (begin > 0 && is_word(source[begin - 1])) --begin;
  const std::string_view word = word_at(source, static_cast<u32>(begin));
  if (word == "sort_by" || word == "reverse")
    return "`" + std::string(word) + "` takes a list: put `" + list + "` before it";
  return edit ? "write `" + list + "` behind it" : "end it with `.list(N)` or with a fold";
}
// The purpose of labels, and texts behind a `break` that are no label.
std::string label_text(const Diagnostic& d, std::string_view at, std::string_view source) {
  const u32 gap = behind_previous(source, d.begin);
  const bool starts_line = gap == 0 || source[gap - 1] == '\n';
  if (at.starts_with('#') || (at == "@" && starts_line)) return "";
  const std::string_view before = trimmed(source.substr(0, d.begin));
  const size_t label = source.find(std::string(at) + ":");
  const u32 behind = label == std::string_view::npos
                         ? 0
                         : behind_gap(source, static_cast<u32>(label + at.size()) + 1);
  const std::string_view word = behind == 0 ? "" : word_at(source, behind);
  const bool is_named = word == "for" || word == "while" || word == "loop";
  if (before.ends_with("break") && !at.starts_with('\'') && !at.starts_with('@') && !is_named)
    return "; a loop gives no value, so `break` takes none: `return` gives that of a function, and "
           "a variable from before the loop is set: `{ r = x; break; }`";
  return "; `break` leaves the innermost loop, `return` all loops of a function";
}
// For a number below 0 as an index or an exponent.
std::string negative_text(const Diagnostic& d, std::string_view at, std::string_view source) {
  const std::string number(word_at(source, d.b));
  // `xs[0]` in `xs[0][-1]`; a value that is made anew each time has another name.
  const std::string_view holder = at.substr(0, at.rfind('['));
  const std::string list = is_place(holder) ? shown(holder) : has_word(holder, "xs") ? "ys" : "xs";
  if (static_cast<Trap>(d.a) == Trap::Index)
    return "from the end is counted by `" + list + "[" + list + ".len() - " + number + "]`";
  return "a power of floats, whose base is `f64(…)`, ends in `** -" + number + ".0`";
}
// The sum whose first alternative is defined at `first`; 0: none.
std::string record_text(u32 first, std::string_view source) {
  if (first == 0) return "";
  const std::string_view item = source.substr(first, source.find(';', first) - first);
  const std::string_view name = word_at(source, first);
  const bool has_fields = source_at(source, first + static_cast<u32>(name.size()), 1) == "(";
  const std::string alternative = "`" + shown(name) + (has_fields ? "(…)`" : "`");
  if (item.find('|') != std::string_view::npos)
    return "; what its alternatives hold, a `match` says: `match x { " +
           alternative.substr(1, alternative.size() - 2) + " => …, … }`";
  return "; its constructor is " + alternative +
         ", and one of the type's own name would make it a record";
}
std::string chained_text(const Diagnostic& d, std::string_view source) {
  const std::string_view middle = source_at(source, d.a, d.b);
  if (const size_t sign = middle.find_first_of("|&"); d.b != 0 && sign != std::string_view::npos) {
    const std::string bits(1, middle[sign]);
    return "`" + bits + "` binds more tightly than they do; write `" + bits + bits +
           "`, or put them into parentheses: `(a == b) " + bits + " (c == d)`";
  }
  if (d.b != 0 || d.a == 0) return "write `a < b && b < c`";
  if (d.a == kNoEdit) return "the opposite of `a == b` is `!(a == b)`";
  return "leave out `" + std::string(between(source, d.begin, d.a)) + "`";
}
// `n.add(4)` of a number.
std::string operator_advice(const Diagnostic& d, std::string_view source) {
  const std::optional<Edit> edit = diagnostic_fix(d, source);
  if (edit) return "; write `" + shown(edit->text) + "`";
  const std::string_view sign = operator_of_method(source_at(source, d.begin, d.length));
  return "; write `a " + std::string(sign) + " b`";
}
// For numbers of different types. Converting a whole quotient would be too late for its fraction.
std::string convert_text(const Diagnostic& d, std::string_view source) {
  if (!is_number_brief(d.a) || !is_number_brief(d.b)) return "";
  const std::string_view before = source.substr(0, d.begin);
  const std::string_view line = before.substr(before.find_last_of("\n;{}") + 1);
  const std::string_view left = trimmed(line);
  size_t first = left.size();
  while (first > 0 && is_word(left[first - 1])) --first;
  const bool divides = line.find('/') != std::string_view::npos ||
                       is_of_quotient(left.substr(first), d.begin, source);
  return !divides ? "; convert one of them"
                  : "; convert one of them, of a quotient both operands: `f64(a) / f64(b)`";
}
// True for three dots as a mark of omitted text, not between the ends of a range, nor before a spread value.
bool stands_alone(const Diagnostic& d, std::string_view source) {
  const std::string_view before = trimmed(source.substr(0, d.begin));
  const std::string_view behind = source.substr(behind_gap(source, d.end()));
  const bool begins = before.empty() || before.ends_with("return") ||
                      std::string_view("{};=>,(").find(before.back()) != std::string_view::npos;
  return begins &&
         (behind.empty() || std::string_view("};,)").find(behind[0]) != std::string_view::npos);
}
// Other languages use `where` for definitions, for filters of loops, and for constraints on types.
std::string where_text(const Diagnostic& d, std::string_view source) {
  const bool is_in_block = d.b != kNoEdit && d.b > d.begin;
  if (is_in_block ? starts_definition(d.end(), source) : defines_names_behind(d.end(), source))
    return advice_of(find_alias("where"));
  const std::string_view before = source.substr(0, d.begin);
  const std::string_view statement = trimmed(before.substr(before.find_last_of("\n;{}") + 1));
  const std::string_view item = trimmed(before.substr(before.find_last_of(";{}") + 1));
  if (statement.starts_with("for ")) {
    const std::string_view behind = source.substr(d.end());
    return "; write `if " + shown(trimmed(behind.substr(0, behind.find_first_of("{\n")))) +
           " { … }` in the loop";
  }
  if (statement.starts_with("if ") || statement.starts_with("while "))
    return "; conditions are joined by `&&`";
  if (item.starts_with("fn ") || item.starts_with("pub fn "))
    return "; a function takes values of one type";
  return "";
}
// F# and OCaml use `with` for records that differ in a field, besides `match`.
std::string with_text(const Diagnostic& d, std::string_view source) {
  const u32 open = behind_gap(source, d.end());
  const u32 field = source_at(source, open, 1) == "{" ? behind_gap(source, open + 1) : open;
  const std::string_view name = word_at(source, field);
  const u32 mark = behind_gap(source, field + static_cast<u32>(name.size()));
  const u32 end = static_cast<u32>(trimmed_end(source.substr(0, d.begin)).size());
  const std::string_view record = between(source, operand_start(source, end), end);
  const bool gives = is_name(name) && is_name(record) &&
                     is_among(source_at(source, mark, 1), {"=", ":"}) &&
                     source_at(source, mark, 2) != "=>";
  if (!gives) return advice_of(find_alias("with"));
  const std::string_view value = source.substr(behind_gap(source, mark + 1));
  return "; a copy that differs in a field is `Name(.." + shown(record) + ", " + shown(name) +
         ": " + shown(trimmed(value.substr(0, value.find_first_of(",;}\n")))) + ")`";
}
// For a `limit` that is read as a name, because neither a number nor a name follows.
std::string bound_text(std::string_view at) {
  return at == "limit" ? "; what `limit` takes starts with a number or a name: `let most = …;` "
                         "before the loop"
                       : "";
}

// `first(x => x > 3)` in `xs.map(p => p.x).first(x => x > 3)`: the text behind the last `.` outside of its brackets.
std::string_view last_call(std::string_view chain) {
  size_t begin = 0;
  for (size_t k = 0; k < chain.size(); ++k) {
    if (chain[k] == '.') begin = k + 1;
    if (std::string_view("([{").find(chain[k]) == std::string_view::npos) continue;
    k = closing_bracket_of_lines(chain, k);
    if (k == std::string_view::npos) break;
  }
  return chain.substr(begin);
}
// For `first` and `last`, which have no arguments in Komuz. In other languages these are a condition on the element,
// or a count.
std::string end_of_list_advice(std::string_view call) {
  const std::string_view method = word_at(call, 0);
  const bool is_last = method == "last";
  if (!is_last && method != "first") return "";
  const std::string_view argument = trimmed(call.substr(method.size()));
  const std::string_view head = trimmed(argument.substr(0, argument.find("=>")));
  const bool is_lambda = head.size() != argument.size() && head.starts_with('(') &&
                         (is_name(trimmed(head.substr(1))) || head.ends_with(')'));
  if (is_lambda || argument.starts_with('{'))
    return "; the " + std::string(method) + " element for which something holds is `" +
           (is_last ? "xs.reverse()" : "xs") + ".find(x => x > 3)`, an `Option`";
  return is_last ? "; the last n elements are `xs[xs.len() - n..xs.len()]`"
                 : "; the first n elements are `xs[0..n]`";
}

// The name of the call of which the whole text at a place is an argument or the receiver; empty if there is none.
std::string_view name_of_call_around(const Diagnostic& d, std::string_view source) {
  constexpr u32 kLongestCall = 1024;
  const u32 behind = behind_gap(source, d.end());
  if (source_at(source, behind, 1) == ".") {
    const std::string_view method = word_at(source, behind + 1);
    const u32 end = behind + 1 + static_cast<u32>(method.size());
    return source_at(source, end, 1) == "(" ? method : std::string_view{};
  }
  const std::string_view before = trimmed_end(source.substr(0, d.begin));
  if (!before.ends_with('(') && !before.ends_with(',')) return {};
  u32 depth = 0;
  for (size_t k = before.size(); k-- > 0 && before.size() - k < kLongestCall;) {
    const char c = before[k];
    if (c == ';' || c == '{' || c == '}') break;
    if (is_quote(c) && (k = opening_quote(before, k)) == std::string_view::npos) break;
    if (c == ')' || c == ']') ++depth;
    if (c != '(' && c != '[') continue;
    if (depth-- != 0) continue;
    size_t begin = k;
    while (begin > 0 && is_word(before[begin - 1])) --begin;
    return c == '(' ? before.substr(begin, k - begin) : std::string_view{};
  }
  return {};
}
// `let g = x => x + n;`, given the arrow
std::string bound_lambda_text(u32 arrow, std::string_view source) {
  const std::string_view line = source.substr(0, arrow).substr(source.rfind('\n', arrow) + 1);
  const size_t sign = line.rfind('=');
  if (sign == std::string_view::npos) return "";
  const std::string_view head = trimmed(line.substr(0, sign));
  const size_t let = std::max(head.rfind("let ") + 1, head.rfind("var ") + 1);
  const std::string_view name = let == 0 ? "" : trimmed(head.substr(let + 3));
  const std::string_view parameters = trimmed(line.substr(sign + 1));
  if (!is_name(name) || (!is_name(parameters) && !parameters.starts_with('('))) return "";
  return "; what `" + std::string(name) + "` is to stand for is a function, `fn " +
         std::string(name) + "(…) -> … { … }`, which gets all that it uses as arguments";
}
// For a call of the program's own function, or of a parameter, that hides a built-in one: which one it is.
std::string hidden_text(const Diagnostic& d, std::string_view source) {
  const std::string_view at = source_at(source, d.begin, d.length);
  const auto told = [&](std::string_view name) -> std::string {
    if (!is_builtin_word(name)) return "";
    const u32 place = own_function_place(name, source);
    if (place == source.size()) return "";
    return "; `" + std::string(name) + "` is the program's own function of line " +
           std::to_string(place_of(source, place).line) + " here, which hides the built-in one";
  };
  switch (d.code()) {
    case DiagnosticCode::ArgumentCount:
    case DiagnosticCode::MethodArguments: return told(word_at(last_call(at), 0));
    case DiagnosticCode::Mismatch: {
      const std::string_view name = word_at(at, 0);
      const bool is_call = end_of_call(at, static_cast<u32>(name.size())) + 1 == at.size();
      if (std::string text = is_call ? told(name) : ""; !text.empty()) return text;
      return told(name_of_call_around(d, source));
    }
    case DiagnosticCode::SliceValue: return told(name_of_call_around(d, source));
    case DiagnosticCode::LambdaPlace: {
      std::string text = told(name_of_call_around(d, source));
      return text.empty() ? bound_lambda_text(d.begin, source) : text;
    }
    default: return "";
  }
}
// For a record or a constructor, whose edit does not say all that is to be written.
std::string advice_of_records(const Diagnostic& d, std::string_view source) {
  const std::string_view at = source_at(source, d.begin, d.length);
  const std::string type = type_text(d.a, source);
  if (d.code() == DiagnosticCode::NotIndexable) {  // `job["weight"]`
    const std::string_view field = field_of_index(d.begin, source);
    const std::string_view before = source.substr(0, d.begin);
    size_t first = before.size();
    while (first > 0 && is_word(before[first - 1])) --first;
    // A record: numbers and tuples have no named fields.
    if (!field.empty() && is_name(type) && type[0] >= 'A' && type[0] <= 'Z')
      return "; a field is read by its name: `" + shown(before.substr(first)) + "." + shown(field) +
             "`";
  }
  if (d.code() == DiagnosticCode::PatternMismatch && d.b == 0 && at.starts_with('(') &&
      source.find("type " + type + " = " + type + "(") != std::string_view::npos)
    return "; the pattern of a record has its name: `" +
           shown(record_pattern(d.begin, at, type, source)) + "`";
  return "";
}

// The advice for a value of another type, if no edit is certain.
std::string advice_of_types(const Diagnostic& d, std::string_view source) {
  const std::string wanted = type_text(d.a, source), found = type_text(d.b, source);
  const auto is_float = [](std::string_view type) { return type == "f64" || type == "f32"; };
  const auto is_integer = [](std::string_view type) { return first_value(type) == "0"; };
  const std::string_view at = source_at(source, d.begin, d.length);
  if (d.code() == DiagnosticCode::OperatorType && d.b != 0)
    return "; their order is that of `cmp(a, b)`";
  if (d.code() == DiagnosticCode::ArgumentCount && at.starts_with("log("))
    return "; to another base it is `log(x) / log(b)`, or `log2(x)` and `log10(x)`";
  if (d.code() == DiagnosticCode::ArgumentCount && at.starts_with("pow("))
    return "; the rest of a power is `math.pow_mod(a, b, m)`, with `use std.math;`";
  if (d.code() == DiagnosticCode::LambdaExpected && at.starts_with('"'))
    return "; where a text stands in another one, `bytes.index_of(s, part)` says, with `use "
           "std.bytes;`";
  if (d.code() == DiagnosticCode::ArgumentCount && at.starts_with("round("))
    return "; digits behind the point are kept by `round(x * 100.0) / 100.0`";
  if (d.code() == DiagnosticCode::ArgumentType && d.b == 0 && is_integer(wanted) &&
      at.starts_with("floor("))
    return "; a quotient of integers that is rounded down is `div_floor(a, b)`";
  if (d.code() == DiagnosticCode::ArgumentType && d.b == 0 && is_integer(wanted) &&
      at.starts_with("round("))
    return "; a quotient is rounded as `round(f64(a) / f64(b))`";
  if (d.code() == DiagnosticCode::ArgumentType && d.b == 0 && is_integer(wanted) &&
      at.starts_with("ceil("))
    return "; a quotient of integers that is rounded up is `-div_floor(-a, b)`";
  if (d.code() == DiagnosticCode::ArgumentType && wanted.starts_with("Option["))
    return "; what an `Option` holds, a `match` says: `match o { Some(x) => …, None => … }`";
  const std::string_view argument = at.substr(std::min(at.find('(') + 1, at.size()));
  if (d.code() == DiagnosticCode::ArgumentType && d.b != 0 &&
      (argument.find('/') != std::string_view::npos ||
       is_of_quotient(argument.substr(0, argument.find(')')), d.begin, source)))
    return "; a quotient of integers is whole, one of floats is `f64(a) / f64(b)`";
  if (d.code() == DiagnosticCode::ArgumentType)
    return d.b != 0 ? "; it takes floats: `f64(…)`" : "";
  if (d.code() == DiagnosticCode::MethodArguments &&
      source_at(source, d.begin, d.length).ends_with(".pop(0)"))
    return "; the first element is `xs[0]`, and what is left `list.removed(xs, 0)`, with `use "
           "std.list;`";
  if (d.code() == DiagnosticCode::MethodArguments && d.b == 1)
    if (const std::string advice = end_of_list_advice(last_call(at)); !advice.empty())
      return advice;
  if (d.code() == DiagnosticCode::FunctionForLambda)
    return "; write one that calls it: `x => " + shown(at) + "(x)`";
  if (d.code() == DiagnosticCode::PropRange && d.a == kOfElements)
    return "; elements are brought into one by the body: `xs.map(x => mod_floor(x, 100))`";
  if (d.code() == DiagnosticCode::OptionForElement)
    return "; `.or(value)` or a `match` takes out what it holds";
  if (d.code() == DiagnosticCode::KeyParameters)
    return "; a key of several parts goes by the first that differs: `x => (x.a, x.b)`";
  if (d.code() == DiagnosticCode::NotAnOption) return "; leave out `." + std::string(at) + "`";
  if (d.code() == DiagnosticCode::PatternMismatch && gives_element(word_at(source, d.b)))
    return "; `" + std::string(word_at(source, d.b)) +
           "` gives an element, and traps INDEX where there is none: `if xs.is_empty() { … } else "
           "{ … }`";
  if (d.code() == DiagnosticCode::PatternMismatch && d.b != 0)
    return "; an element with its index: `xs.enumerate().map((i, x) => …)`";
  if (d.code() == DiagnosticCode::BadCharLiteral && d.a == kNoEdit && d.length > 2)
    return "; several are compared with as many: `s[i..i + 2] == \"ab\"`";
  if (d.code() == DiagnosticCode::ChainedOperator)
    return source_at(source, d.begin, d.length) == "="
               ? "; an assignment gives no value, so each variable has its own"
               : "; add parentheses";
  if (d.code() == DiagnosticCode::TypeBrackets && d.b == kNoEdit)
    return "; a result is `List[" + type_behind_brackets(trimmed(at.substr(at.find(']') + 1))) +
           ", N]`, where N is how many elements there may be";
  if (d.code() == DiagnosticCode::MisspeltKeyword)
    return "; did you mean `" + std::string(token_row(static_cast<Token>(d.a)).spelling) + "`?";
  if (d.code() == DiagnosticCode::GridIntegers && d.b > d.a)
    return integer_grid_advice(d.a, d.begin, d.b, source);
  if (d.code() == DiagnosticCode::SliceValue) return "; a list of it is made by `.list(N)`";
  if (d.code() == DiagnosticCode::InTest && at.find("..") != std::string_view::npos)
    return "; whether a number lies in a range, `a <= n && n < b`";
  if (d.code() == DiagnosticCode::SlicePart &&
      source_at(source, d.begin, d.length).find('-') != std::string_view::npos)
    return "; the last n elements are `xs[xs.len() - n..xs.len()]`, which are none where n is 0";
  if (d.code() != DiagnosticCode::Mismatch) return "";
  if (wanted == "Option[" + found + "]" && at.ends_with("()"))
    return "; of what may be empty `if xs.is_empty() { None } else { Some(" + shown(at) + ") }`";
  if (!wanted.empty() && found == "Option[" + wanted + "]")
    return "; `.or(value)` or a `match` takes out what it holds";
  if (is_integer(wanted) && is_float(found)) return "; `" + wanted + "(…)` leaves out the fraction";
  if (is_integer(wanted) && is_integer(found)) return "; write `" + wanted + "(…)`";
  const bool divides =
      at.find('/') != std::string_view::npos || is_of_quotient(at, d.begin, source);
  if (is_float(wanted) && is_integer(found) && divides)
    return "; a quotient of integers is whole, one of floats is `" + wanted + "(a) / " + wanted +
           "(b)`";
  return "";
}
// The text that the edit of a value of another type writes; if it only adds text before and behind the value, the
// whole.
std::string remedy_text(const Diagnostic& d, std::string_view source) {
  if (const std::string advice = advice_of_records(d, source); !advice.empty()) return advice;
  const std::optional<Edit> edit = diagnostic_fix(d, source);
  // `k) if k >= 1` in `Some(k @ 1..)`; an edit of the pattern alone may continue with the arm's own guard.
  if (const size_t guard = edit ? edit->text.find(" if ") : std::string::npos;
      d.code() == DiagnosticCode::BoundPattern && guard != std::string::npos &&
      edit->text.find(')') < guard && !word_at(edit->text, 0).empty() &&
      edit->text.find(" => ", guard) == std::string::npos)
    return "; write `" + std::string(word_at(edit->text, 0)) + "`, and behind the pattern `" +
           shown(edit->text.substr(guard + 1)) + "`";
  if (edit && !edit->text.empty()) return "; write `" + shown(edit->text) + "`";
  return advice_of_types(d, source);
}

// For a `fold` whose lambda has three parameters.
std::string pairs_text(const Diagnostic& d, std::string_view source) {
  if (d.b > d.a)
    return "; an element that is a pair is taken apart in it: `(sum, " +
           shown(diagnostic_fix(d, source).value_or(Edit{}).text) + ") => …`";
  if (d.a == kNoEdit)
    return "; with the index of each element it is `xs.enumerate().fold(0, (sum, (i, x)) => …)`";
  return "";
}
// For a comma outside of brackets.
std::string tuple_text(const Diagnostic& d, std::string_view source) {
  const std::optional<Edit> edit = diagnostic_fix(d, source);
  if (edit && edit->text.starts_with('['))
    return "; an element of an element is `a" + shown(edit->text) + "`";
  return edit ? "; a tuple is written in parentheses: `" + shown(edit->text) + "`" : "";
}

std::string filled(std::string_view slot, const Diagnostic& d, std::string_view source) {
  const std::string_view at = source_at(source, d.begin, d.length);
  if (slot == "at") return shown(at);
  const bool is_budget =
      d.code() == DiagnosticCode::OverByteBudget || d.code() == DiagnosticCode::OverWorkBudget;
  if (slot == "a") return is_budget ? grouped(d.a) : std::to_string(d.a);
  if (slot == "b") return std::to_string(d.b);
  if (slot == "type a") return brief_text(d.a, source);
  if (slot == "type b") return brief_text(d.b, source);
  if (slot == "word a") return shown(source_at(source, d.a, d.b));
  if (slot == "line a") return std::to_string(place_of(source, d.a).line);
  if (slot.starts_with("count a ")) return counted(d.a, slot.substr(8));
  if (slot == "whole a") return std::string(source_at(source, d.a, d.b));
  if (slot == "path a") return shown(path_at(source, d.a));
  if (slot == "near b" && d.code() == DiagnosticCode::UnknownModule && d.a == kOfOtherLanguage)
    return at == "std::collections" || at == "collections"
               ? "; leave the line out: there are no maps and no sets"
               : "; leave the line out";
  if (slot == "near b" && d.code() == DiagnosticCode::UnknownModule && d.a == kOfHarness)
    return d.b == 0 ? "; it is a harness, which `--harness` names"
                    : "; the harness is `" + shown(word_at(source, d.b)) + "`";
  if (slot == "near b") return near_text(d.b, source);
  if (slot == "remedy") return remedy_text(d, source);
  if (slot == "tuple") return tuple_text(d, source);
  if (slot == "pairs") return pairs_text(d, source);
  if (slot == "case") return missing_text(d, source);
  if (slot == "bound") return std::to_string(RecursionNote::of(d.a, d.b).bound);
  if (slot == "chain") return chain_text(at, RecursionNote::of(d.a, d.b), source);
  if (slot == "above b") return d.b == 0 ? "" : ", on top of `" + shown(word_at(source, d.b)) + "`";
  if (slot == "spelled a") return spelled_fields(source, d.a);
  if (slot == "uses") return standard_uses_text(at, type_text(d.a, source));
  if (slot == "own")
    return source_at(source, d.a, d.b) == "use " + std::string(at) + ";" ? ", its own" : "";
  if (slot == "capacity a") return capacity_of_type(d.a, source);
  if (slot == "join a") return join_text(d, at, source);
  if (slot == "limit b") return std::to_string(StackNeed::of(d.b).limit);
  if (slot == "relief b") return relief_text(StackNeed::of(d.b));
  if (slot == "path b") return shown(path_at(source, d.b));
  if (slot == "trap a") return std::string(trap_name(static_cast<Trap>(d.a)));
  if (slot == "feature a")
    return std::string(d.a < std::size(kFeatureTexts) ? kFeatureTexts[d.a] : "this");
  if (slot == "alias" && at == "..." && stands_alone(d, source)) return advice_of(find_alias("…"));
  if (slot == "alias" && at.ends_with(" fn")) return remedy_text(d, source);
  if (slot == "alias" && d.code() == DiagnosticCode::WordOperator &&
      source_at(source, d.end(), 1) == "(")
    if (const AliasRow* const called = find_function_alias(at); called != nullptr)
      return advice_of(called);
  if (slot == "alias" && at == "where") return where_text(d, source);
  if (slot == "alias" && at == "with") return with_text(d, source);
  if (slot == "alias" && is_odd_blank(at))
    return ": it is " + find_odd_character(at).name + "; write a blank";
  if (slot == "alias") {
    // `square(r)` of a `Square`
    if (d.code() == DiagnosticCode::UnknownConstructor && d.b != 0) return "";
    const bool is_value = d.code() == DiagnosticCode::UnknownName;
    const AliasRow* const row = is_value ? find_value_alias(at) : nullptr;
    const bool is_prefix =
        row != nullptr && row->kind == AliasKind::Prefix && source_at(source, d.end(), 1) == ".";
    if (is_prefix && rounds_halves_otherwise(at, word_at(source, d.end() + 1)))
      return "; `round` takes halves to even numbers, and `floor(x + 0.5)` up";
    return advice_of(is_value ? row : find_alias(at));
  }
  if (slot == "convert") return convert_text(d, source);
  if (slot == "path") {
    if (rounds_halves_otherwise(at, word_at(source, d.end())))
      return "`round` takes halves to even numbers, and "
             "`sign(x) * floor(abs(x) + 0.5)` away from 0";
    const std::optional<Edit> edit = diagnostic_fix(d, source);
    if (!edit || edit->text.empty()) return "leave out `" + shown(at) + "`";
    const std::string_view behind = edit->text.ends_with('.') ? word_at(source, edit->end) : "";
    return "write `" + shown(edit->text + std::string(behind)) + "`";
  }
  if (slot == "function") {
    const bool is_operator = !operator_of_method(at).empty();
    if (d.code() == DiagnosticCode::UnknownFunction && d.a != 0 && d.a != kNoEdit &&
        d.a != kIntegerGiven && is_operator)
      return operator_advice(d, source);
    if (d.a == kTextGiven)
      return "; the number that a text spells is `bytes.parse_i64(s)`, with `use std.bytes;`, "
             "which gives an `Option`";
    const AliasRow* const called = find_function_alias(at);
    if (d.a == kNoEdit && called != nullptr && called->right.starts_with("is_"))
      return "; of all bytes it is `s.all(" + std::string(called->right) + ")`";
    if ((at == "float" || at == "int") && d.a == kNoEdit)
      return "; a quotient of integers is whole, one of floats is `f64(a) / f64(b)`";
    if (at.starts_with("rotate_") && d.a == kNoEdit)
      return "; write `list.rotated(xs, n)`, with `use std.list;`, which gives all elements turned "
             "to the left";
    const AliasRow* const row = find_function_alias(at);
    const bool is_method = d.begin > 0 && source[d.begin - 1] == '.';
    if (!is_method)
      if (const std::string formula = formula_of_call(at, row); !formula.empty()) {
        const std::string remedy = remedy_text(d, source);
        return remedy.empty() ? "; write " + formula : remedy;
      }
    // `xs.maxOf { … }`
    const bool has_block = trimmed(source.substr(d.end(), 2)).starts_with('{');
    const bool has_word = row == nullptr || (!row->right.empty() && !has_block);
    const std::string remedy = has_word ? "" : remedy_text(d, source);
    if (remedy.empty()) return advice_of(row);
    // It takes the first of equal ones.
    const size_t note =
        row->edit == AliasEdit::ElementBy ? row->advice.find("; ") : std::string_view::npos;
    return note == std::string_view::npos ? remedy : remedy + std::string(row->advice.substr(note));
  }
  if (slot == "lambda") return lambda_text(at);
  if (slot == "stated") return stated_text(d, source);
  if (slot == "bounds")
    return "`rec " + std::to_string(d.a) +
           (d.b == 0 ? "` is the most" : "`, and what is said of the other cycles, are bounds");
  if (slot == "label") return label_text(d, at, source);
  if (slot == "negative") return negative_text(d, at, source);
  if (slot == "record") {
    const std::string remedy = d.b == 0 ? remedy_text(d, source) : "";
    return remedy.empty() ? record_text(d.b, source) : remedy;
  }
  if (slot == "chained") return chained_text(d, source);
  if (slot == "bound of loop") return bound_text(at);
  if (slot == "list") return list_text(d, source);
  if (slot == "guard" && at == "->") return "write `=>`";
  if (slot == "guard")
    return d.a == 0 ? "several patterns are joined by `|`"
                    : "a guard starts on the line on which its pattern ends";
  return "{" + std::string(slot) + "}";
}

}  // namespace

std::string type_text(u32 packed, std::string_view source) {
  const std::string text = brief_text(packed, source);
  return text.starts_with("`") && text.ends_with("`") ? text.substr(1, text.size() - 2) : "";
}
std::string capacity_of_type(u32 packed, std::string_view source) {
  const std::string type = brief_text(packed, source);
  const size_t close = type.rfind(']'), begin = type.find_last_of("[,", close);
  if (close == std::string::npos || begin == std::string::npos) return "N";
  constexpr std::string_view kBlanks = " \t\r\n";
  const size_t first = type.find_first_not_of(kBlanks, begin + 1);
  const size_t last = type.find_last_not_of(kBlanks, close - 1);
  return first <= last ? type.substr(first, last + 1 - first) : "N";
}

std::string diagnostic_message(const Diagnostic& d, std::string_view source) {
  const std::string_view form = diagnostic_row(d.code()).message;
  std::string out;
  for (size_t k = 0; k < form.size();) {
    const size_t open = form.find('{', k), close = form.find('}', open);
    if (open == std::string_view::npos || close == std::string_view::npos) {
      out += form.substr(k);
      break;
    }
    out += form.substr(k, open - k);
    if (form[open + 1] == ' ') {  // a brace of a program
      out += '{';
      k = open + 1;
      continue;
    }
    out += bounded(filled(form.substr(open + 1, close - open - 1), d, source));
    k = close + 1;
  }
  return out + hidden_text(d, source);
}

}  // namespace komuz
