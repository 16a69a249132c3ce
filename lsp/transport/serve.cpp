// SPDX-License-Identifier: Apache-2.0
#include "lsp/transport/serve.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <csignal>
#include <map>
#include <thread>

#include "lsp/server.h"
#include "lsp/transport/connection.h"
#include "lsp/transport/live_server.h"
#include "lsp/transport/process_watch.h"
#include "lsp/transport/web_visit.h"
#include "lsp/transport/worker.h"
#include "lsp/web/door.h"
#include "lsp/web/token.h"

namespace komuz::lsp {
namespace {

namespace asio = boost::asio;
using Descriptor = asio::posix::stream_descriptor;
using Error = boost::system::error_code;

// What is kept for a client that does not read, before its jobs wait. An answer may be as large as it is.
constexpr u64 kMostUnwrittenBytes = u64{8} << 20;
// Jobs of a client that wait, before no more is read from it. Each keeps the texts that it is about. No editor asks so much at once.
constexpr size_t kMostWaitingJobs = 1024;

// Whoever else has the stream finds it as it was.
class KeptFlags {
 public:
  explicit KeptFlags(int stream) : stream_(stream), flags_(fcntl(stream, F_GETFL)) {}
  ~KeptFlags() {
    if (flags_ >= 0) static_cast<void>(fcntl(stream_, F_SETFL, flags_));
  }
  KeptFlags(const KeptFlags&) = delete;
  KeptFlags& operator=(const KeptFlags&) = delete;

 private:
  int stream_, flags_;
};

class Process {
 public:
  Process(Files& files, const Serving& serving)
      : serving_(serving),
        server_(files, serving.version,
                [this](u32 client, std::string_view message) { send(client, message); }),
        answers_(Worker::Priority::Normal, take_back()),
        evaluations_(Worker::Priority::Low, take_back()),
        searches_(Worker::Priority::Low, take_back()),
        faults_(Worker::Priority::Low, take_back()) {}

  // For a session: clients by TCP alone, on a thread of its own.
  [[nodiscard]] std::string listen(u16 port) { return listen_tcp(port); }
  void loop() { loop_.run(); }
  void stop() { loop_.stop(); }
  void show(services::LiveRef live) {
    asio::post(loop_, [this, live = std::move(live)]() mutable {
      server_.look_at(std::move(live));
      for (const auto& [number, client] : clients_) hold_back(number);
      give_jobs();
    });
  }
  void set_take_input(Server::TakeInput take) { server_.set_take_input(std::move(take)); }
  [[nodiscard]] u32 clients() const { return client_count_; }

  Served run() {
    const KeptFlags in(STDIN_FILENO), out(STDOUT_FILENO);
    if (serving_.parent) others_.add(*serving_.parent);
    Served served;
    if (serving_.tcp_port)
      served.problem = listen_tcp(*serving_.tcp_port);
    else if (serving_.web_port)
      served.problem = listen_web(*serving_.web_port);
    else if (!serving_.socket.empty())
      served.problem = listen_local(serving_.socket);
    else
      talk_on_standard_streams();
    // Whoever says nothing more leaves nothing to wait for, while a thread still works at the answers.
    const auto waits_for_threads = asio::make_work_guard(loop_);
    if (served.problem.empty()) loop_.run();
    served.exit = exit_;
    if (!serving_.socket.empty() && served.problem.empty()) unlink(serving_.socket.c_str());
    return served;
  }

 private:
  struct Client {
    std::shared_ptr<Connection> connection;
    bool is_all = false;         // the process ends with it
    bool has_input_end = false;  // it says nothing more
  };

