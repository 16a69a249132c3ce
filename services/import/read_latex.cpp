// SPDX-License-Identifier: Apache-2.0
#include "services/import/read_latex.h"

#include <algorithm>

#include "mend/source_text.h"
#include "services/display_text.h"
#include "services/import/read_tokens.h"

namespace komuz::services {
namespace {

using Kind = FormulaTokenKind;
constexpr FormulaFormat kThisFormat = FormulaFormat::Latex;
constexpr u32 kMostLatexDepth = 1000;  // the parser says what is too deep; this bounds its input

// Words that only say how a formula is shown.
constexpr std::string_view kSilent[] = {
    "\\,",      "\\;",   "\\:",   "\\!",    "\\ ",    "\\quad", "\\qquad", "\\displaystyle",
    "\\limits", "\\big", "\\Big", "\\bigl", "\\bigr", "\\Bigl", "\\Bigr",  "\\tfrac",
    "\\dfrac"};
constexpr std::string_view kGreek[] = {
    "\\alpha", "\\beta",  "\\gamma", "\\delta", "\\epsilon", "\\varepsilon", "\\zeta",
    "\\eta",   "\\theta", "\\iota",  "\\kappa", "\\lambda",  "\\mu",         "\\nu",
    "\\xi",    "\\rho",   "\\sigma", "\\tau",   "\\phi",     "\\varphi",     "\\chi",
    "\\psi",   "\\omega", "\\Gamma", "\\Delta", "\\Theta",   "\\Lambda",     "\\Xi",
    "\\Pi",    "\\Sigma", "\\Phi",   "\\Psi",   "\\Omega"};
constexpr std::string_view kNameCommands[] = {"\\mathrm", "\\text",   "\\mathit",
                                              "\\textit", "\\mathbf", "\\textrm"};
// What may stand behind \left and \right, or alone, and the function that it calls.
struct Delimiter {
  std::string_view open, close, function;
};
constexpr Delimiter kDelimiters[] = {
    {"(", ")", ""},
    {"[", "]", ""},
    {"\\{", "\\}", ""},
    {"|", "|", "abs"},
    {"\\lvert", "\\rvert", "abs"},
    {"\\lfloor", "\\rfloor", "floor"},
    {"\\lceil", "\\rceil", "ceil"},
};

struct Frame {
  enum class What : u8 {
    Braces,     // {…}
    Numerator,  // of \frac
    Denominator,
    Degree,  // of \sqrt[…]
    Root,
    Exponent,
    Delimiters,    // (…), |…|
    Cases,         // up to \end{cases}
    CallBraces,    // \sin{…}
    AroundCall,    // \sin{(…)}: the brackets inside are those of the call
    CallRun,       // \sin 2x
    CallBrackets,  // \sin(…)
    CallBars,      // \ln|x|
  } what = What::Braces;
  u32 at = 0;
  std::string_view closer;              // of delimiters
  std::vector<FormulaToken> kept = {};  // a degree or an exponent that is written behind
  size_t end = 0;                       // of AroundCall: the tokens up to the call's end
};

class LatexReader {
 public:
  LatexReader(const FormulaLine& line, const std::function<bool(std::string_view)>& is_input)
      : line_(line), text_(line.text), is_input_(is_input) {}

  [[nodiscard]] Result<FormulaTokens> read() {
    strip();
    while (skip_blanks(), at_ < end_) {
      if (frames_.size() > kMostLatexDepth)
        return fault("too many brackets stand in each other here", "split the formula");
      if (Problem problem = read_one()) return problem;
    }
    while (!frames_.empty() && frames_.back().what == Frame::What::CallRun)
      if (Problem problem = end_run()) return problem;
    if (!frames_.empty()) {
      at_ = frames_.back().at;
      return fault("this is not closed", "each bracket needs its other half");
    }
    out_.end = end_;
    return std::move(out_);
  }

