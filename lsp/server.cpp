// SPDX-License-Identifier: Apache-2.0
#include "lsp/server.h"

#include <algorithm>

#include "lsp/wire/framing.h"

namespace komuz::lsp {

class Server::Link final : public Outside {
 public:
  Link(Server& server, u32 number)
      : server_(server), number_(number), session_(server.files_, *this, server.version_) {}

  void receive(std::string_view bytes) {
    frames_.add(bytes);
    while (!session_.end()) {
      std::optional<Frame> frame = frames_.next();
      if (!frame) return;
      if (frame->problem.empty())
        session_.receive(read_message(frame->body));
      else
        session_.refuse_frame(std::move(frame->problem));
    }
  }
  void note_answered(const Job& job) { session_.note_answered(job.id); }
  [[nodiscard]] const Session& session() const { return session_; }

  void send(std::string message) override { server_.send_(number_, message); }
  void add_job(Job job) override {
    job.client = number_;
    if (!job.topic.empty()) server_.overtake(job);
    server_.add(std::move(job));
  }
  bool drop_request(const MessageId& id) override {
    return server_.drop([&](const Job& job) {
      return job.client == number_ && job.id != kNoId && job.id == id;
    }) != 0;
  }
  void drop_topic(std::string_view topic) override {
    if (topic.empty()) return;
    static_cast<void>(
        server_.drop([&](const Job& job) { return job.client == number_ && job.topic == topic; }));
  }

 private:
  Server& server_;
  u32 number_;
  FrameReader frames_;
  Session session_;
};

Server::Server(Files& files, std::string version, Send send)
    : files_(files), version_(std::move(version)), send_(std::move(send)) {}
Server::~Server() = default;

u32 Server::connect() {
  ++clients_;
  links_.emplace(clients_, std::make_unique<Link>(*this, clients_));
  return clients_;
}
void Server::receive(u32 client, std::string_view bytes) {
  if (const auto link = links_.find(client); link != links_.end()) link->second->receive(bytes);
}
void Server::disconnect(u32 client) {
  static_cast<void>(drop([&](const Job& job) { return job.client == client; }));
  links_.erase(client);
}
std::optional<int> Server::end_of(u32 client) const {
  const auto link = links_.find(client);
  return link == links_.end() ? std::nullopt : link->second->session().end();
}
int Server::end_without_exit(u32 client) const {
  const auto link = links_.find(client);
  return link != links_.end() && link->second->session().is_shut_down() ? 0 : 1;
}
bool Server::has_jobs(u32 client) const {
  const auto is_its = [&](const JobRef& job) { return job->client == client && !job->is_needless; };
  return std::ranges::any_of(waiting_, is_its) || std::ranges::any_of(running_, is_its);
}
std::optional<i64> Server::process_of(u32 client) const {
  const auto link = links_.find(client);
  return link == links_.end() ? std::nullopt : link->second->session().process();
}

void Server::add(Job job) {
  job.number = ++jobs_;
  waiting_.push_back(std::make_shared<Job>(std::move(job)));
}

u32 Server::drop(const IsMeant& is_meant) {
  auto dropped =
      static_cast<u32>(std::erase_if(waiting_, [&](const JobRef& job) { return is_meant(*job); }));
  for (const JobRef& job : running_) {
    if (job->is_needless || !is_meant(*job)) continue;
    job->is_needless = true;
    job->stop.request_stop();
    ++dropped;
  }
  return dropped;
}

void Server::overtake(Job& job) {
  const auto is_same = [&](const Job& other) {
    return other.client == job.client && other.topic == job.topic;
  };
  for (const JobRef& waiting : waiting_)
    if (is_same(*waiting)) job.is_second |= waiting->is_second;
  for (const JobRef& running : running_)
    if (is_same(*running) && !running->is_second) job.is_second = true;
  static_cast<void>(drop([&](const Job& other) {
    const bool is_running =
        std::ranges::any_of(running_, [&](const JobRef& one) { return one.get() == &other; });
    return is_same(other) && !(is_running && other.is_second);
  }));
}

JobRef Server::take() { return waiting_.empty() ? nullptr : take(waiting_.front()->number); }
JobRef Server::take(u64 number) {
  const auto found = std::ranges::find_if(
      waiting_, [&](const JobRef& waiting) { return waiting->number == number; });
  if (found == waiting_.end()) return nullptr;
  JobRef job = *found;
  waiting_.erase(found);
  running_.push_back(job);
  return job;
}
bool Server::finish(const JobRef& job) {
  std::erase(running_, job);
  if (job->is_needless) return false;
  for (const std::string& message : job->messages) send_(job->client, message);
  if (const auto link = links_.find(job->client); link != links_.end())
    link->second->note_answered(*job);
  return true;
}

}  // namespace komuz::lsp