  void talk_on_standard_streams() {
    auto in = std::make_shared<Descriptor>(loop_, dup(STDIN_FILENO));
    auto out = std::make_shared<Descriptor>(loop_, dup(STDOUT_FILENO));
    open(in, out, true);
  }
  std::string listen_tcp(u16 port) {
    Error error;
    const auto acceptor = bound_port(port, error);
    if (error) return "cannot listen on port " + std::to_string(port) + ": " + error.message();
    if (serving_.on_ready)
      serving_.on_ready("127.0.0.1:" + std::to_string(acceptor->local_endpoint(error).port()));
    accept<asio::ip::tcp::socket>(acceptor, [this](const auto& socket) { open(socket, socket); });
    return {};
  }
  std::string listen_web(u16 port) {
    std::string token = new_token();
    if (token.empty()) return "the system gives no random numbers, which the address needs";
    Error error;
    const auto acceptor = bound_port(port, error);
    if (error) return "cannot listen on port " + std::to_string(port) + ": " + error.message();
    door_.emplace(acceptor->local_endpoint(error).port(), std::move(token), serving_.has_page);
    if (serving_.on_ready) serving_.on_ready(door_->address());
    visits_.emplace(*door_, [this](const MakeConnection& make) { admit(make, false); });
    accept<asio::ip::tcp::socket>(
        acceptor, [this](const auto& socket) { visits_->receive(std::move(*socket)); });
    return {};
  }
  std::shared_ptr<asio::ip::tcp::acceptor> bound_port(u16 port, Error& error) {
    auto acceptor = std::make_shared<asio::ip::tcp::acceptor>(loop_);
    const asio::ip::tcp::endpoint here(asio::ip::address_v4::loopback(), port);
    static_cast<void>(acceptor->open(here.protocol(), error));
    if (!error) acceptor->set_option(asio::socket_base::reuse_address(true), error);
    if (!error) acceptor->bind(here, error);
    if (!error) acceptor->listen(asio::socket_base::max_listen_connections, error);
    return acceptor;
  }
  std::string listen_local(const std::string& path) {
    Error error;
    if (path.size() >= sizeof(sockaddr_un::sun_path))
      return "the path of a socket has at most " +
             std::to_string(sizeof(sockaddr_un::sun_path) - 1) + " bytes";
    struct stat status {};
    if (lstat(path.c_str(), &status) == 0 && S_ISSOCK(status.st_mode)) {
      asio::local::stream_protocol::socket other(loop_);
      static_cast<void>(other.connect(path, error));
      if (!error) return "another process listens on " + path + "; name another path";
      // A process left it behind. What is no socket stays.
      unlink(path.c_str());
      error.clear();
    }
    auto acceptor = std::make_shared<asio::local::stream_protocol::acceptor>(loop_);
    static_cast<void>(acceptor->open(asio::local::stream_protocol(), error));
    // It has its mode from the moment that it is there.
    const mode_t mask = umask(S_IRWXG | S_IRWXO | S_IXUSR);
    if (!error) acceptor->bind(asio::local::stream_protocol::endpoint(path), error);
    umask(mask);
    if (!error) acceptor->listen(asio::socket_base::max_listen_connections, error);
    if (error) return "cannot listen on " + path + ": " + error.message();
    if (serving_.on_ready) serving_.on_ready(path);
    accept<asio::local::stream_protocol::socket>(
        acceptor, [this](const auto& socket) { open(socket, socket); });
    return {};
  }
  template <class Socket, class Acceptor, class Take>
  void accept(const std::shared_ptr<Acceptor>& acceptor, Take take) {
    auto socket = std::make_shared<Socket>(loop_);
    acceptor->async_accept(*socket, [this, acceptor, socket, take](const Error& error) {
      if (error == asio::error::operation_aborted) return;
      if (!error) take(socket);
      // One that has gone already leaves room for the next.
      if (!error || error == asio::error::connection_aborted) return accept<Socket>(acceptor, take);
      // There are no more descriptors, and asking on would take all of a core.
      pause_.expires_after(std::chrono::seconds(1));
      pause_.async_wait([this, acceptor, take](const Error& stopped) {
        if (!stopped) accept<Socket>(acceptor, take);
      });
    });
  }

  template <class In, class Out>
  void open(const std::shared_ptr<In>& in, const std::shared_ptr<Out>& out, bool is_all = false) {
    const auto make = [&](Events events) {
      return std::make_shared<StreamConnection<In, Out>>(in, out, std::move(events));
    };
    admit(make, is_all);
  }
  void admit(const MakeConnection& make, bool is_all) {
    const u32 number = server_.connect();
    if (serving_.record) serving_.record->connected(number);
    const std::shared_ptr<Connection> connection =
        make({[this, number](std::string_view bytes) { take(number, bytes); },
              [this, number] {
                clients_[number].has_input_end = true;
                end_if_over(number);
              },
              [this, number] {
                hold_back(number);
                give_jobs();
              },
              [this, number] { gone(number); }});
    clients_[number] = {connection, is_all};
    client_count_ = static_cast<u32>(clients_.size());
    connection->start();
  }
  void take(u32 number, std::string_view bytes) {
    if (serving_.record) serving_.record->received(number, bytes);
    server_.receive(number, bytes);
    if (const auto process = server_.process_of(number); process && clients_[number].is_all)
      others_.add(*process);
    end_if_over(number);
    hold_back(number);
    give_jobs();
  }
  // Who reads no answers gets no more of them: jobs wait, and so does the client when its stream is full. So does who asks faster than
  // it is answered. Nothing is lost, and what is kept for a client is bounded.
  void hold_back(u32 number) {
    const auto client = clients_.find(number);
    if (client == clients_.end()) return;
    Connection& connection = *client->second.connection;
    const bool is_full = connection.unwritten() > kMostUnwrittenBytes;
    server_.hold(number, is_full);
    if (is_full || server_.waiting_jobs(number) > kMostWaitingJobs)
      connection.pause_reading();
    else
      connection.go_on_reading();
  }
  void end_if_over(u32 number) {
    const auto client = clients_.find(number);
    if (client == clients_.end()) return;
    const bool is_over = server_.end_of(number).has_value();
    // What was asked before is answered.
    if (!is_over && (!client->second.has_input_end || server_.has_jobs(number))) return;
    // It is gone behind that.
    const std::shared_ptr<Connection> connection = client->second.connection;
    connection->end();
  }
  void gone(u32 number) {
    const auto client = clients_.find(number);
    if (client == clients_.end()) return;
    const bool is_all = client->second.is_all;
    if (is_all) exit_ = server_.end_of(number).value_or(server_.end_without_exit(number));
    if (serving_.record) serving_.record->disconnected(number);
    server_.disconnect(number);
    clients_.erase(client);
    client_count_ = static_cast<u32>(clients_.size());
    if (is_all) loop_.stop();
  }