 private:
  [[nodiscard]] Problem fault(std::string message, std::string remedy) const {
    return input_problem(line_.place(at_), std::move(message), std::move(remedy));
  }
  [[nodiscard]] std::string_view rest() const { return text_.substr(at_, end_ - at_); }
  [[nodiscard]] char peek() const { return at_ < end_ ? text_[at_] : '\0'; }
  void skip_blanks() {
    for (;;) {
      while (at_ < end_ && (std::string_view(" \t\r~").find(text_[at_]) != std::string_view::npos))
        ++at_;
      const std::string_view word = command();
      if (word.empty() || !is_silent(word)) return;
      at_ += static_cast<u32>(word.size());
    }
  }
  [[nodiscard]] static bool is_silent(std::string_view word) {
    return std::ranges::find(kSilent, word) != std::end(kSilent) && !word.ends_with("frac");
  }
  // `\word`, or `\` and one sign; empty: there is none here.
  [[nodiscard]] std::string_view command() const { return command_at(at_); }
  [[nodiscard]] std::string_view command_at(u32 at) const {
    if (at >= end_ || text_[at] != '\\') return {};
    u32 stop = at + 1;
    while (stop < end_ && is_letter(text_[stop])) ++stop;
    return text_.substr(at, std::max(stop, std::min(at + 2, end_)) - at);
  }
  [[nodiscard]] static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  // Marks of a formula in a text, a comment, and what stands before the `=` of a definition.
  void strip() {
    std::string_view formula = text_;
    for (size_t k = 0; k < formula.size(); ++k)
      if (formula[k] == '%' && (k == 0 || formula[k - 1] != '\\')) formula = formula.substr(0, k);
    formula = trimmed_end(formula);
    while (formula.ends_with('$')) formula = trimmed_end(formula.substr(0, formula.size() - 1));
    for (const std::string_view mark : {"\\)", "\\]"})
      if (formula.ends_with(mark)) formula = trimmed_end(formula.substr(0, formula.size() - 2));
    end_ = static_cast<u32>(formula.size());
    while (at_ < end_ && (peek() == '$' || peek() == ' ')) ++at_;
    if (rest().starts_with("\\(") || rest().starts_with("\\[")) at_ += 2;
    const size_t equals = rest().find('=');
    if (equals != std::string_view::npos && rest().find("\\begin") > equals &&
        rest().find('=', equals + 1) == std::string_view::npos)
      at_ += static_cast<u32>(equals) + 1;
    // A definition with cases: all other signs of equality are in them.
    else if (equals != std::string_view::npos && rest().find("\\begin") > equals)
      at_ += static_cast<u32>(equals) + 1;
  }

  FormulaToken& add(Kind kind, std::string_view text) {
    FormulaToken& token = out_.tokens.emplace_back();
    token.kind = kind;
    token.at = at_;
    token.text = text;
    return token;
  }
  void add_operator(std::string_view spelling) {
    FormulaToken& token = add(Kind::Operator, spelling);
    (void)set_operators(kThisFormat, spelling, token);
  }
  void add_call(std::string_view name) {
    add(Kind::Name, name).is_call = true;
    add(Kind::Open, "(");
  }

  // {…} or one sign, which becomes the part of what is open.
  Problem open_part(Frame frame) {
    skip_blanks();
    frame.at = at_;
    frames_.push_back(std::move(frame));
    if (peek() == '{') {
      ++at_;
      return {};
    }
    is_single_ = true;
    if (at_ >= end_) return fault("a part in braces is missing", "write `{…}`");
    const std::string_view word = command();
    if (is_digit(peek())) {
      add(Kind::Number, rest().substr(0, 1));
      ++at_;
    } else if (is_letter(peek()) || (!word.empty() && is_name_command(word))) {
      if (Problem problem = read_name()) return problem;
    } else {
      return fault("expected `{` or a single sign", "put the part in braces");
    }
    is_single_ = false;
    return close_part();
  }

