// SPDX-License-Identifier: Apache-2.0
// The door of the server: bytes of clients in, messages for clients out. It knows no stream, no thread and no clock. What it says
// follows from what it receives, from the files, and from when its jobs begin and end, which whoever runs it decides: so a record of
// these can be played again (record.h).
//
//   receive(client, bytes)                                      sessions, documents, cancelling: at once
//        └─▶ jobs ──take()──▶ Job::run(), by another thread ──finish()──▶ answers
#pragma once
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/session.h"

namespace komuz::lsp {

class Server {
 public:
  using Send = std::function<void(u32 client, std::string_view message)>;
  // `files` outlives it.
  Server(Files& files, std::string version, Send send, Faults faults = Faults::Kept);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Clients have numbers from 1.
  [[nodiscard]] u32 connect();
  void receive(u32 client, std::string_view bytes);
  void disconnect(u32 client);
  // A session is attached to all clients, or has become another one; null: none is any more.
  void look_at(services::LiveRef live);
  // Inputs that clients send to it.
  using TakeInput = std::function<bool(std::string text)>;
  void set_take_input(TakeInput take) { take_input_ = std::move(take); }
  // The exit code of a session that has ended; nothing: it has not.
  [[nodiscard]] std::optional<int> end_of(u32 client) const;
  // That of one whose client has gone without a word.
  [[nodiscard]] int end_without_exit(u32 client) const;
  // Is something still to be answered? Evaluations that nobody asked for are not.
  [[nodiscard]] bool has_jobs(u32 client) const;
  // Its jobs wait from now on, whatever lane they are of; false: they are taken again.
  void hold(u32 client, bool is_held);
  // Its jobs that wait.
  [[nodiscard]] size_t waiting_jobs(u32 client) const;
  // The process that a client says to end with.
  [[nodiscard]] std::optional<i64> process_of(u32 client) const;

  // The job that waits longest, which runs from now on; null: there is none. Of all lanes, or of one, without those that are held.
  [[nodiscard]] JobRef take();
  [[nodiscard]] JobRef take(Lane lane);
  // The one with a number, if it waits.
  [[nodiscard]] JobRef take(u64 number);
  // What a job says of its progress while it runs (Progress::Tell): by the thread that receives.
  void tell_progress(u64 number, Json value);
  // Sends what came of a job. False: it has become needless, and nothing is sent.
  bool finish(const JobRef& job);

 private:
  class Link;  // a client, its stream and its session
  using IsMeant = std::function<bool(const Job& job)>;
  // Jobs become needless: those that wait go, those that run are stopped. Gives them.
  std::vector<JobRef> drop(const IsMeant& is_meant);
  // Null: there is none.
  [[nodiscard]] JobRef find(const IsMeant& is_meant) const;
  void end_progress(Job& job);
  // The client is told of the fault of a job.
  void tell_fault(const Job& job);
  // A job takes the place of those of its client and topic, but for one that runs because one that ran before had to go.
  void overtake(Job& job);
  // Is there a later job of its topic? Then it ran to its end so that its messages are sent, and not to be gone on with.
  [[nodiscard]] bool is_overtaken(const Job& job) const;
  void add(Job job);
  [[nodiscard]] bool is_held(const Job& job) const;

  Files& files_;
  std::string version_;
  Send send_;
  Faults faults_;
  services::LiveRef live_;
  TakeInput take_input_;
  u32 clients_ = 0;
  u64 jobs_ = 0;
  std::map<u32, std::unique_ptr<Link>> links_;
  std::deque<JobRef> waiting_, running_;
};

}  // namespace komuz::lsp
