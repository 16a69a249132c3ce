// SPDX-License-Identifier: Apache-2.0
#include "lsp/record.h"

#include <deque>
#include <exception>
#include <stdexcept>

#include "lsp/server.h"

namespace komuz::lsp {
namespace {

constexpr std::string_view kRecordName = "komuz lsp", kTold = "told", kFault = "fault";

// Bytes as characters of their numbers, and back.
std::string text_of_bytes(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) {
    const u8 code = static_cast<u8>(byte);
    if (code >= 0x80) text += static_cast<char>(0xC0 | code >> 6);
    text += static_cast<char>(code >= 0x80 ? 0x80 | (code & 0x3F) : code);
  }
  return text;
}
std::string bytes_of_text(std::string_view text) {
  std::string bytes;
  for (size_t k = 0; k < text.size(); ++k) {
    const u8 code = static_cast<u8>(text[k]);
    if (code < 0x80 || k + 1 == text.size()) {
      bytes += text[k];
      continue;
    }
    bytes += static_cast<char>((code & 3) << 6 | (static_cast<u8>(text[++k]) & 0x3F));
  }
  return bytes;
}

std::string text_of(const Json& line, std::string_view name) {
  const Json& found = member(line, name);
  return found.is_string() ? found.get<std::string>() : std::string();
}
u64 number_of(const Json& line, std::string_view name) {
  const Json& found = member(line, name);
  return found.is_number_unsigned() ? found.get<u64>() : 0;
}

// What files said.
class NotedFiles final : public Files {
 public:
  void note(const Json& line) {
    for (const std::string_view what : {"read", "limited", "real", "list", "all", "folder", "keep"})
      if (line.contains(what)) noted_[key(what, text_of(line, what))] = line.at("value");
  }
  std::optional<std::string> read(const std::string& path) override {
    const Json& value = find("read", path);
    if (value.is_object()) throw std::runtime_error(text_of(value, kFault));
    return value.is_string() ? std::optional(bytes_of_text(value.get<std::string>()))
                             : std::nullopt;
  }
  Limited read_limited(const std::string& path, size_t /*most*/) override {
    const Json& value = find("limited", path);
    if (value.is_string()) return {Limited::State::There, bytes_of_text(value.get<std::string>())};
    const auto state = value.is_number_unsigned() ? value.get<u64>() : 0;
    constexpr auto kLast = static_cast<u64>(Limited::State::TooLarge);
    return {
        state == 0 || state > kLast ? Limited::State::Missing : static_cast<Limited::State>(state),
        {}};
  }
  std::string real_path(const std::string& path) override {
    const Json& value = find("real", path);
    return value.is_string() ? value.get<std::string>() : path;
  }
  std::vector<std::string> list_modules(const std::string& folder) override {
    return names("list", folder);
  }
  std::vector<std::string> list_folder(const std::string& folder) override {
    return names("folder", folder);
  }
  bool lists_all(const std::string& folder) override { return find("all", folder) != false; }
  std::string keep(const std::string& name, std::string_view /*text*/) override {
    const Json& value = find("keep", name);
    return value.is_string() ? value.get<std::string>() : std::string();
  }

 private:
  static std::string key(std::string_view what, std::string_view name) {
    return std::string(what) + " " + std::string(name);
  }
  std::vector<std::string> names(std::string_view what, const std::string& folder) const {
    std::vector<std::string> names;
    for (const Json& name : find(what, folder))
      if (name.is_string()) names.push_back(name.get<std::string>());
    return names;
  }
  const Json& find(std::string_view what, const std::string& name) const {
    static const Json nothing;
    const auto found = noted_.find(key(what, name));
    return found == noted_.end() ? nothing : found->second;
  }
  std::unordered_map<std::string, Json> noted_;
};

class Replay {
 public:
  Replay(std::string_view version, Faults faults)
      : server_(
            files_, std::string(version),
            [this](u32 client, std::string_view message) {
              sent_.push_back({client, std::string(message)});
            },
            faults) {}

  // False: it went another way.
  bool play(const Json& line) {
    // Files are read by another thread than the one that sends.
    if (line.contains("value")) {
      files_.note(line);
      return true;
    }
    if (line.contains("sent")) return compare(line);
    // What was sent before something else happened is all of it.
    if (!sent_.empty()) return fail("the record has no `" + sent_.front().message + "`");
    if (line.contains("connect")) {
      static_cast<void>(server_.connect());
    } else if (line.contains("bytes")) {
      server_.receive(static_cast<u32>(number_of(line, "client")),
                      bytes_of_text(text_of(line, "bytes")));
    } else if (line.contains("took")) {
      const u64 number = number_of(line, "took");
      if (taken_[number] = server_.take(number); taken_[number] == nullptr)
        return fail("there is no such job");
    } else if (line.contains("told")) {
      server_.tell_progress(number_of(line, "told"), member(line, "of"));
    } else if (line.contains("ran")) {
      const JobRef job = take_ended(number_of(line, "ran"));
      if (job == nullptr) return fail("there is no such job");
      if (job->found != nullptr) {
        *job->found = text_of(line, "found");
        job->is_given = true;
      }
      if (!job->is_needless) job->run();
      static_cast<void>(server_.finish(job));
    } else if (line.contains("disconnect")) {
      server_.disconnect(static_cast<u32>(number_of(line, "disconnect")));
    }
    return true;
  }
  // Nothing may be left.
  bool end() { return sent_.empty() || fail("the record has no `" + sent_.front().message + "`"); }
  Replayed result;