  // A `}`, or the end of a single sign.
  Problem close_part() {
    Frame frame = std::move(frames_.back());
    frames_.pop_back();
    switch (frame.what) {
      case Frame::What::Braces:
      case Frame::What::Exponent: add(Kind::Close, ")"); return {};
      case Frame::What::Numerator:
        add(Kind::Close, ")");
        add_operator("/");
        add(Kind::Open, "(");
        return open_part({Frame::What::Denominator, at_, {}, {}, 0});
      case Frame::What::Denominator:
        add(Kind::Close, ")");
        add(Kind::Close, ")");
        return {};
      case Frame::What::Root:
        if (!frame.kept.empty()) {
          add(Kind::Comma, ",");
          append(std::move(frame.kept));
        }
        add(Kind::Close, ")");
        return {};
      case Frame::What::CallBraces: add(Kind::Close, ")"); return end_call(std::move(frame.kept));
      case Frame::What::AroundCall:
        if (out_.tokens.size() != frame.end)
          return fault("the brackets do not hold the whole argument",
                       "write \\sin{\\left( … \\right)}");
        return {};
      default: break;
    }
    frames_.push_back(std::move(frame));
    return fault("`}` closes nothing here", "leave it out, or close the bracket before it");
  }
  void append(std::vector<FormulaToken>&& tokens) {
    for (FormulaToken& token : tokens) out_.tokens.push_back(std::move(token));
  }
  // Behind the argument of \sin^{2}: the power, and the bracket around both.
  Problem end_call(std::vector<FormulaToken>&& exponent) {
    if (!exponent.empty()) {
      add_operator("^");
      add(Kind::Open, "(");
      append(std::move(exponent));
      add(Kind::Close, ")");
    }
    add(Kind::Close, ")");
    if (!frames_.empty() && frames_.back().what == Frame::What::AroundCall &&
        frames_.back().end == 0)
      frames_.back().end = out_.tokens.size();
    return {};
  }
  Problem end_run() {
    Frame frame = std::move(frames_.back());
    frames_.pop_back();
    if (out_.tokens.back().kind == Kind::Open) {
      at_ = frame.at;
      return fault("a function without an argument", "write \\sin{\\left( … \\right)}");
    }
    add(Kind::Close, ")");
    return end_call(std::move(frame.kept));
  }

  // Ends the arguments without brackets that what comes next is no part of.
  Problem end_runs(bool is_function) {
    while (!frames_.empty() && frames_.back().what == Frame::What::CallRun) {
      // \sin\cos x
      if (is_function && out_.tokens.back().kind == Kind::Open) return {};
      if (Problem problem = end_run()) return problem;
    }
    return {};
  }

  Problem read_one() {
    const char c = peek();
    const std::string_view word = command();
    if (is_digit(c) || (c == '.' && rest().size() > 1 && is_digit(rest()[1]))) return read_number();
    if (is_letter(c)) return read_name();
    if (c == '^') return read_exponent();
    if (c == '{') {
      if (Problem problem = end_runs(false)) return problem;
      add(Kind::Open, "(");
      return open_part({Frame::What::Braces, at_, {}, {}, 0});
    }
    if (word == "\\frac" || word == "\\tfrac" || word == "\\dfrac") {
      at_ += static_cast<u32>(word.size());
      add(Kind::Open, "(");
      add(Kind::Open, "(");
      return open_part({Frame::What::Numerator, at_, {}, {}, 0});
    }
    if (word == "\\sqrt") return read_root();
    if (!word.empty() && is_name_command(word)) return read_name();
    if (word == "\\pi" || word == "\\infty") {
      add(Kind::Name, word);
      at_ += static_cast<u32>(word.size());
      return {};
    }
    const bool is_call = !word.empty() && !function_of(word).empty();
    if (Problem problem = end_runs(is_call)) return problem;
    if (is_call) return read_call(word);
    return read_sign(word);
  }

