// SPDX-License-Identifier: Apache-2.0
#include "tests/repl/editor_fuzzers.h"

#include <vterm.h>

#include <algorithm>
#include <memory>
#include <random>

#include "repl/assistant.h"
#include "repl/editor/line_editor.h"

namespace komuz::test {

namespace {

using editor::Key;
using editor::LineEditor;
using editor::Outcome;
using editor::ScreenSize;

constexpr std::string_view kTexts[] = {
    "a",    "x1",       " ",       "(",      ")",        "{",
    "}",    "\"",       "+",       "1.5",    "let x = ", "fn",
    "語",   "\t",       "e\u0301", "🎉",      "\u0301",   ":type ",
    "// é", ".",        ";",       "[1, 2]", "\n",       "👨‍👩‍👧",
    "it",   "sq",       "\u202e",  "?",      "\x1b",     "日本語テキスト",
    "\xff", "sqrt(2.0)"};
constexpr std::string_view kNames[] = {
    "Enter",  "Alt-Enter", "Tab",           "Tab",    "Shift-Tab", "Up",     "Down",
    "Left",   "Right",     "Ctrl-A",        "Ctrl-E", "Ctrl-K",    "Ctrl-U", "Ctrl-W",
    "Ctrl-Y", "Ctrl-_",    "Alt-B",         "Alt-F",  "Alt-D",     "Alt-<",  "Alt->",
    "Ctrl-R", "Ctrl-S",    "Ctrl-G",        "Ctrl-L", "Backspace", "Delete", "Ctrl-C",
    "Ctrl-D", "Escape",    "Alt-Backspace", "Ctrl-X", "F5"};

class Dice {
 public:
  explicit Dice(u64 seed) : engine_(seed) {}
  u64 below(u64 end) { return engine_() % end; }
  template <size_t n>
  std::string_view one_of(const std::string_view (&from)[n]) {
    return from[below(n)];
  }

 private:
  std::mt19937_64 engine_;
};

// As many short sequences as long ones: most faults need few keys, some need the state left by many.
int random_length(Dice& dice) { return static_cast<int>(1 + dice.below(u64{2} << dice.below(5))); }

Key random_key(Dice& dice) {
  const u64 kind = dice.below(20);
  if (kind < 10) return {Key::Kind::Text, std::string(dice.one_of(kTexts))};
  if (kind < 19) return {Key::Kind::Named, std::string(dice.one_of(kNames))};
  std::string pasted;
  for (u64 k = dice.below(12); k > 0; --k) pasted += std::string(dice.one_of(kTexts)) + "\n> ";
  return {Key::Kind::Paste, pasted};
}

// A screen as a terminal keeps it.
class Screen {
 public:
  explicit Screen(ScreenSize size)
      : size_(size),
        terminal_(vterm_new(static_cast<int>(size.rows), static_cast<int>(size.columns))) {
    vterm_set_utf8(terminal_.get(), 1);
    vterm_screen_reset(vterm_obtain_screen(terminal_.get()), 1);
  }
  void write(std::string_view bytes) {
    vterm_input_write(terminal_.get(), bytes.data(), bytes.size());
  }
  [[nodiscard]] VTermPos cursor() const {
    VTermPos at{};
    vterm_state_get_cursorpos(vterm_obtain_state(terminal_.get()), &at);
    return at;
  }
  [[nodiscard]] bool has_row(int number, const Screen& other, int other_number) const {
    for (u32 column = 0; column < size_.columns; ++column) {
      const VTermScreenCell own = cell(number, column), others = other.cell(other_number, column);
      const bool is_same = std::ranges::equal(own.chars, others.chars);
      if (!is_same) return row(number) == other.row(other_number);
    }
    return true;
  }
  [[nodiscard]] std::string row(int number) const {
    std::string text;
    for (u32 column = 0; column < size_.columns; ++column) {
      const VTermScreenCell cell = this->cell(number, column);
      // The second half of a wide character keeps what was there.
      const bool is_half = cell.chars[0] == ~0u;
      for (size_t k = 0; !is_half && k < VTERM_MAX_CHARS_PER_CELL && cell.chars[k] != 0; ++k)
        text += k == 0 && cell.chars[k] == ' ' ? " " : "<" + std::to_string(cell.chars[k]) + ">";
      if (cell.chars[0] == 0 || is_half) text += ' ';
    }
    return text.erase(text.find_last_not_of(' ') + 1);
  }

 private:
  [[nodiscard]] VTermScreenCell cell(int row, u32 column) const {
    VTermScreenCell cell{};
    vterm_screen_get_cell(vterm_obtain_screen(terminal_.get()), {row, static_cast<int>(column)},
                          &cell);
    return cell;
  }

