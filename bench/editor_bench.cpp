// SPDX-License-Identifier: Apache-2.0
// The cost of a key in the line editor of the session: from the key to the bytes for the terminal, and the
// questions that follow when keys pause.
#include <benchmark/benchmark.h>

#include <string>

#include "repl/assistant.h"
#include "repl/editor/line_editor.h"

namespace {

using komuz::editor::Key;

constexpr komuz::editor::ScreenSize kScreen{120, 50};

// A function of `lines` lines.
std::string input_of(size_t lines) {
  std::string text = "fn f(x: f64, n: i64) -> f64 {\n    var z = x;\n";
  for (size_t k = 4; k < lines; ++k) {
    const std::string number = std::to_string(k);
    text += "    let y" + number + " = if z > 1.5 { sqrt(z) } else { x * f64(n) + " + number +
            ".5 }; // a comment\n    z += y" + number + " * 0.25;\n";
    ++k;
  }
  return text + "    z\n}";
}

struct Session {
  komuz::repl::Session session;
  komuz::repl::Variants variants{session, {}, {}};
  komuz::repl::Assistant assistant{session, variants, {}};
  komuz::editor::History history;
  komuz::editor::LineEditor editor{assistant.assistance(), history, true};

  explicit Session(size_t lines) {
    constexpr int kEarlier = 10'000;
    for (int k = 0; k < kEarlier; ++k) history.add("let v" + std::to_string(k) + " = 1");
    editor.start(kScreen);
    static_cast<void>(editor.press({Key::Kind::Paste, input_of(lines)}));
    editor.paint();
    static_cast<void>(editor.take_output());
  }
  void press(Key::Kind kind, const char* name) {
    static_cast<void>(editor.press({kind, name}));
    editor.paint();
    benchmark::DoNotOptimize(editor.take_output());
  }
};

// Types a character in the middle of the input, and erases it again: two keys.
void key_to_repaint(benchmark::State& state) {
  Session session(static_cast<size_t>(state.range(0)));
  for (int k = 0; k < state.range(0) / 2; ++k) session.press(Key::Kind::Named, "Up");
  for (auto step : state) {
    session.press(Key::Kind::Text, "x");
    session.press(Key::Kind::Named, "Backspace");
  }
  state.SetItemsProcessed(state.iterations() * 2);
}
BENCHMARK(key_to_repaint)->Arg(5)->Arg(200)->Arg(1000)->Unit(benchmark::kMicrosecond);

// Two keys that do not change the text.
void move_to_repaint(benchmark::State& state) {
  Session session(static_cast<size_t>(state.range(0)));
  for (auto step : state) {
    session.press(Key::Kind::Named, "Up");
    session.press(Key::Kind::Named, "Down");
  }
  state.SetItemsProcessed(state.iterations() * 2);
}
BENCHMARK(move_to_repaint)->Arg(200)->Unit(benchmark::kMicrosecond);

// The description of an input, when keys pause.
void describe(benchmark::State& state) {
  Session session(5);
  const std::string text = input_of(static_cast<size_t>(state.range(0)));
  for (auto step : state) benchmark::DoNotOptimize(session.assistant.describe(text));
}
BENCHMARK(describe)->Arg(5)->Arg(200)->Unit(benchmark::kMicrosecond);

void complete(benchmark::State& state) {
  Session session(5);
  for (auto step : state) benchmark::DoNotOptimize(session.assistant.complete("1.0 + s", 7));
}
BENCHMARK(complete)->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