  Problem read_sign(std::string_view word) {
    const char c = peek();
    if (c == '}') {
      if (frames_.empty()) return fault("`}` closes nothing", "leave it out");
      ++at_;
      return close_part();
    }
    if (c == ']' && !frames_.empty() && frames_.back().what == Frame::What::Degree)
      return end_degree();
    if (word == "\\begin" || word == "\\end" || word == "\\\\" || c == '&') return read_cases(word);
    if (word == "\\left" || word == "\\right") {
      at_ += static_cast<u32>(word.size());
      skip_blanks();
      return read_delimiter(word == "\\left");
    }
    if (const Delimiter* d = delimiter(rest()); d != nullptr)
      return read_delimiter(d->open != d->close ? starts(d->open) : opens_bar());
    if (c == ',') {
      const u32 next = next_place(at_ + 1);
      if (next < end_ && text_[next] == '&') {  // at the end of a value of cases
        ++at_;
        return {};
      }
      add(Kind::Comma, ",");
      ++at_;
      return {};
    }
    FormulaToken token{Kind::Operator, at_, {}, nullptr, nullptr, nullptr, false};
    if (const size_t length = set_operators(kThisFormat, rest(), token)) {
      token.text = rest().substr(0, length);
      at_ += static_cast<u32>(length);
      out_.tokens.push_back(std::move(token));
      return {};
    }
    const std::string_view shown =
        word.empty() ? text_.substr(at_, cell_at(text_, at_, 0).bytes) : word;
    return fault("`" + printable(shown) + "` is nothing that import knows of LaTeX",
                 "docs/import.md lists what it reads");
  }

  [[nodiscard]] u32 next_place(u32 at) const {
    while (at < end_ && (text_[at] == ' ' || text_[at] == '\t')) ++at;
    return at;
  }
  [[nodiscard]] bool starts(std::string_view mark) const { return rest().starts_with(mark); }
  [[nodiscard]] static const Delimiter* delimiter(std::string_view text) {
    for (const Delimiter& d : kDelimiters)
      if (text.starts_with(d.open) || text.starts_with(d.close)) return &d;
    return nullptr;
  }
  // A bar opens where an operand may begin, and where none is open.
  [[nodiscard]] bool opens_bar() const {
    const bool is_open = !frames_.empty() && frames_.back().closer == "|";
    if (!is_open || out_.tokens.empty()) return true;
    const Kind last = out_.tokens.back().kind;
    return last == Kind::Operator || last == Kind::Open || last == Kind::Comma;
  }

  Problem read_delimiter(bool opens) {
    const Delimiter* d = delimiter(rest());
    if (d == nullptr) return fault("expected a bracket behind \\left or \\right", "write \\left(");
    if (opens) {
      if (!starts(d->open)) return fault("a bracket is closed that is not open", "leave it out");
      const bool is_call = pending_call_;
      pending_call_ = false;
      Frame frame{Frame::What::Delimiters, at_, d->close, {}, 0};
      if (is_call) {
        frame.what = d->function.empty() ? Frame::What::CallBrackets : Frame::What::CallBars;
        frame.kept = std::move(pending_exponent_);
        pending_exponent_.clear();
      }
      if (!d->function.empty())
        add_call(d->function);
      else if (!is_call)
        add(Kind::Open, "(");
      frames_.push_back(std::move(frame));
      at_ += static_cast<u32>(d->open.size());
      return {};
    }
    const bool is_open = !frames_.empty() && !frames_.back().closer.empty();
    if (!is_open || !starts(frames_.back().closer))
      return fault("this bracket closes none that is open here",
                   "close what is open before it, or leave it out");
    Frame frame = std::move(frames_.back());
    frames_.pop_back();
    add(Kind::Close, ")");
    at_ += static_cast<u32>(frame.closer.size());
    if (frame.what == Frame::What::CallBars) add(Kind::Close, ")");
    if (frame.what != Frame::What::Delimiters) return end_call(std::move(frame.kept));
    return {};
  }

