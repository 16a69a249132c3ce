// SPDX-License-Identifier: Apache-2.0
// The rankings of sketches that are open. An edit asks for one in three parts, of which a newer edit drops whatever there is:
//
//   by the thread that answers      what is evaluated: the head of the text, its cases, its modules
//   by the one that evaluates       a step (services/variants/rank_sketch.h), and another one where more variants are left
//   by the server, behind each      the ranking enters the session, clients are told
//
// So a session's answers follow from when its jobs are done, as all others do.
#include <algorithm>

#include "lsp/answers/params.h"
#include "lsp/answers/ranking_shapes.h"
#include "lsp/session.h"
#include "lsp/text/uri.h"
#include "services/session/session_items.h"
#include "services/variants/ranking_plan.h"

namespace komuz::lsp {

struct Session::RankingStep {
  DocumentRef document;
  // Not its head but a setting names cases: it may be no sketch at all.
  bool is_from_settings = false;
  std::string problem;  // why nothing can be evaluated
  std::string cases, cases_path;
  u32 top = 0;
  services::RankingQuestion question;
  services::RankedRef ranked;  // what the last step gave
};

namespace {

std::string topic_of_ranking(const Document& document) { return "rank " + uri_key(document.uri); }

// The cases that a plan names. `sent`: those of the client; `live`: the session that is attached.
NamedFile read_cases(const services::RankingPlan& plan,
                     const std::shared_ptr<const std::string>& sent, const services::LiveRef& live,
                     Workspace& workspace) {
  NamedFile file;
  const bool is_of_session = plan.from == services::RankingPlan::From::Session;
  file.bytes = is_of_session ? live->cases->bytes : sent;
  if (is_of_session) file.path = workspace.files().real_path(plan.cases);
  if (file.bytes->size() > NamedFiles::kMostBytes) file.problem = too_large_text(plan.cases);
  return file;
}

}  // namespace

void Session::take_cases(const Message& message) {
  const Json& uri = member(member(message.params, "textDocument"), "uri");
  const Json& name = member(message.params, "name");
  const Json& text = member(message.params, "text");
  if (!uri.is_string()) return log("`komuz/cases` has no `textDocument.uri`");
  const DocumentRef document = documents_.find(uri.get_ref<const std::string&>());
  if (document == nullptr)
    return log("`komuz/cases` for " + uri.get<std::string>() + ", which is not open");
  if (text.is_null()) {
    sent_cases_.erase(uri_key(document->uri));
    return rank_later(document);
  }
  if (!name.is_string() || !text.is_string())
    return log("`komuz/cases` has a `name` and a `text`, which may be null");
  sent_cases_[uri_key(document->uri)] = {
      name.get<std::string>(), std::make_shared<const std::string>(text.get<std::string>())};
  rank_later(document);
}

void Session::rank_later(const DocumentRef& document) {
  const auto sent_cases = sent_cases_.find(uri_key(document->uri));
  services::RankingSources sources;
  std::shared_ptr<const std::string> sent;
  if (sent_cases != sent_cases_.end()) {
    sources.sent = sent_cases->second.name;
    sent = sent_cases->second.text;
  }
  const Settings settings = project_->settings_of(document->path);
  sources.settings = {"", settings.cases, settings.score, settings.top};
  // It lives as long as `live_` does.
  if (live_ != nullptr && live_->cases) sources.session = &*live_->cases;
  const services::RankingWish wish = services::ranking_wish(document->text, sources);
  if (wish == services::RankingWish::None) return forget_ranking(*document);
  const bool has_own = wish == services::RankingWish::Own;
  if (has_own && rankings_.find(document->uri) == nullptr) {
    // Who asks before the first step is told that there will be one.
    auto first = std::make_shared<Ranking>();
    first->document = document;
    first->is_running = true;
    rankings_.put(document->uri, std::move(first));
  }
  const auto step = std::make_shared<RankingStep>();
  step->document = document;
  step->is_from_settings = !has_own;
  Job job;
  job.topic = topic_of_ranking(*document);
  job.work = [step, sent, sources, update = workspace_update(), workspace = workspace_,
              live = live_, files = named_files_,
              stamp = files_stamp_](const std::stop_token& /*stop*/) mutable {
    update();
    const Document& now = *step->document;
    sources.settings.harness = workspace->harness_of_settings(now);
    const services::RankingPlan plan = services::plan_ranking(now.text, sources);
    step->problem = plan.problem;
    step->cases = plan.cases;
    step->top = plan.top;
    step->question.output = plan.output;
    step->question.form = plan.form;
    step->question.inputs = plan.inputs;
    step->question.score = plan.score;
    step->question.tolerance = plan.tolerance;
    step->question.measure = plan.measure;
    NamedFile file;
    if (plan.from != services::RankingPlan::From::File)
      file = read_cases(plan, sent, live, *workspace);
    else if (!plan.cases.empty())
      file = files->read(now, plan.cases, stamp);
    step->cases_path = file.path;
    if (step->problem.empty()) step->problem = file.problem;
    if (step->problem.empty() && !plan.harness.empty()) {
      const NamedFile harness = files->read(now, plan.harness, stamp);
      step->problem = harness.problem;
      if (harness.problem.empty()) {
        step->question.harness = plan.harness;
        step->question.harness_text = *harness.bytes;
      }
    }
    step->question.text = now.text;
    step->question.items = workspace->items_of(now).text;
    if (step->problem.empty() && services::has_holes(step->question.items))
      step->problem =
          "it names a function of the session that has holes itself; `:keep #I NAME` makes a "
          "function of one of its variants there";
    step->question.cases = step->cases;
    step->question.bytes = std::move(file.bytes);
    step->question.modules = workspace->kept_modules(now, step->question.harness_text);
    return std::vector<std::string>();
  };
  job.enter = [this, step] { enter_question(step); };
  outside_.add_job(std::move(job));
}

void Session::rank_all_later() {
  for (const DocumentRef& document : documents_.all()) rank_later(document);
}

void Session::enter_question(const std::shared_ptr<RankingStep>& step) {
  const RankingRef before = rankings_.find(step->document->uri);
  auto next = std::make_shared<Ranking>();
  if (before != nullptr) *next = *before;
  next->document = step->document;
  next->problem = step->problem;
  next->has_errors = false;
  next->is_running = step->problem.empty();
  next->cases = step->cases;
  next->cases_path = step->cases_path;
  next->top = step->top;
  next->question = std::shared_ptr<const services::RankingQuestion>(step, &step->question);
  next->score = step->question.score;
  rankings_.put(step->document->uri, std::move(next));
  if (!step->problem.empty()) return tell_ranking(step->document);
  evaluate_later(step);
}

void Session::evaluate_later(const std::shared_ptr<RankingStep>& step) {
  Job job;
  job.topic = topic_of_ranking(*step->document);
  job.lane = Lane::Evaluations;
  job.work = [step, ranker = ranker_](const std::stop_token& stop) {
    step->ranked = ranker->rank(step->question, step->ranked, stop);
    return std::vector<std::string>();
  };
  job.enter = [this, step] { enter_step(step); };
  outside_.add_job(std::move(job));
}

void Session::enter_step(const std::shared_ptr<RankingStep>& step) {
  const RankingRef before = rankings_.find(step->document->uri);
  if (before == nullptr || step->ranked == nullptr) return;
  auto next = std::make_shared<Ranking>(*before);
  const bool is_ranked = step->ranked->is_ranked();
  // It is no sketch, and has not said that it is one.
  const bool is_sketch = is_ranked && !step->ranked->has_no_holes();
  if (step->is_from_settings && !is_sketch && !step->ranked->has_errors)
    return forget_ranking(*step->document);
  next->is_running = is_ranked && !step->ranked->is_last;
  next->problem = step->ranked->problem;
  next->has_errors = step->ranked->has_errors;
  // What was known before stays in sight while a text is in pieces.
  if (is_ranked || !step->ranked->has_errors) {
    next->ranked = is_ranked ? step->ranked : nullptr;
    next->ranked_document = step->document;
  }
  const bool goes_on = next->is_running;
  rankings_.put(step->document->uri, std::move(next));
  tell_ranking(step->document);
  if (goes_on) evaluate_later(step);
}

void Session::forget_ranking(const Document& document) {
  outside_.drop_topic(topic_of_ranking(document));
  if (rankings_.find(document.uri) == nullptr) return;
  rankings_.remove(document.uri);
  if (const DocumentRef now = documents_.find(document.uri)) tell_ranking(now);
}

void Session::refresh(std::string_view method) { ask_client(method, nullptr); }

void Session::tell_behind_answers(std::function<void()> tell, std::string topic) {
  Job job;
  job.topic = std::move(topic);
  job.work = [](const std::stop_token& /*stop*/) { return std::vector<std::string>(); };
  job.enter = [this, tell = std::move(tell)] {
    if (state_ == State::Ready) tell();
  };
  outside_.add_job(std::move(job));
}

void Session::tell_ranking(const DocumentRef& document) {
  tell_behind_answers([this, document] { tell_ranking_now(*document); });
}

void Session::tell_ranking_now(const Document& told) {
  const DocumentRef document = documents_.find(told.uri);
  if (document == nullptr) return;
  if (client_->shows_rankings)
    outside_.send(notification_text("komuz/rankingChanged",
                                    ranking_change_json(*document, rankings_.find(document->uri))));
  if (client_->refreshes_hints) refresh("workspace/inlayHint/refresh");
  if (client_->refreshes_lenses) refresh("workspace/codeLens/refresh");
  // Its findings speak of it, when it is there.
  const RankingRef now = rankings_.find(document->uri);
  if (now != nullptr && now->is_running) return;
  if (!has_pulled_)
    check_later(document);
  else if (client_->diagnostics.refresh)
    refresh("workspace/diagnostic/refresh");
}

}  // namespace komuz::lsp
