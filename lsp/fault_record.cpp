// SPDX-License-Identifier: Apache-2.0
#include "lsp/fault_record.h"

#include "base/hash.h"
#include "lsp/record.h"
#include "lsp/server.h"
#include "lsp/wire/framing.h"

namespace komuz::lsp {
namespace {

std::string name_of(std::string_view record) {
  Hash128 hash;
  add_text(hash, record);
  return "faults/" + std::to_string(hash.low) + ".jsonl";
}

}  // namespace

std::string keep_fault(Files& files, std::string_view version, const FaultScene& scene,
                       const std::stop_token& stop) {
  std::string text;
  Record record([&](std::string_view line) { text += line; }, version, Faults::Told);
  RecordedFiles recorded(files, record);
  // A fault of this one is told, and not kept once more.
  Server server(
      recorded, std::string(version),
      [&](u32 client, std::string_view message) { record.sent(client, message); }, Faults::Told);
  const u32 client = server.connect();
  record.connected(client);
  const auto send = [&](const std::string& message) {
    const std::string bytes = framed(message);
    record.received(client, bytes);
    server.receive(client, bytes);
    while (const JobRef job = stop.stop_requested() ? nullptr : server.take()) {
      const std::stop_callback forward(stop, [&] { job->stop.request_stop(); });
      job->run();
      record.ran(job->number, job->found.get());
      static_cast<void>(server.finish(job));
    }
  };
  send(request_text("0", "initialize", *scene.initialize));
  send(notification_text("initialized", Json::object()));
  for (const DocumentRef& document : scene.documents.all())
    send(notification_text("textDocument/didOpen", {{"textDocument",
                                                     {{"uri", document->uri},
                                                      {"languageId", "komuz"},
                                                      {"version", document->version},
                                                      {"text", document->text}}}}));
  const Message& asked = *scene.asked;
  if (!asked.method.empty()) send(request_text(asked.id, asked.method, asked.params));
  return stop.stop_requested() ? std::string() : files.keep(name_of(text), text);
}

}  // namespace komuz::lsp