  Problem read_number() {
    std::string digits;
    size_t length = 0;
    while (length < rest().size() && (is_digit(rest()[length]) || rest()[length] == '.')) ++length;
    if (std::ranges::count(rest().substr(0, length), '.') > 1)
      return fault("a number has two points", "write one");
    const std::string_view behind = rest().substr(length);
    const size_t sign = behind.size() > 1 && (behind[1] == '-' || behind[1] == '+') ? 2 : 1;
    if (behind.size() > sign && (behind[0] == 'e' || behind[0] == 'E') && is_digit(behind[sign]))
      return fault("`e` behind a number may be its exponent, or Euler's number",
                   "write 1.5 \\cdot 10^{-5}, or 1.5 e");
    if (!out_.tokens.empty() && out_.tokens.back().kind == Kind::Number && at_ > 0 &&
        text_[at_ - 1] == ' ')
      return fault("two numbers stand side by side", "write \\cdot between them");
    add(Kind::Number, rest().substr(0, length));
    at_ += static_cast<u32>(length);
    return {};
  }

  [[nodiscard]] static bool is_name_command(std::string_view word) {
    return std::ranges::find(kGreek, word) != std::end(kGreek) ||
           std::ranges::find(kNameCommands, word) != std::end(kNameCommands);
  }

  // A letter, a Greek one, or a name in \mathrm{…}; then, perhaps, an index.
  Problem read_name() {
    const u32 begin = at_;
    std::string name;
    const std::string_view word = command();
    if (word.empty()) {
      size_t length = 1;
      while (!is_single_ && length < rest().size() && is_letter(rest()[length])) ++length;
      name = rest().substr(0, length);
      if (length > 1 && !is_input_(name)) {
        return fault("`" + printable(name) + "` may be one name, or a product of letters",
                     "write \\mathrm{" + printable(name) +
                         "} or the letters with blanks, or name it by `--input`");
      }
      at_ += static_cast<u32>(length);
    } else if (std::ranges::find(kGreek, word) != std::end(kGreek)) {
      name = word.substr(1);
      at_ += static_cast<u32>(word.size());
    } else {
      at_ += static_cast<u32>(word.size());
      skip_blanks();
      const size_t close = rest().find('}');
      if (peek() != '{' || close == std::string_view::npos)
        return fault("expected a name in braces", "write \\mathrm{speed}");
      name = trimmed(rest().substr(1, close - 1));
      at_ += static_cast<u32>(close) + 1;
      const bool is_word = word == "\\text" || word == "\\textrm";
      if (is_word && is_among(name, {"for", "if", "when", "where"})) return {};
      if (is_word && is_among(name, {"otherwise", "else"})) name = "true";
      if (name == "NaN") name = "nan";
    }
    if (Problem problem = read_index(name)) return problem;
    if (!is_single_ && touches_bracket() && !is_input_(name))
      return fault("`" + printable(name) + "` touches a bracket: it may be a function, or a factor",
                   "write \\cdot between them, or name it by `--input`");
    FormulaToken& token = add(Kind::Name, name);
    token.at = begin;
    return {};
  }
  // SymPy writes a blank between a factor and a bracket, and none behind the name of a function.
  [[nodiscard]] bool touches_bracket() const { return peek() == '(' || starts("\\left("); }
  // `_1` or `_{max}`: part of the name.
  Problem read_index(std::string& name) {
    if (peek() != '_') return {};
    ++at_;
    skip_blanks();
    size_t length = 1, begin = 0;
    if (peek() == '{') {
      begin = 1;
      const size_t close = rest().find('}');
      if (close == std::string_view::npos) return fault("`{` is not closed", "write `_{1}`");
      length = close - 1;
    }
    if (at_ >= end_ || length == 0) return fault("an index is missing behind `_`", "write `_{1}`");
    name += "_";
    for (const char c : rest().substr(begin, length))
      if (is_word(c)) name += c;
    at_ += static_cast<u32>(begin == 0 ? length : length + 2);
    return {};
  }

