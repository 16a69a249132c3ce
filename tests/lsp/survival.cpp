// SPDX-License-Identifier: Apache-2.0
#include "tests/lsp/survival.h"

#include <algorithm>
#include <functional>
#include <set>

namespace komuz::lsp_test {

using lsp::Json;
using test::Stretch;

namespace {

bool overlap(Stretch a, Stretch b) { return a.begin < b.end && b.begin < a.end; }

}  // namespace

DamagedDocument::DamagedDocument(SessionHarness& harness, std::string uri, std::string_view text)
    : harness_(harness), uri_(std::move(uri)), first_text_(text), text_(text) {
  harness_.send(opened(uri_, version_, text_));
  harness_.run_jobs();
  read_lines();
  of_all_ = answers_of_all();
}
DamagedDocument::~DamagedDocument() {
  harness_.send(notification("textDocument/didClose", {{"textDocument", {{"uri", uri_}}}}));
  harness_.run_jobs();
  static_cast<void>(harness_.take_messages());
}

void DamagedDocument::lose(Stretch token, Stretch damaged, const std::vector<u32>& names,
                           std::map<std::string, Share>& shares, std::vector<std::string>* told) {
  const u32 length = token.end - token.begin;
  const auto moved = [&](u32 place) { return place >= token.end ? place - length : place; };
  const Stretch left = {damaged.begin, damaged.end - length};
  // What lies in the damaged item is no part of an answer about another one.
  const auto key = [](const Answer& answer, const auto& move, Stretch own) {
    std::string out = answer.method + " " + answer.words;
    for (const Stretch place : answer.places)
      if (!overlap({move(place.begin), move(place.end)}, own) ||
          answer.method != "textDocument/documentHighlight")
        out += " " + std::to_string(move(place.begin)) + "-" + std::to_string(move(place.end));
    return out;
  };
  for (const u32 name : names)
    if (!at_.contains(name)) at_[name] = answers_at(name, name);

  edit(
      token.begin, token.end, "",
      std::string(first_text_.substr(0, token.begin)) + std::string(first_text_.substr(token.end)));
  Answers now = answers_of_all();
  for (const u32 name : names)
    std::ranges::move(answers_at(moved(name), name), std::back_inserter(now));
  std::multiset<std::string> found;
  for (const Answer& answer : now) found.insert(key(answer, std::identity(), left));
  const auto compare = [&](const Answer& answer) {
    const std::string wanted = key(answer, moved, left);
    Share& share = shares[answer.method];
    ++share.asked;
    if (const auto same = found.find(wanted); same != found.end()) {
      found.erase(same);
      ++share.survived;
    } else if (told) {
      told->push_back(wanted);
    }
  };
  for (const Answer& answer : of_all_)
    if (!overlap(answer.places[0], damaged)) compare(answer);
  for (const u32 name : names) std::ranges::for_each(at_[name], compare);
  edit(token.begin, token.begin, first_text_.substr(token.begin, length), std::string(first_text_));
}

bool DamagedDocument::is_as_before() {
  const auto are_same = [](const Answers& a, const Answers& b) {
    return std::ranges::equal(a, b, [](const Answer& x, const Answer& y) {
      return x.words == y.words && std::ranges::equal(x.places, y.places, [](Stretch p, Stretch q) {
               return p.begin == q.begin && p.end == q.end;
             });
    });
  };
  return are_same(of_all_, answers_of_all()) && std::ranges::all_of(at_, [&](const auto& one) {
           return are_same(one.second, answers_at(one.first, one.first));
         });
}

Json DamagedDocument::ask(std::string_view method, Json params) {
  params["textDocument"] = {{"uri", uri_}};
  harness_.send(request(++id_, method, std::move(params)));
  harness_.run_jobs();
  for (Json& message : harness_.take_messages())
    if (message.contains("id") && message["id"] == id_ && !message.contains("method"))
      return message.contains("result") ? std::move(message["result"])
                                        : std::move(message["error"]);
  return "no answer";
}

DamagedDocument::Answers DamagedDocument::answers_at(u32 place, u32 label) {
  const Json at = {{"position", position_of(place)}};
  const std::string about = "of " + std::to_string(label) + ": ";
  Answers answers;
  const auto ask_for = [&](const std::string& method, const auto& read) {
    Answer answer{method, about, {}};
    const Json result = ask(method, at);
    if (!result.is_null()) read(result, answer);
    answers.push_back(std::move(answer));
  };
  ask_for("textDocument/hover", [&](const Json& hover, Answer& answer) {
    answer.words += hover["contents"].dump();
    if (hover.contains("range")) answer.places.push_back(stretch_of(hover["range"]));
  });
  ask_for("textDocument/definition", [&](const Json& definition, Answer& answer) {
    answer.words += definition["uri"];
    if (definition["uri"] == uri_)
      answer.places.push_back(stretch_of(definition["range"]));
    else
      answer.words += definition["range"].dump();
  });
  ask_for("textDocument/documentHighlight", [&](const Json& highlights, Answer& answer) {
    for (const Json& one : highlights) answer.places.push_back(stretch_of(one["range"]));
  });
  return answers;
}

void DamagedDocument::add_symbols(const Json& symbols, const std::string& path,
                                  Answers& answers) const {
  for (const Json& symbol : symbols) {
    const std::string name = path + "/" + symbol["name"].get<std::string>();
    answers.push_back({"textDocument/documentSymbol",
                       name + " " + symbol["kind"].dump() + symbol.value("detail", ""),
                       {stretch_of(symbol["range"]), stretch_of(symbol["selectionRange"])}});
    if (symbol.contains("children")) add_symbols(symbol["children"], name, answers);
  }
}

DamagedDocument::Answers DamagedDocument::answers_of_all() {
  Answers answers;
  add_symbols(ask("textDocument/documentSymbol", Json::object()), "", answers);
  const Json tokens = ask("textDocument/semanticTokens/full", Json::object());
  u32 line = 0, column = 0;
  const std::vector<u32> data = tokens["data"].get<std::vector<u32>>();
  for (size_t k = 0; k + 5 <= data.size(); k += 5) {
    column = data[k] == 0 ? column + data[k + 1] : data[k + 1];
    line += data[k];
    const u32 begin = lines_[line] + column;
    answers.push_back({"textDocument/semanticTokens/full",
                       std::to_string(data[k + 3]) + ":" + std::to_string(data[k + 4]),
                       {{begin, begin + data[k + 2]}}});
  }
  return answers;
}

void DamagedDocument::edit(u32 begin, u32 end, std::string_view words, std::string now) {
  const Json range = {{"start", position_of(begin)}, {"end", position_of(end)}};
  harness_.send(
      notification("textDocument/didChange",
                   {{"textDocument", {{"uri", uri_}, {"version", ++version_}}},
                    {"contentChanges", Json::array({{{"range", range}, {"text", words}}})}}));
  harness_.run_jobs();
  text_ = std::move(now);
  read_lines();
}

Json DamagedDocument::position_of(u32 byte) const {
  const auto line = static_cast<u32>(std::ranges::upper_bound(lines_, byte) - lines_.begin()) - 1;
  return {{"line", line}, {"character", byte - lines_[line]}};
}
u32 DamagedDocument::byte_of(const Json& position) const {
  const u32 line = position["line"];
  if (line >= lines_.size()) return static_cast<u32>(text_.size());
  return lines_[line] + position["character"].get<u32>();
}
Stretch DamagedDocument::stretch_of(const Json& range) const {
  return {byte_of(range["start"]), byte_of(range["end"])};
}
void DamagedDocument::read_lines() {
  lines_ = {0};
  for (u32 at = 0; at < text_.size(); ++at)
    if (text_[at] == '\n' || (text_[at] == '\r' && text_.substr(at + 1, 1) != "\n"))
      lines_.push_back(at + 1);
}

}  // namespace komuz::lsp_test