  struct Free {
    void operator()(VTerm* terminal) const { vterm_free(terminal); }
  };
  ScreenSize size_;
  std::unique_ptr<VTerm, Free> terminal_;
};

// The rows of the input on the one are those of the other, on which it starts at the top.
std::string difference(const Screen& screen, const Screen& fresh, ScreenSize size) {
  const VTermPos at = screen.cursor(), wanted = fresh.cursor();
  if (at.col != wanted.col)
    return "the cursor is in column " + std::to_string(at.col) + ", not " +
           std::to_string(wanted.col);
  const int up = at.row - wanted.row;
  for (int row = 0; row + std::max(up, 0) < static_cast<int>(size.rows); ++row)
    if (!screen.has_row(row + up, fresh, row))
      return "row " + std::to_string(row) + " is\n" + screen.row(row + up) + "\nnot\n" +
             fresh.row(row);
  return {};
}

}  // namespace

std::string EditorFuzzers::keys(u64 seed) {
  ++sequences;
  Dice dice(seed);
  // libvterm 0.1.4 breaks a row too many behind one that a single character fills.
  const ScreenSize size{static_cast<u32>(3 + dice.below(40)), static_cast<u32>(1 + dice.below(12))};
  editor::History history;
  for (u64 k = dice.below(5); k > 0; --k)
    history.add(std::string(dice.one_of(kTexts)) + "\n" + std::string(dice.one_of(kTexts)));
  editor::Assistance assistance;
  assistance.complete = [](std::string_view text, size_t cursor) {
    return editor::Completion{
        cursor, cursor, {{std::string(text.substr(0, 3)), "é"}, {"語語", ""}}};
  };
  assistance.describe = [](std::string_view text) {
    return editor::Description{{{std::string(text), editor::Style::Detail}}, 0, 1};
  };
  assistance.openness = [](std::string_view text) {
    return editor::Openness{text.ends_with('{'), 4};
  };
  LineEditor edited(assistance, history, true);
  Screen screen(size);
  edited.start(size);
  for (int k = 0, end = random_length(dice); k < end; ++k, ++pressed) {
    const Key key = random_key(dice);
    const Outcome outcome = edited.press(key);
    if (dice.below(4) == 0) edited.describe();
    if (outcome == Outcome::Submitted || outcome == Outcome::Ended) {
      history.add(edited.text());
      edited.finish();
      screen.write(edited.take_output());
      edited.start(size);
    }
    edited.paint();
    screen.write(edited.take_output());
    edited.forget_screen();
    edited.paint();
    Screen fresh(size);
    fresh.write(edited.take_output());
    const std::string wrong = difference(screen, fresh, size);
    if (!wrong.empty())
      return "after key " + std::to_string(k) + ", `" + key.text + "`, of a screen of " +
             std::to_string(size.columns) + " columns and " + std::to_string(size.rows) +
             " rows: " + wrong;
  }
  return {};
}

std::string EditorFuzzers::session(u64 seed) {
  ++sequences;
  Dice dice(seed);
  static repl::Session session;
  static repl::Variants variants(session, {}, {});
  static repl::Assistant assistant(session, variants, [](const std::string&) {
    return std::vector<std::string>{"a.komuz", "folder/"};
  });
  editor::History history;
  LineEditor edited(assistant.assistance(), history, true);
  edited.start({60, 20});
  for (int k = 0, end = random_length(dice); k < end; ++k, ++pressed) {
    const Outcome outcome = edited.press(random_key(dice));
    edited.describe();
    edited.paint();
    static_cast<void>(edited.take_output());
    if (outcome == Outcome::Editing) continue;
    history.add(edited.text());
    edited.finish();
    edited.start({60, 20});
  }
  return {};
}

std::string EditorFuzzers::bytes(u64 seed) {
  ++sequences;
  Dice dice(seed);
  editor::KeyReader reader(dice.below(2) == 0 ? "xterm" : "linux");
  const editor::History history;
  LineEditor edited({}, history, false);
  edited.start({80, 24});
  for (int k = 0, end = random_length(dice); k < end; ++k) {
    std::string some;
    for (u64 n = dice.below(20); n > 0; --n) {
      constexpr std::string_view kPieces[] = {"\x1b", "[",    "200~", "201~", "1;5",
                                              "A",    "\x9b", "\xc3", "\r",   "M"};
      if (dice.below(2) == 0)
        some += static_cast<char>(dice.below(256));
      else
        some += dice.one_of(kPieces);
    }
    std::vector<Key> keys;
    reader.add(some, keys);
    if (dice.below(3) == 0) reader.flush(keys);
    for (const Key& key : keys) static_cast<void>(edited.press(key));
    pressed += keys.size();
    edited.paint();
    static_cast<void>(edited.take_output());
  }
  return {};
}

}  // namespace komuz::test
