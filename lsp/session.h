// SPDX-License-Identifier: Apache-2.0
// One client from its first message to its last: what it may say when, its documents, and what has to be done because of them. Takes
// messages and gives messages and jobs; all by one thread, and nothing here takes long.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "lsp/answers/question.h"
#include "lsp/client/job.h"
#include "lsp/client/own_requests.h"
#include "lsp/project/named_files.h"

namespace komuz::lsp {

// What a session asks of whoever runs it.
class Outside {
 public:
  virtual ~Outside() = default;
  virtual void send(std::string message) = 0;
  // Behind all that there are; those of its topic have become needless.
  virtual void add_job(Job job) = 0;
  // The job of a request has become needless. False: there is none.
  virtual bool drop_request(const MessageId& id) = 0;
  virtual void drop_topic(std::string_view topic) = 0;
  // Those that an edit of a document makes stale have become needless: the requests, and what they are answered.
  [[nodiscard]] virtual std::vector<std::pair<MessageId, Refusal>> drop_stale(
      std::string_view about) = 0;
  // What is done beside the answers has become needless: the requests among it.
  [[nodiscard]] virtual std::vector<MessageId> drop_beside() = 0;
  // The job that shows its progress by a token; null: none does any more.
  [[nodiscard]] virtual JobRef find_progress(const Json& token) = 0;
  // It has become needless.
  virtual void drop_progress(const Json& token) = 0;
  // An input for the session that is attached. False: too many of them wait there.
  [[nodiscard]] virtual bool send_input(std::string text) = 0;
};

class Session {
 public:
  // These outlive it.
  Session(Files& files, Outside& outside, std::string_view version, Faults faults)
      : files_(files), outside_(outside), version_(version), faults_(faults) {}

  void receive(const Message& message);
  // A session is attached, or has become another one: what is known of documents is found anew (session_live.cpp).
  void look_at(const services::LiveRef& live);
  // What a stream sent in the place of a message.
  void refuse_frame(std::string problem);
  // The answer of a job has been sent.
  void note_answered(const MessageId& id);
  // What a job says of its progress, and that it ends, whether it is done or not (lsp/session_progress.cpp).
  void tell_progress(Job& job, Json value);
  void end_progress(Job& job);

  // How it ended, when it has: the exit code of a process that it was all of.
  [[nodiscard]] std::optional<int> end() const { return end_; }
  [[nodiscard]] bool is_shut_down() const { return state_ == State::ShutDown; }
  // The process that it ends with, once it is known.
  [[nodiscard]] std::optional<i64> process() const { return client_->process; }

 private:
  enum class State : u8 { Fresh, Ready, ShutDown };

  void take_request(const Message& message);
  void take_notification(const Message& message);
  // What its methods do (lsp/wire/methods.def).
#define LIFE(method, function, what) void function(const Message& message);
#define NOTIFICATION(method, function, what) void function(const Message& message);
#include "lsp/wire/methods.def"

  // Asks the client. Nothing waits for its answer, which may never come.
  void ask_client(std::string_view method, Json params, OwnRequests::Taken taken = {});
  // Asks the client to tell of changes of files and of settings, if it says that it can be asked.
  void register_methods();

  // The folders of the workspace and their settings (lsp/session_settings.cpp): documents are checked again if they change.
  void begin_project();
  void take_project(Project project);
  [[nodiscard]] Settings read_section(const Json& section);
  void ask_settings();

  // Documents as the client sends them (session_documents.cpp).
  void put_document(DocumentRef document);
  // A change of it cannot be made: `why`, in words behind the name of the document.
  void lose_text(const std::string& uri, const DocumentRef& document, const std::string& why);
  // Why a request cannot be answered that is about a document whose text is lost; empty: it is about none.
  [[nodiscard]] std::string lost_text_problem(const Message& message) const;