  Problem read_exponent() {
    add_operator("^");
    ++at_;
    add(Kind::Open, "(");
    return open_part({Frame::What::Exponent, at_, {}, {}, 0});
  }

  Problem read_root() {
    at_ += 5;
    skip_blanks();
    if (peek() == '[') {
      frames_.push_back({Frame::What::Degree, at_, {}, {}, out_.tokens.size()});
      ++at_;
      return {};
    }
    add_call("sqrt");
    return open_part({Frame::What::Root, at_, {}, {}, 0});
  }
  Problem end_degree() {
    const size_t begin = frames_.back().end;
    frames_.pop_back();
    ++at_;
    Frame root{Frame::What::Root, at_, {}, take_from(begin), 0};
    if (root.kept.empty()) return fault("the degree of a root is missing", "write \\sqrt[3]{x}");
    add_call("root");
    return open_part(std::move(root));
  }
  // The tokens from there on, which are written elsewhere.
  [[nodiscard]] std::vector<FormulaToken> take_from(size_t begin) {
    std::vector<FormulaToken> taken(
        std::make_move_iterator(out_.tokens.begin() + static_cast<std::ptrdiff_t>(begin)),
        std::make_move_iterator(out_.tokens.end()));
    out_.tokens.resize(begin);
    return taken;
  }

  // The function that a command, or the name behind \operatorname, is; empty: none.
  [[nodiscard]] std::string_view function_of(std::string_view word) const {
    if (word == "\\operatorname") {
      const std::string_view behind = rest().substr(word.size());
      const size_t close = behind.find('}');
      if (!behind.starts_with('{') || close == std::string_view::npos) return {};
      return behind.substr(1, close - 1);
    }
    const std::string_view name = word.substr(1);
    return is_function(kThisFormat, name) ? name : std::string_view{};
  }

  Problem read_call(std::string_view word) {
    std::string name(function_of(word));
    const u32 begin = at_;
    at_ += static_cast<u32>(word.size() + (word == "\\operatorname" ? name.size() + 2 : 0));
    skip_blanks();
    if (name == "log" && peek() == '_') {
      if (Problem problem = read_base(name)) return problem;
    } else if (peek() == '_') {
      std::string index;
      if (Problem problem = read_index(index)) return problem;
      name += index.substr(1);
    }
    skip_blanks();
    if (!is_function(kThisFormat, name)) {
      at_ = begin;
      const std::string_view reason = reason_of_absence(kThisFormat, name);
      return fault("`" + printable(name) + "` is no function that import knows of LaTeX" +
                       (reason.empty() ? "" : ": " + std::string(reason)),
                   "docs/import.md lists what it reads");
    }
    if (peek() == '^') {
      if (Problem problem = read_call_exponent()) return problem;
    } else {
      pending_exponent_.clear();
    }
    add(Kind::Open, "(");
    out_.tokens.back().at = begin;
    add_call(name);
    out_.tokens[out_.tokens.size() - 2].at = begin;
    return open_argument(begin);
  }
  // \log_{10}, \log_2 and \log_e; others are written as quotients.
  Problem read_base(std::string& name) {
    std::string index;
    if (Problem problem = read_index(index)) return problem;
    if (index == "_10" || index == "_2")
      name += index.substr(1);
    else if (index != "_e")
      return fault("import reads logarithms of the bases 2, 10 and e",
                   "write \\frac{\\ln x}{\\ln b}");
    return {};
  }
  // \sin^{2}: kept until the argument has been read.
  Problem read_call_exponent() {
    const size_t begin = out_.tokens.size();
    ++at_;
    skip_blanks();
    if (peek() == '{') {
      const size_t close = rest().find('}');
      const std::string_view inside =
          close == std::string_view::npos ? rest() : trimmed(rest().substr(1, close - 1));
      const bool is_number = are_digits(inside);
      if (!is_number && inside != "-1" && !(inside.size() == 1 && is_letter(inside[0])))
        return fault("import reads powers of functions with a number or a letter",
                     "write {\\sin{\\left(x\\right)}}^{…}");
      if (inside == "-1") return inverse();
      add(is_number ? Kind::Number : Kind::Name, inside);
      at_ += static_cast<u32>(close) + 1;
    } else if (is_digit(peek()) || is_letter(peek())) {
      add(is_digit(peek()) ? Kind::Number : Kind::Name, rest().substr(0, 1));
      ++at_;
    } else {
      return fault("expected an exponent", "write \\sin^{2}");
    }
    pending_exponent_ = take_from(begin);
    skip_blanks();
    return {};
  }
  [[nodiscard]] Problem inverse() const {
    return fault("a function to the power -1 may be its inverse, or 1 divided by it",
                 "write \\arcsin, or \\frac{1}{\\sin x}");
  }

