// SPDX-License-Identifier: Apache-2.0
// A record of a run of the server, and the same run again. A record is lines of JSON:
//
//   {"record":"komuz lsp","version":"0.2.0"}   with "faults":"told" of a record that the server has made of a fault (fault_record.h)
//   {"connect":1}
//   {"client":1,"bytes":"Content-Length: …"}   as they came; a byte is the character of its number
//   {"read":"/a/b.komuz","value":"…"}          what a file said, when that was new: null: it was not there. Also "real", "list", "all",
//                                              "keep", and of files of limited size "limited": a number says why there is no text
//   {"took":3}                                 job 3 began: from here on an edit stops it, or lets it end (Server::take)
//   {"told":3,"of":{"kind":"report",…}}        job 3 has said how far it is
//   {"ran":3}                                  job 3 ended: what it sent follows, unless it was needless by then. One that follows the
//                                              clock has `found`, what it found
//   {"client":1,"sent":"{…}"}
//   {"disconnect":1}
//
// All that the server does follows from these. Played again, jobs begin and end where the record says so, are done by
// the thread that plays, and what is sent is compared.
#pragma once
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "lsp/client/job.h"
#include "lsp/project/files.h"
#include "lsp/wire/json_text.h"

namespace komuz::lsp {

// Writes lines. Any thread may.
class Record {
 public:
  using Write = std::function<void(std::string_view line)>;
  // `faults`: as the server that is recorded takes them.
  Record(Write write, std::string_view version, Faults faults = Faults::Kept);
  void connected(u32 client);
  void received(u32 client, std::string_view bytes);
  void took(u64 job);
  void told(u64 job, const Json& value);
  // `found`: of a job that depends on the clock; else null.
  void ran(u64 job, const std::string* found = nullptr);
  void sent(u32 client, std::string_view message);
  void disconnected(u32 client);
  // What a file says, if it is not what it said last.
  void note(std::string_view what, const std::string& name, const Json& value);

 private:
  void write(const Json& line);

  std::mutex mutex_;
  Write write_;
  std::unordered_map<std::string, Json> noted_;
};

// Files whose answers are recorded.
class RecordedFiles final : public Files {
 public:
  // These outlive it.
  RecordedFiles(Files& files, Record& record) : files_(files), record_(record) {}
  [[nodiscard]] std::optional<std::string> read(const std::string& path) override;
  [[nodiscard]] Limited read_limited(const std::string& path, size_t most) override;
  [[nodiscard]] std::string real_path(const std::string& path) override;
  [[nodiscard]] std::vector<std::string> list_modules(const std::string& folder) override;
  [[nodiscard]] bool lists_all(const std::string& folder) override;
  [[nodiscard]] std::vector<std::string> list_folder(const std::string& folder) override;
  [[nodiscard]] std::string keep(const std::string& name, std::string_view text) override;

 private:
  Files& files_;
  Record& record_;
};

struct Replayed {
  u64 messages = 0;     // that were sent, and the same
  std::string problem;  // the first that was not, or what is wrong with the record; empty: nothing
  bool is_record = true;
};
[[nodiscard]] Replayed replay(std::string_view record, std::string_view version);

}  // namespace komuz::lsp
