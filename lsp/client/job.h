// SPDX-License-Identifier: Apache-2.0
// Work for another thread than the server's: all that it needs is in it, and what comes of it are messages.
#pragma once
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "base/ints.h"
#include "lsp/client/progress.h"
#include "lsp/wire/message.h"

namespace komuz::lsp {

// What is done where the server is at fault: it is told, and what led there is kept as a record, unless it is done
// again already.
enum class Faults : u8 { Kept, Told };
// Who does it. What is evaluated for an editor waits for nobody, and nobody waits for it.
// Searches go on for seconds, and evaluations do not wait for them. What leads to a fault is done again by itself: all that waits for it is
// the message that tells of the fault.
enum class Lane : u8 { Answers, Evaluations, Searches, Faults };

struct Job {
  u64 number = 0;
  u32 client = 0;
  MessageId id{kNoId};  // of the request that it answers
  std::string about;  // the key of a document whose edit makes it stale; empty: it stays what it is
  Refusal if_stale;   // … and what it is answered then
  std::string topic;  // a later job of the same topic takes its place; empty: none does
  // It took the place of one that ran: it runs to its end, so that something is said to who never pauses.
  bool is_second = false;
  std::function<std::vector<std::string>(const std::stop_token& stop)> work;
  Lane lane = Lane::Answers;
  // What the work found, where that depends on the clock: a record keeps it, and a replay gives it in the place of
  // the work. Null: it does not.
  std::shared_ptr<std::string> found = {};
  bool is_given = false;
  // What came of it enters the session, behind its messages and on the thread of the server; empty: nothing does. Not
  // called where a later job of the same topic waits.
  std::function<void()> enter = {};

  // The client is told how it goes, with a token that the client has given or agreed to.
  std::shared_ptr<Progress> progress = std::make_shared<Progress>();
  struct {
    Json token;                                 // null: none yet
    bool is_agreed = false, has_begun = false;  // may it be used; has the client been told
    Json begin;                                 // what the job has said first; null: nothing
    Json part_token;  // of parts of the result; null: the client takes none
  } shown;
  // `token`: what a request says in `workDoneToken`; what is no token is none.
  void show_by(const Json& token);

  std::stop_source stop;
  std::vector<std::string> messages;  // what came of it
  bool is_needless = false;           // it was cancelled or overtaken
  std::string fault;                  // the server was at fault: how; empty: it was not
  // Keeps what leads to a fault of the server: where; empty: nowhere. It takes as long as all that is known of the documents does.
  // Without it the job tells of its fault itself.
  using KeepFault = std::function<std::string(const std::stop_token& stop)>;
  KeepFault keep_fault;

  // Does it, and lets nothing out: what is thrown becomes an error of the server.
  void run();
};

using JobRef = std::shared_ptr<Job>;

// What a client is told of a fault. `kept`: the record of what leads there; empty: there is none.
[[nodiscard]] std::string fault_text(const std::string& fault, const std::string& kept);
// Tells of a fault when what leads there is kept: the job of a client, beside all others.
[[nodiscard]] Job tell_of_fault(u32 client, std::string fault, Job::KeepFault keep);

}  // namespace komuz::lsp