 private:
  struct Sent {
    u32 client;
    std::string message;
  };
  bool fail(std::string problem) {
    result.problem = std::move(problem);
    return false;
  }
  // A record of faults does not say when jobs began: there each ends before anything else happens.
  JobRef take_ended(u64 number) {
    const auto taken = taken_.extract(number);
    return taken.empty() ? server_.take(number) : taken.mapped();
  }
  bool compare(const Json& line) {
    const Sent wanted{static_cast<u32>(number_of(line, "client")), text_of(line, "sent")};
    if (sent_.empty()) return fail("nothing was sent in the place of `" + wanted.message + "`");
    const Sent now = std::move(sent_.front());
    sent_.pop_front();
    if (now.client != wanted.client || now.message != wanted.message)
      return fail("`" + now.message + "` was sent in the place of `" + wanted.message + "`");
    ++result.messages;
    return true;
  }

  NotedFiles files_;
  std::deque<Sent> sent_;
  std::unordered_map<u64, JobRef> taken_;  // that have begun
  Server server_;
};

}  // namespace

Record::Record(Write write, std::string_view version, Faults faults) : write_(std::move(write)) {
  Json head = {{"record", kRecordName}, {"version", version}};
  if (faults == Faults::Told) head["faults"] = kTold;
  this->write(head);
}
void Record::write(const Json& line) {
  const std::string text = json_text(line) + "\n";
  const std::scoped_lock lock(mutex_);
  write_(text);
}
void Record::connected(u32 client) { write({{"connect", client}}); }
void Record::received(u32 client, std::string_view bytes) {
  write({{"client", client}, {"bytes", text_of_bytes(bytes)}});
}
void Record::took(u64 job) { write({{"took", job}}); }
void Record::told(u64 job, const Json& value) { write({{"told", job}, {"of", value}}); }
void Record::ran(u64 job, const std::string* found) {
  Json line = {{"ran", job}};
  if (found != nullptr) line["found"] = *found;
  write(line);
}
void Record::sent(u32 client, std::string_view message) {
  write({{"client", client}, {"sent", message}});
}
void Record::disconnected(u32 client) { write({{"disconnect", client}}); }
void Record::note(std::string_view what, const std::string& name, const Json& value) {
  {
    const std::scoped_lock lock(mutex_);
    const auto [known, is_new] = noted_.try_emplace(std::string(what) + " " + name, value);
    if (!is_new && known->second == value) return;
    known->second = value;
  }
  write({{what, name}, {"value", value}});
}

std::optional<std::string> RecordedFiles::read(const std::string& path) {
  std::optional<std::string> text;
  try {
    text = files_.read(path);
  } catch (const std::exception& fault) {
    record_.note("read", path, {{kFault, fault.what()}});
    throw;
  }
  record_.note("read", path, text ? Json(text_of_bytes(*text)) : Json());
  return text;
}
Files::Limited RecordedFiles::read_limited(const std::string& path, size_t most) {
  Limited limited = files_.read_limited(path, most);
  record_.note("limited", path,
               limited.state == Limited::State::There ? Json(text_of_bytes(limited.text))
                                                      : Json(static_cast<u32>(limited.state)));
  return limited;
}
std::string RecordedFiles::real_path(const std::string& path) {
  std::string real = files_.real_path(path);
  record_.note("real", path, real);
  return real;
}
std::vector<std::string> RecordedFiles::list_modules(const std::string& folder) {
  std::vector<std::string> paths = files_.list_modules(folder);
  record_.note("list", folder, paths);
  return paths;
}
bool RecordedFiles::lists_all(const std::string& folder) {
  const bool lists = files_.lists_all(folder);
  record_.note("all", folder, lists);
  return lists;
}
std::vector<std::string> RecordedFiles::list_folder(const std::string& folder) {
  std::vector<std::string> names = files_.list_folder(folder);
  record_.note("folder", folder, names);
  return names;
}
std::string RecordedFiles::keep(const std::string& name, std::string_view text) {
  std::string path = files_.keep(name, text);
  record_.note("keep", name, path);
  return path;
}

Replayed replay(std::string_view record, std::string_view version) {
  const Json head = Json::parse(record.substr(0, record.find('\n')), nullptr, false);
  Replay replay(version, text_of(head, "faults") == kTold ? Faults::Told : Faults::Kept);
  u64 number = 0;
  const auto fail = [&](const std::string& problem) {
    Replayed failed;
    failed.messages = replay.result.messages;
    failed.problem = "line " + std::to_string(number) + ": " + problem;
    return failed;
  };
  const auto refuse = [&](const std::string& problem) {
    Replayed refused = fail(problem);
    refused.is_record = false;
    return refused;
  };
  while (!record.empty()) {
    const std::string_view text = record.substr(0, record.find('\n'));
    record.remove_prefix(std::min(record.size(), text.size() + 1));
    ++number;
    const Json line = Json::parse(text, nullptr, false);
    // The last line of a run that was ended may be cut.
    if (!line.is_object() && record.empty()) break;
    if (!line.is_object()) return refuse("it is no object");
    if (number == 1 && text_of(line, "record") != kRecordName)
      return refuse("this is no record of `komuz lsp --record`");
    if (!replay.play(line)) return fail(replay.result.problem);
  }
  if (number == 0) return refuse("the record is empty");
  if (!replay.end()) return fail(replay.result.problem);
  return replay.result;
}

}  // namespace komuz::lsp
