// SPDX-License-Identifier: Apache-2.0
#include "tests/lsp/transcript.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "lsp/text/uri.h"
#include "lsp/wire/framing.h"
#include "tests/lsp/session_harness.h"

namespace komuz::lsp_test {
namespace {

using lsp::Json;

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// Takes a word from the front.
std::string take_word(std::string_view& text) {
  const size_t end = std::min(text.find(' '), text.size());
  std::string word(text.substr(0, end));
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (size_t k = 0; k < text.size(); ++k) {
    if (text[k] != '\\' || k + 1 == text.size()) {
      out += text[k];
      continue;
    }
    ++k;
    if (text[k] == 'x' && k + 2 < text.size()) {
      out += static_cast<char>(std::stoi(std::string(text.substr(k + 1, 2)), nullptr, 16));
      k += 2;
      continue;
    }
    out += text[k] == 'r' ? '\r' : text[k] == 'n' ? '\n' : text[k];
  }
  return out;
}

class Player {
 public:
  // `text`: the lines below the step.
  void play(std::string_view step, const std::string& text) {
    const std::string word = take_word(step);
    if (word == "file") {
      harness_.files.texts[std::string(step)] = text;
    } else if (word == "large") {
      harness_.files.large.insert(std::string(step));
    } else if (word == "client") {
      begin(take_word(step));
      hides_requests_ = step != "all";
    } else if (word == "open") {
      const std::string path = take_word(step);
      harness_.send(opened(uri_of(path), std::stoll(std::string(step)), text));
    } else if (word == "change") {
      const std::string path = take_word(step);
      harness_.send(notification(
          "textDocument/didChange",
          {{"textDocument", {{"uri", uri_of(path)}, {"version", std::stoll(std::string(step))}}},
           {"contentChanges", Json::array({{{"text", text}}})}}));
    } else if (word == "ask") {
      ask(step);
    } else if (word == "send") {
      Json message = Json::parse(step);
      message["jsonrpc"] = "2.0";
      if (message.contains("id") && message["id"] == "next") message["id"] = ++id_;
      harness_.send(message);
    } else if (word == "bytes") {
      harness_.send_bytes(unescaped(step));
    } else if (word == "body") {
      harness_.send_bytes(lsp::framed(unescaped(step)));
    } else if (word == "session") {
      attach(step, text);
    } else if (word == "hold") {
      is_held_ = true;
    } else if (word == "run") {
      is_held_ = false;
    } else {
      problem_ = "! there is no step `" + word + "`\n";
    }
    if (!is_held_) harness_.run_jobs();
  }
  std::string answers() {
    std::string out = std::exchange(problem_, {});
    const bool hides_requests = std::exchange(hides_requests_, false);
    for (const Json& message : harness_.take_messages()) {
      if (hides_requests && message.contains("method")) continue;
      Json shown = message;
      shown.erase("jsonrpc");
      shorten(shown);
      out += "< " + laid_out(shown, 2) + "\n";
    }
    if (const auto end = harness_.server().end_of(harness_.client()); end && !has_ended_) {
      has_ended_ = true;
      out += "< the end, with " + std::to_string(*end) + "\n";
    }
    return out;
  }

 private:
  // What begins with a `/` is a file.
  static std::string uri_of(const std::string& name) {
    return name.starts_with('/') ? lsp::uri_of_path(name) : name;
  }
  // What all sessions have is shown by those that send `initialize` themselves.
  void shorten(Json& message) {
    if (!message.contains("result") || !message["result"].is_object()) return;
    Json& result = message["result"];
    if (result.contains("capabilities")) {
      legend_ = result["capabilities"]["semanticTokensProvider"]["legend"];
      if (std::exchange(is_beginning_, false)) result = result["capabilities"]["positionEncoding"];
    } else if (result.contains("data") && result["data"].is_array()) {
      result["data"] = words_of_tokens(result["data"]);
    }
  }
  // "+1 4 half function declaration": how many lines on, where, how long, and what it is.
  [[nodiscard]] Json words_of_tokens(const Json& data) const {
    Json words = Json::array();
    u32 column = 0;
    for (size_t k = 0; k + 4 < data.size(); k += 5) {
      const u32 lines = data[k], columns = data[k + 1];
      column = lines == 0 ? column + columns : columns;
      std::string line = "+" + std::to_string(lines) + " " + std::to_string(column) + " " +
                         data[k + 2].dump() + " " +
                         legend_["tokenTypes"][data[k + 3].get<u32>()].get<std::string>();
      for (u32 bit = 0; bit < legend_["tokenModifiers"].size(); ++bit)
        if ((data[k + 4].get<u32>() >> bit & 1) != 0)
          line += " " + legend_["tokenModifiers"][bit].get<std::string>();
      words.push_back(line);
    }
    return words;
  }
  void attach(std::string_view step, const std::string& text) {
    const auto live = live_session(text);
    while (!step.empty()) {
      const std::string word = take_word(step);
      const auto score = engine::score_from_name(word);
      if (word == "none") return harness_.server().look_at(nullptr);
      if (word == "input") live->takes_input = true;
      if (!score) continue;
      live->cases.emplace();
      live->cases->score = *score;
      live->cases->file = take_word(step);
      live->cases->bytes =
          std::make_shared<const std::string>(harness_.files.texts[live->cases->file]);
    }
    harness_.server().look_at(live);
  }
  void begin(const std::string& name) {
    is_beginning_ = true;
    std::ifstream in(std::string(KOMUZ_SOURCE_DIR "/tests/lsp/clients/") + name + ".json");
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    harness_.send(request(++id_, "initialize", Json::parse(text)));
    harness_.send(notification("initialized", Json::object()));
  }
  void ask(std::string_view step) {
    const std::string path = take_word(step);
    Json params = {{"textDocument", {{"uri", uri_of(path)}}}};
    if (const size_t colon = step.substr(0, step.find(' ')).find(':');
        colon != std::string_view::npos) {
      const std::string place = take_word(step);
      params["position"] = {{"line", std::stoi(place.substr(0, colon))},
                            {"character", std::stoi(place.substr(colon + 1))}};
    }
    const std::string method = take_word(step);
    if (!step.empty()) params.update(Json::parse(step));
    harness_.send(request(++id_, method, std::move(params)));
  }

  SessionHarness harness_;
  i64 id_ = 0;
  bool is_held_ = false, has_ended_ = false, is_beginning_ = false, hides_requests_ = false;
  Json legend_;
  std::string problem_;
};

bool is_answer(std::string_view line) {
  return line.starts_with("< ") || line.starts_with("  ") || line.starts_with("! ");
}

}  // namespace

std::string replayed(std::string_view transcript) {
  std::vector<std::string> lines = lines_of(transcript);
  std::erase_if(lines, is_answer);
  Player player;
  std::string out;
  for (size_t k = 0; k < lines.size(); ++k) {
    out += lines[k] + "\n";
    if (lines[k].empty() || lines[k].starts_with('#')) continue;
    const std::string step = lines[k];
    std::string text;
    for (; k + 1 < lines.size() && lines[k + 1].starts_with('|'); ++k) {
      const std::string& line = lines[k + 1];
      out += line + "\n";
      text += line.substr(std::min<size_t>(2, line.size())) + "\n";
    }
    player.play(step, text);
    out += player.answers();
  }
  return out;
}

}  // namespace komuz::lsp_test