  void send(u32 number, std::string_view message) {
    if (serving_.record) serving_.record->sent(number, message);
    if (const auto client = clients_.find(number); client != clients_.end())
      client->second.connection->send(message);
  }
  std::function<void(JobRef job)> take_back() {
    return [this](JobRef job) { asio::post(loop_, [this, job = std::move(job)] { done(job); }); };
  }
  Worker& worker_of(Lane lane) {
    switch (lane) {
      case Lane::Answers: break;
      case Lane::Evaluations: return evaluations_;
      case Lane::Searches: return searches_;
      case Lane::Faults: return faults_;
    }
    return answers_;
  }
  void give_jobs() {
    for (const Lane lane : {Lane::Answers, Lane::Evaluations, Lane::Searches, Lane::Faults}) {
      Worker& worker = worker_of(lane);
      if (!worker.is_idle()) continue;
      JobRef job = server_.take(lane);
      if (job == nullptr) continue;
      if (serving_.record) serving_.record->took(job->number);
      job->progress->attach([this, number = job->number](Json value) {
        asio::post(loop_, [this, number, value = std::move(value)] { tell(number, value); });
      });
      worker.give(std::move(job));
    }
  }
  void tell(u64 job, const Json& value) {
    if (serving_.record) serving_.record->told(job, value);
    server_.tell_progress(job, value);
  }
  void done(const JobRef& job) {
    worker_of(job->lane).took_back();
    if (serving_.record) serving_.record->ran(job->number, job->found.get());
    static_cast<void>(server_.finish(job));
    end_if_over(job->client);
    hold_back(job->client);
    give_jobs();
  }

  const Serving& serving_;
  asio::io_context loop_{1};
  Server server_;
  std::map<u32, Client> clients_;
  std::atomic<u32> client_count_ = 0;  // for other threads
  std::optional<WebDoor> door_;
  std::optional<WebVisits> visits_;
  asio::steady_timer pause_{loop_};
  // Processes that it ends with: `--parent`, and what the client says.
  ProcessWatch others_{loop_, [this] { loop_.stop(); }};
  int exit_ = 0;
  // End first: what they have done is of no use any more.
  Worker answers_, evaluations_, searches_, faults_;
};

}  // namespace

Served serve(Files& files, const Serving& serving) { return Process(files, serving).run(); }

namespace {

// Signals are for the thread that has the terminal: threads inherit what is blocked.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

struct LiveServer::Running {
  Running(Files& files, std::string version) {
    serving.version = std::move(version);
    serving.on_ready = [this](std::string_view where) {
      const std::string digits(where.substr(where.rfind(':') + 1));
      port = static_cast<u16>(std::stoul(digits));
    };
    process.emplace(files, serving);
  }

  Serving serving;
  u16 port = 0;
  std::optional<Process> process;
  std::thread loop;
};

LiveServer::LiveServer(Files& files, std::string version, std::function<bool(std::string)> on_input)
    : files_(files), version_(std::move(version)), on_input_(std::move(on_input)) {}
LiveServer::~LiveServer() { end(); }

std::string LiveServer::listen(u16 port) {
  const BlockedSignals blocked;
  auto running = std::make_unique<Running>(files_, version_);
  running->process->set_take_input(on_input_);
  if (std::string problem = running->process->listen(port); !problem.empty()) return problem;
  running->loop = std::thread([process = &*running->process] { process->loop(); });
  running_ = std::move(running);
  return {};
}
void LiveServer::end() {
  if (running_ == nullptr) return;
  running_->process->stop();
  running_->loop.join();
  running_.reset();
}
u16 LiveServer::port() const { return running_ == nullptr ? 0 : running_->port; }
u32 LiveServer::clients() const { return running_ == nullptr ? 0 : running_->process->clients(); }
void LiveServer::show(services::LiveRef live) {
  if (running_ != nullptr) running_->process->show(std::move(live));
}

}  // namespace komuz::lsp