  Problem open_argument(u32 begin) {
    skip_blanks();
    if (peek() == '{') {
      u32 inside = next_place(at_ + 1);
      const bool is_sized = command_at(inside) == "\\left";
      if (is_sized) inside = next_place(inside + 5);
      if (inside < end_ && text_[inside] == '(') {
        frames_.push_back({Frame::What::AroundCall, at_, {}, {}, 0});
        at_ = inside;
        pending_call_ = true;
        return read_delimiter(true);
      }
      ++at_;
      frames_.push_back({Frame::What::CallBraces, begin, {}, std::move(pending_exponent_), 0});
      pending_exponent_.clear();
      return {};
    }
    const u32 here = at_;
    const bool is_sized = command() == "\\left";
    if (is_sized) at_ = next_place(at_ + 5);
    if (is_sized || std::string_view("([|").find(peek()) != std::string_view::npos ||
        starts("\\{")) {
      pending_call_ = true;
      return read_delimiter(true);
    }
    at_ = here;
    frames_.push_back({Frame::What::CallRun, begin, {}, std::move(pending_exponent_), 0});
    pending_exponent_.clear();
    return {};
  }

  Problem read_cases(std::string_view word) {
    const bool is_open = !frames_.empty() && frames_.back().what == Frame::What::Cases;
    if (word == "\\begin") {
      if (!starts("\\begin{cases}"))
        return fault("import reads \\begin{cases} and no other environment", "leave it out");
      add_call("Piecewise");
      add(Kind::Open, "(");
      frames_.push_back({Frame::What::Cases, at_, {}, {}, 0});
      at_ += 13;
      return {};
    }
    if (!is_open) return fault("this stands in no \\begin{cases}", "leave it out");
    if (word == "\\end") {
      if (!starts("\\end{cases}")) return fault("expected \\end{cases}", "write it here");
      add(Kind::Close, ")");
      add(Kind::Close, ")");
      frames_.pop_back();
      at_ += 11;
      return {};
    }
    if (peek() == '&') {
      add(Kind::Comma, ",");
      ++at_;
      return {};
    }
    at_ += 2;
    skip_blanks();
    if (command() == "\\end") return {};
    add(Kind::Close, ")");
    add(Kind::Comma, ",");
    add(Kind::Open, "(");
    return {};
  }

  const FormulaLine& line_;
  std::string_view text_;
  const std::function<bool(std::string_view)>& is_input_;
  FormulaTokens out_;
  std::vector<Frame> frames_;
  std::vector<FormulaToken> pending_exponent_;  // of the call whose argument comes next
  bool pending_call_ = false;                   // the next bracket is that of a call
  bool is_single_ = false;                      // only one letter is read
  u32 at_ = 0, end_ = 0;
};

}  // namespace

Result<FormulaTokens> read_latex(const FormulaLine& line,
                                 const std::function<bool(std::string_view name)>& is_input) {
  return LatexReader(line, is_input).read();
}

}  // namespace komuz::services
