// SPDX-License-Identifier: Apache-2.0
#include "lsp/session.h"

#include <algorithm>

#include "lsp/answers/findings.h"
#include "lsp/answers/params.h"
#include "lsp/capabilities.h"
#include "lsp/fault_record.h"
#include "lsp/text/uri.h"

namespace komuz::lsp {
namespace {

struct RequestRow {
  std::string_view method;
  Answer answer;
};
constexpr RequestRow kRequests[] = {
#define REQUEST(method, answer, provider, options, what) {method, answer},
#include "lsp/wire/methods.def"
};

std::string topic_of_check(const Document& document) { return "check " + uri_key(document.uri); }
std::string users_topic(const Document& document) { return "users " + uri_key(document.uri); }

constexpr std::string_view kPull = "textDocument/diagnostic",
                           kWorkspacePull = "workspace/diagnostic";
constexpr std::string_view kStale = "the text has changed since";

}  // namespace

void Session::log(std::string words) {
  // MessageType of the protocol.
  constexpr u32 kWarning = 2;
  outside_.send(
      notification_text("window/logMessage", {{"type", kWarning}, {"message", std::move(words)}}));
}

void Session::refuse_frame(std::string problem) {
  outside_.send(refusal_text(MessageId(kNoId), {ErrorCode::ParseError, std::move(problem)}));
}

void Session::receive(const Message& message) {
  if (end_ || has_exited_) return;
  switch (message.kind) {
    case Message::Kind::Invalid: outside_.send(refusal_text(message.id, message.refusal)); return;
    case Message::Kind::Response: static_cast<void>(own_requests_.take(message)); return;
    case Message::Kind::Request: return take_request(message);
    case Message::Kind::Notification: return take_notification(message);
  }
}

void Session::take_request(const Message& message) {
  const auto refuse = [&](ErrorCode code, std::string words) {
    outside_.send(refusal_text(message.id, {code, std::move(words)}));
  };
  const bool is_first = message.method == "initialize";
  if (state_ == State::ShutDown)
    return refuse(ErrorCode::InvalidRequest, "the session is shut down; only `exit` may follow");
  if (state_ == State::Fresh && !is_first)
    return refuse(ErrorCode::NotInitialized, "the first request is `initialize`");
  if (state_ == State::Ready && is_first)
    return refuse(ErrorCode::InvalidRequest, "`initialize` comes once");
  if (is_first) return initialize(message);
  if (message.method == "shutdown") return shut_down(message);
  const auto* const row = std::ranges::find(kRequests, message.method, &RequestRow::method);
  if (row == std::end(kRequests))
    return refuse(ErrorCode::MethodNotFound, "there is no request `" + message.method + "`");
  if (std::string problem = lost_text_problem(message); !problem.empty())
    return refuse(ErrorCode::InvalidParams, std::move(problem));
  if (!takes_search(message) && !takes_input(message)) answer_later(message, row->answer);
}

void Session::take_notification(const Message& message) {
  if (message.method == "exit") return exit(message);
  if (state_ != State::Ready) return;
  struct Row {
    std::string_view method;
    void (Session::*take)(const Message& message);
  };
  static constexpr Row kRows[] = {
#define LIFE(method, function, what) {method, &Session::function},
#define NOTIFICATION(method, function, what) {method, &Session::function},
#include "lsp/wire/methods.def"
  };
  const auto* const row = std::ranges::find(kRows, message.method, &Row::method);
  const bool is_request = message.method == "initialize" || message.method == "shutdown";
  if (row != std::end(kRows) && !is_request) (this->*row->take)(message);
}

void Session::initialize(const Message& message) {
  initialize_params_ = std::make_shared<const Json>(message.params);
  client_ = std::make_shared<const Client>(read_client(message.params));
  begin_project();
  workspace_ = std::make_shared<Workspace>(files_, project_);
  named_files_ = std::make_shared<NamedFiles>(files_, project_->paths());
  ranker_ = std::make_shared<services::SketchRanker>();
  state_ = State::Ready;
  outside_.send(result_text(message.id, initialize_result(*client_, version_)));
}
void Session::confirm(const Message& /*message*/) {
  register_methods();
  ask_settings();
}
// Behind all that was asked before: who sends everything at once gets every answer.
void Session::shut_down(const Message& message) {
  state_ = State::ShutDown;
  end_waiting_pull();
  // A search may have minutes to go.
  for (const MessageId& id : outside_.drop_beside()) outside_.send(refusal_text(id, cancelled()));
  shutdown_ = message.id;
  add_job(message.id, "", {}, [id = message.id](const Question& /*question*/) {
    return std::vector{result_text(id, nullptr)};
  });
}
void Session::note_answered(const MessageId& id) {
  if (id != shutdown_) return;
  shutdown_.clear();
  if (has_exited_) end_ = 0;
}
void Session::exit(const Message& /*message*/) {
  has_exited_ = true;
  if (shutdown_.empty()) end_ = state_ == State::ShutDown ? 0 : 1;
}
void Session::set_trace(const Message& /*message*/) {}

void Session::cancel(const Message& message) {
  const Json& id = member(message.params, "id");
  if (!id.is_string() && !id.is_number_integer()) return;
  const MessageId text = json_text(id);
  if (cancel_waiting_pull(text) || outside_.drop_request(text))
    outside_.send(refusal_text(text, cancelled()));
}

std::function<void()> Session::workspace_update() const {
  return [workspace = workspace_, project = project_, documents = documents_, live = live_,
          stamp = files_stamp_] {
    workspace->look_at(project);
    workspace->look_at(documents, stamp);
    workspace->look_at(live);
  };
}
void Session::add_job(MessageId id, std::string topic, Json params, Ask ask) {
  Message message;
  message.id = std::move(id);
  message.params = std::move(params);
  add_job(message, std::move(ask), std::move(topic));
}
void Session::add_job(const Message& message, Ask ask, std::string topic) {
  const auto asked = std::make_shared<const Message>(message);
  Job job;
  job.id = message.id;
  job.topic = std::move(topic);
  const Json& params = message.params;
  const Json& uri = member(member(params, "textDocument"), "uri");
  const bool is_retried = std::ranges::count(client_->retried, message.method) != 0;
  if (uri.is_string() && (message.method == kPull || is_retried)) {
    job.about = uri_key(uri.get_ref<const std::string&>());
    job.if_stale =
        message.method == kPull
            ? Refusal{ErrorCode::ServerCancelled, std::string(kStale), {{"retriggerRequest", true}}}
            : Refusal{ErrorCode::ContentModified, std::string(kStale), nullptr};
  }
  if (faults_ == Faults::Kept)
    job.keep_fault =
        [&files = files_, version = version_,
         scene = FaultScene{initialize_params_, documents_, asked}](const std::stop_token& stop) {
          return keep_fault(files, version, scene, stop);
        };
  job.show_by(member(params, "workDoneToken"));
  const Json& part_token = member(params, "partialResultToken");
  if (message.method == kWorkspacePull &&
      (part_token.is_string() || part_token.is_number_integer())) {
    job.shown.part_token = part_token;
    job.progress->take_parts();
  }
  job.work = [update = workspace_update(), workspace = workspace_, client = client_,
              progress = job.progress, rankings = rankings_, tested = tested_, asked,
              ask = std::move(ask)](const std::stop_token& stop) {
    update();
    return ask({asked->params, *client, *workspace, stop, *progress, rankings, tested});
  };
  outside_.add_job(std::move(job));
}

void Session::answer_later(const Message& message, Answer answer) {
  const bool is_pull = message.method == kPull;
  if (is_pull || message.method == kWorkspacePull) stop_pushing();
  if (message.method == kWorkspacePull) return answer_workspace_pull(message, answer);
  add_job(message, [id = message.id, answer](const Question& question) {
    return std::vector{outcome_text(id, answer(question))};
  });
}

void Session::check_later(const DocumentRef& document) {
  if (has_pulled_) return;
  add_job(MessageId(kNoId), topic_of_check(*document), {}, [document](const Question& question) {
    Json findings;
    std::vector<std::string> messages;
    if (list_findings(question, *document, findings))
      messages.push_back(push_text(question.client, *document, std::move(findings)));
    return messages;
  });
}

void Session::forget_checks(const Document& document) {
  outside_.drop_topic(topic_of_check(document));
  if (!has_pulled_) take_back_findings(document.uri);
}

void Session::check_users_later(const Document& document) {
  if (document.path.empty()) return;
  if (has_pulled_) return check_all_later();
  add_job(MessageId(kNoId), users_topic(document), {},
          [path = document.path](const Question& question) {
            std::vector<std::string> messages;
            for (const DocumentRef& user : question.workspace.documents().all()) {
              if (question.stop.stop_requested() || user->path == path) continue;
              const std::vector<std::string> used = question.workspace.files_used(*user);
              Json findings;
              if (std::ranges::find(used, path) != used.end() &&
                  list_findings(question, *user, findings))
                messages.push_back(push_text(question.client, *user, std::move(findings)));
            }
            return messages;
          });
}

void Session::check_all_later() {
  if (has_pulled_) {
    if (client_->diagnostics.refresh) ask_client("workspace/diagnostic/refresh", nullptr);
    return;
  }
  for (const DocumentRef& document : documents_.all()) check_later(document);
}

void Session::stop_pushing() {
  if (has_pulled_) return;
  has_pulled_ = true;
  // What was pushed would stand beside what is pulled.
  for (const DocumentRef& document : documents_.all()) {
    outside_.drop_topic(topic_of_check(*document));
    outside_.drop_topic(users_topic(*document));
    take_back_findings(document->uri);
  }
}

void Session::take_back_findings(const std::string& uri) {
  outside_.send(notification_text("textDocument/publishDiagnostics",
                                  {{"uri", uri}, {"diagnostics", Json::array()}}));
}

}  // namespace komuz::lsp
