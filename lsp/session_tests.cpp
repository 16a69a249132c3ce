// SPDX-License-Identifier: Apache-2.0
// The tests of documents that are open, run behind each edit for clients that show lenses: in the same parts as rankings are
// (session_rankings.cpp).
#include "lsp/session.h"
#include "lsp/text/uri.h"

namespace komuz::lsp {
namespace {

std::string topic_of_tests(const Document& document) { return "test " + uri_key(document.uri); }

struct TestsToRun {
  DocumentRef document;
  services::KeptModules modules;
  std::string text;  // with what it names of the session
  std::optional<services::TestRuns> found;
};

}  // namespace

void Session::test_later(const DocumentRef& document) {
  if (!client_->has_lenses) return;
  if (!services::may_have_tests(document->text)) return forget_tests(*document);
  const auto tests = std::make_shared<TestsToRun>();
  tests->document = document;
  Job run;
  run.topic = topic_of_tests(*document);
  run.lane = Lane::Evaluations;
  run.work = [tests](const std::stop_token& stop) {
    engine::ModuleLoader loader(&tests->modules);
    tests->found = services::run_text_tests(tests->text, loader, stop);
    return std::vector<std::string>();
  };
  run.enter = [this, tests] {
    if (!tests->found) return;
    auto next = std::make_shared<TestedDocument>();
    next->document = tests->document;
    next->tests = std::move(*tests->found);
    tested_.put(tests->document->uri, std::move(next));
    if (client_->refreshes_lenses)
      tell_behind_answers([this] { refresh("workspace/codeLens/refresh"); });
  };
  Job read;
  read.topic = run.topic;
  read.work = [tests, update = workspace_update(),
               workspace = workspace_](const std::stop_token& /*stop*/) {
    update();
    tests->text = workspace->compiled_text(*tests->document);
    tests->modules = workspace->kept_modules(*tests->document, {});
    return std::vector<std::string>();
  };
  read.enter = [this, run = std::move(run)] { outside_.add_job(run); };
  outside_.add_job(std::move(read));
}

void Session::test_all_later() {
  for (const DocumentRef& document : documents_.all()) test_later(document);
}

void Session::forget_tests(const Document& document) {
  outside_.drop_topic(topic_of_tests(document));
  tested_.remove(document.uri);
}

}  // namespace komuz::lsp
