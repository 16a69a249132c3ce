// SPDX-License-Identifier: Apache-2.0
#include "lsp/server.h"

#include <algorithm>

#include "lsp/wire/framing.h"

namespace komuz::lsp {

class Server::Link final : public Outside {
 public:
  Link(Server& server, u32 number)
      : server_(server),
        number_(number),
        session_(server.files_, *this, server.version_, server.faults_) {
    session_.look_at(server.live_);
  }

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
  [[nodiscard]] Session& session() { return session_; }
  void hold(bool is_held) { is_held_ = is_held; }
  [[nodiscard]] bool is_held() const { return is_held_; }

  void send(std::string message) override { server_.send_(number_, message); }
  void add_job(Job job) override {
    job.client = number_;
    if (!job.topic.empty()) server_.overtake(job);
    server_.add(std::move(job));
  }
  bool drop_request(const MessageId& id) override {
    return !server_
                .drop([&](const Job& job) {
                  return job.client == number_ && job.id != kNoId && job.id == id;
                })
                .empty();
  }
  void drop_topic(std::string_view topic) override {
    if (topic.empty()) return;
    server_.drop([&](const Job& job) { return job.client == number_ && job.topic == topic; });
  }
  std::vector<std::pair<MessageId, Refusal>> drop_stale(std::string_view about) override {
    std::vector<std::pair<MessageId, Refusal>> stale;
    const auto is_stale = [&](const Job& job) {
      return job.client == number_ && job.about == about;
    };
    for (const JobRef& job : server_.drop(is_stale)) stale.emplace_back(job->id, job->if_stale);
    return stale;
  }
  std::vector<MessageId> drop_beside() override {
    std::vector<MessageId> requests;
    const auto is_beside = [&](const Job& job) {
      return job.client == number_ && job.lane != Lane::Answers && job.lane != Lane::Faults;
    };
    for (const JobRef& job : server_.drop(is_beside))
      if (job->id != kNoId) requests.push_back(job->id);
    return requests;
  }
  JobRef find_progress(const Json& token) override { return server_.find(shows(token)); }
  void drop_progress(const Json& token) override { server_.drop(shows(token)); }
  bool send_input(std::string text) override {
    return server_.take_input_ && server_.take_input_(std::move(text));
  }

 private:
  [[nodiscard]] IsMeant shows(const Json& token) const {
    return [this, &token](const Job& job) {
      return job.client == number_ && !token.is_null() && job.shown.token == token;
    };
  }

  Server& server_;
  u32 number_;
  FrameReader frames_;
  Session session_;
  bool is_held_ = false;
};

Server::Server(Files& files, std::string version, Send send, Faults faults)
    : files_(files), version_(std::move(version)), send_(std::move(send)), faults_(faults) {}
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
  links_.erase(client);
  drop([&](const Job& job) { return job.client == client; });
}
void Server::look_at(services::LiveRef live) {
  live_ = std::move(live);
  for (const auto& [client, link] : links_) link->session().look_at(live_);
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
  const auto is_its = [&](const JobRef& job) {
    const bool is_asked_for =
        job->lane == Lane::Answers || job->lane == Lane::Faults || job->id != kNoId;
    return job->client == client && !job->is_needless && is_asked_for;
  };
  return std::ranges::any_of(waiting_, is_its) || std::ranges::any_of(running_, is_its);
}
std::optional<i64> Server::process_of(u32 client) const {
  const auto link = links_.find(client);
  return link == links_.end() ? std::nullopt : link->second->session().process();
}

void Server::hold(u32 client, bool is_held) {
  if (const auto link = links_.find(client); link != links_.end()) link->second->hold(is_held);
}
bool Server::is_held(const Job& job) const {
  const auto link = links_.find(job.client);
  return link != links_.end() && link->second->is_held();
}
size_t Server::waiting_jobs(u32 client) const {
  return static_cast<size_t>(
      std::ranges::count_if(waiting_, [&](const JobRef& job) { return job->client == client; }));
}

void Server::add(Job job) {
  job.number = ++jobs_;
  waiting_.push_back(std::make_shared<Job>(std::move(job)));
}

std::vector<JobRef> Server::drop(const IsMeant& is_meant) {
  std::vector<JobRef> dropped;
  for (const std::deque<JobRef>* const jobs : {&waiting_, &running_})
    for (const JobRef& job : *jobs)
      if (!job->is_needless && is_meant(*job)) dropped.push_back(job);
  for (const JobRef& job : dropped) {
    job->is_needless = true;
    job->stop.request_stop();
    end_progress(*job);
  }
  std::erase_if(waiting_, [](const JobRef& job) { return job->is_needless; });
  return dropped;
}
JobRef Server::find(const IsMeant& is_meant) const {
  for (const std::deque<JobRef>* const jobs : {&waiting_, &running_})
    for (const JobRef& job : *jobs)
      if (!job->is_needless && is_meant(*job)) return job;
  return nullptr;
}
void Server::tell_progress(u64 number, Json value) {
  const JobRef job = find([&](const Job& known) { return known.number == number; });
  if (job == nullptr) return;
  if (const auto link = links_.find(job->client); link != links_.end())
    link->second->session().tell_progress(*job, std::move(value));
}
void Server::end_progress(Job& job) {
  if (const auto link = links_.find(job.client); link != links_.end())
    link->second->session().end_progress(job);
}

void Server::tell_fault(const Job& job) {
  if (!job.keep_fault) return;
  const auto is_one = [&](const JobRef& other) {
    return other->client == job.client && other->lane == Lane::Faults;
  };
  // One record shows what is wrong; a fault of each edit would keep a thread busy with all of them.
  if (std::ranges::any_of(waiting_, is_one))
    send_(job.client, fault_text(job.fault, ""));
  else
    add(tell_of_fault(job.client, job.fault, job.keep_fault));
}

void Server::overtake(Job& job) {
  const auto is_same = [&](const Job& other) {
    return other.client == job.client && other.topic == job.topic;
  };
  for (const JobRef& waiting : waiting_)
    if (is_same(*waiting)) job.is_second |= waiting->is_second;
  for (const JobRef& running : running_)
    if (is_same(*running) && !running->is_second) job.is_second = true;
  drop([&](const Job& other) {
    const bool is_running =
        std::ranges::any_of(running_, [&](const JobRef& one) { return one.get() == &other; });
    return is_same(other) && !(is_running && other.is_second);
  });
}
bool Server::is_overtaken(const Job& job) const {
  return !job.topic.empty() && find([&](const Job& other) {
                                 return other.client == job.client && other.topic == job.topic &&
                                        other.number > job.number;
                               }) != nullptr;
}

JobRef Server::take() {
  const auto found =
      std::ranges::find_if(waiting_, [&](const JobRef& job) { return !is_held(*job); });
  return found == waiting_.end() ? nullptr : take((*found)->number);
}
JobRef Server::take(Lane lane) {
  const auto found = std::ranges::find_if(
      waiting_, [&](const JobRef& job) { return job->lane == lane && !is_held(*job); });
  return found == waiting_.end() ? nullptr : take((*found)->number);
}
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
  // A token ends before the request that it came with.
  end_progress(*job);
  for (const std::string& message : job->messages) send_(job->client, message);
  if (!job->fault.empty()) tell_fault(*job);
  if (const auto link = links_.find(job->client); link != links_.end()) {
    link->second->session().note_answered(job->id);
    // What it goes on to would take the place of the later one, which knows more.
    if (job->enter && job->fault.empty() && !is_overtaken(*job)) job->enter();
  }
  return true;
}

}  // namespace komuz::lsp
