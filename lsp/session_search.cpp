// SPDX-License-Identifier: Apache-2.0
// `komuz.search`: a search for a better variant, for some seconds, beside all else. It shows how far it is, can be cancelled, and ends
// with an edit that the client is asked to make. How far it comes depends on the clock: so what it found is kept in a record.
#include <chrono>

#include "base/counts.h"
#include "lsp/answers/line_edit.h"
#include "lsp/answers/params.h"
#include "lsp/answers/ranking_shapes.h"
#include "lsp/answers/shapes.h"
#include "lsp/session.h"
#include "lsp/text/uri.h"
#include "services/results/ranking_text.h"
#include "services/variants/search_sketch.h"
#include "services/variants/variant_texts.h"

namespace komuz::lsp {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr u64 kMostSeconds = 600;

std::string file_name(std::string_view uri) { return std::string(uri.substr(uri.rfind('/') + 1)); }

// Looks, and says all that the session has to know of what it found, as a text.
std::optional<std::string> search_text(const services::RankingQuestion& question,
                                       const engine::SketchProgram& sketch, milliseconds time,
                                       Progress& progress, const std::stop_token& stop) {
  const auto begin = steady_clock::now();
  const auto tell = [&](u64 /*evaluated*/) {
    const auto passed = std::chrono::duration_cast<milliseconds>(steady_clock::now() - begin);
    progress.report(static_cast<u64>(passed.count()), static_cast<u64>(time.count()));
  };
  const auto found = services::search_sketch(question, time, tell, stop);
  if (!found) return std::nullopt;
  Json out = {{"problem", found->problem},
              {"variant", found->variant},
              {"score", found->score},
              {"evaluated", found->evaluated}};
  services::VariantTexts texts(sketch, static_cast<u32>(question.text.size()));
  if (found->problem.empty() && !texts.choose(found->variant)) out["program"] = texts.program();
  return json_text(out);
}

// MessageType of the protocol.
constexpr u32 kInfo = 3;

// What a search has found, beside what was the best before it.
std::string found_words(const Json& found, const services::RankedSketch& before) {
  std::string words =
      found["variant"].get<std::string>() + " has the score " + found["score"].get<std::string>();
  if (const auto best = before.best()) {
    const std::string score =
        services::score_text(before.results.score, before.results.rows[*best]);
    words += score == found["score"] ? ", as the best one had before"
                                     : "; the best one had " + score + " before";
  }
  return words + ". " + counted(found["evaluated"].get<u64>(), "variant") + " evaluated";
}

}  // namespace

bool Session::takes_search(const Message& message) {
  if (message.method != "workspace/executeCommand" ||
      member(message.params, "command") != "komuz.search")
    return false;
  search_later(message);
  return true;
}

void Session::search_later(const Message& message) {
  const auto refuse = [&](ErrorCode code, std::string words) {
    outside_.send(refusal_text(message.id, {code, std::move(words)}));
  };
  const Json& arguments = member(message.params, "arguments");
  const bool has_both = arguments.is_array() && arguments.size() >= 2 && arguments[0].is_string() &&
                        arguments[1].is_number();
  const f64 wanted = has_both ? arguments[1].get<f64>() : 0;
  if (!has_both || !(wanted > 0) || wanted > f64{kMostSeconds})
    return refuse(ErrorCode::InvalidParams,
                  "`komuz.search` takes a document and a number of seconds, at most " +
                      std::to_string(kMostSeconds));
  const auto& uri = arguments[0].get_ref<const std::string&>();
  const DocumentRef document = documents_.find(uri);
  if (document == nullptr) return refuse(ErrorCode::InvalidParams, uri + " is not open");
  const RankingRef ranking = rankings_.find(uri);
  if (ranking == nullptr || !ranking->problem.empty() || !ranking->is_of(*document) ||
      ranking->ranked->sketch == nullptr)
    return refuse(ErrorCode::RequestFailed, why_not_ranked(ranking.get()));
  const auto found = std::make_shared<std::string>();
  Job job;
  job.id = message.id;
  job.lane = Lane::Searches;
  job.about = uri_key(uri);
  job.if_stale = {ErrorCode::RequestCancelled, "the text was edited while it was searched"};
  job.found = found;
  job.show_by(member(message.params, "workDoneToken"));
  job.work = [found, ranking, progress = job.progress, title = file_name(uri),
              time = milliseconds(static_cast<i64>(wanted * 1000))](const std::stop_token& stop) {
    progress->begin("search for better variants of " + title);
    if (auto text =
            search_text(*ranking->question, *ranking->ranked->sketch, time, *progress, stop))
      *found = std::move(*text);
    return std::vector<std::string>();
  };
  job.enter = [this, found, ranking, document, id = message.id] {
    enter_search(id, *document, *ranking, *found);
  };
  outside_.add_job(std::move(job));
}

void Session::enter_search(const MessageId& id, const Document& document, const Ranking& before,
                           std::string_view text) {
  const Json found = Json::parse(text, nullptr, false);
  const Json& program = member(found, "program");
  const DocumentRef now = documents_.find(document.uri);
  if (!program.is_string() || now == nullptr) {
    const Json& problem = member(found, "problem");
    return outside_.send(refusal_text(
        id, {ErrorCode::RequestFailed,
             problem.is_string() ? problem.get<std::string>() : "the search was stopped"}));
  }
  const auto& filled = program.get_ref<const std::string&>();
  if (const auto edit = line_edit(now->text, has_crlf(now->text) ? with_crlf(filled) : filled)) {
    Json edits = Json::array({text_edit_json(*now, *edit, client_->encoding)});
    ask_client("workspace/applyEdit",
               {{"label", "fill with " + found["variant"].get<std::string>() + ", " +
                              found["score"].get<std::string>()},
                {"edit", workspace_edit_json(*client_, *now, std::move(edits))}});
  }
  // Behind the edit the holes are gone, and with them what the editor showed of the ranking.
  outside_.send(notification_text(
      "window/showMessage", {{"type", kInfo}, {"message", found_words(found, *before.ranked)}}));
  outside_.send(result_text(id, {{"variant", found["variant"]},
                                 {"score", found["score"]},
                                 {"evaluated", found["evaluated"]}}));
}

}  // namespace komuz::lsp