  void answer_later(const Message& message, Answer answer);
  void forget_checks(const Document& document);
  void check_later(const DocumentRef& document);
  // Documents that use the file, by themselves or by way of others.
  void check_users_later(const Document& document);
  void check_all_later();
  // Files have changed, come or gone: members of each, by the names of those that are URIs.
  void look_at_files(const Json& files, const std::vector<std::string_view>& names);
  // Documents that use one of the files, or a module that may be one.
  void check_users_later(std::vector<std::string> paths);
  void stop_pushing();
  // What makes the workspace one of the project, the documents and the files as they are now: the first thing that a job does with it.
  [[nodiscard]] std::function<void()> workspace_update() const;
  // The work of a job whose question is about the documents as they are now.
  using Ask = std::function<std::vector<std::string>(const Question& question)>;
  void add_job(MessageId id, std::string topic, Json params, Ask ask);
  // … and that of a request.
  void add_job(const Message& message, Ask ask, std::string topic = {});
  void take_back_findings(const std::string& uri);
  // The text of a document is another one: what is asked about the one before is stale.
  void drop_stale(const Document& document);
  // Documents or files have changed. A pull of the workspace that would say what the last one did waits for that.
  void note_change();
  void answer_workspace_pull(const Message& message, Answer answer);
  bool cancel_waiting_pull(const MessageId& id);
  void end_waiting_pull();
  // Rankings of the sketches that are open (session_rankings.cpp): a document is evaluated if its head, the settings or the client name cases.
  struct RankingStep;
  void rank_later(const DocumentRef& document);
  void rank_all_later();
  void enter_question(const std::shared_ptr<RankingStep>& step);
  void enter_step(const std::shared_ptr<RankingStep>& step);
  void evaluate_later(const std::shared_ptr<RankingStep>& step);
  void forget_ranking(const Document& document);
  // What is asked is answered as things were then. An answer that comes behind news would be taken for newer than they are, and kept:
  // so news wait for all answers to what was asked before them.
  // A later one of the same topic takes its place; empty: none does.
  void tell_behind_answers(std::function<void()> tell, std::string topic = {});
  void tell_ranking(const DocumentRef& document);
  void tell_ranking_now(const Document& told);
  void refresh(std::string_view method);
  // Searches that were asked for (session_search.cpp).
  [[nodiscard]] bool takes_search(const Message& message);
  void search_later(const Message& message);
  void enter_search(const MessageId& id, const Document& document, const Ranking& before,
                    std::string_view text);
  // Inputs for the session that is attached (session_live.cpp).
  [[nodiscard]] bool takes_input(const Message& message);
  void refresh_all();
  // The tests of documents, which are run for clients with lenses (session_tests.cpp).
  void test_later(const DocumentRef& document);
  void test_all_later();
  void forget_tests(const Document& document);
  void log(std::string words);

  Files& files_;
  Outside& outside_;
  std::string version_;
  Faults faults_;
  std::shared_ptr<const Json> initialize_params_;  // for records of faults
  State state_ = State::Fresh;
  MessageId shutdown_;       // the request, until it is answered; empty: it is
  bool has_exited_ = false;  // … and `exit` came before that
  std::optional<int> end_;
  std::shared_ptr<const Client> client_ = std::make_shared<Client>();
  std::shared_ptr<const Project> project_;
  std::set<std::string> told_problems_;  // of settings
  std::shared_ptr<Workspace> workspace_;
  Documents documents_;
  // Documents that the client has open and whose texts are not known any more: their paths, by their keys.
  std::map<std::string, std::string> lost_texts_;
  services::LiveRef live_;
  Rankings rankings_;
  TestedDocuments tested_;
  // Cases that the client has sent, by the document that they are for.
  struct SentCases {
    std::string name;
    std::shared_ptr<const std::string> text;
  };
  std::map<std::string, SentCases> sent_cases_;
  std::shared_ptr<NamedFiles> named_files_;         // used by jobs that answer
  std::shared_ptr<services::SketchRanker> ranker_;  // used by jobs that evaluate
  u64 files_stamp_ = 1;
  OwnRequests own_requests_;
  u64 progress_ = 0;         // tokens of the server
  bool has_pulled_ = false;  // it asks for diagnostics itself
  u64 changes_ = 1;          // how often documents or files may have changed
  u64 pulled_changes_ = 0;   // … when the workspace was pulled last
  std::optional<Message> waiting_pull_;
};

}  // namespace komuz::lsp
