// SPDX-License-Identifier: Apache-2.0
// A window slides over the stream: bytes are appended behind, whole lines are taken in front. Each line is parsed by
// itself, so a malformed line harms no other.
#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>

#include "base/counts.h"
#include "engine/candidates/candidates.h"
#include "engine/support/json_fault.h"

namespace komuz::engine {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr size_t kReadBytes = size_t{1} << 20;

// The mark around the candidates, where a language model's answer was saved unchanged (a code fence, for example);
// empty if there is none.
std::string_view answer_mark(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
  if (line.starts_with("```") || line.starts_with("~~~")) return "a fence of Markdown";
  if (line.starts_with("<think>") || line.starts_with("</think>")) return "a mark of the thoughts";
  return {};
}

}  // namespace

struct JsonlCandidates::Stream {
  std::string file;
  ReadBytes read_bytes;
  AskRank ask_rank;
  u64 candidates = 0;        // taken
  std::vector<char> window;  // padded for simdjson behind `filled`
  size_t begin = 0;          // of the next line
  size_t scanned = 0;        // no line end in [begin, scanned)
  size_t filled = 0;
  u64 line = 0;            // lines taken
  bool at_end = false;     // of the stream
  u64 column = 0;          // position of the fault in the line; 0: the line as a whole
  bool is_open = false;    // the line taken last has no end: the stream ended first
  bool broke_off = false;  // the open line is no whole object
  bool skipping = false;   // inside a line that is too long
  u64 skipped = 0;         // bytes of it
  bool is_endless = false;
  ondemand::parser parser;

  [[nodiscard]] size_t find_line_end();
  // Takes the next whole line. False: more bytes are needed, or the end has come.
  bool take_line(std::string_view& text);
  // Waits for bytes. Sets at_end at the end.
  void fill();
  void read_line(std::string_view text, CandidateBatch& batch);
  // Returns why the line is no candidate; empty if it is one.
  std::string parse_line(std::string_view text, CandidateBatch& batch, Candidate& out);
  // True if the line is a request, which has then been passed on.
  bool is_rank_request = false;
  // Describes the fault of a line that simdjson has refused.
  std::string no_json(std::string_view text);
  // Returns `wrong`, unless the value was refused because the whole line is no JSON.
  std::string no_value(std::string_view text, std::string_view wrong);
};

bool JsonlCandidates::Stream::take_line(std::string_view& text) {
  const size_t end = find_line_end();
  if (end == filled) {
    // The byte behind a CR decides what the CR means.
    for (scanned = filled; scanned > begin && window[scanned - 1] == '\r';) --scanned;
    if (!at_end || begin == filled) return false;
    text = {window.data() + begin, filled - begin};
    begin = filled;
    is_open = true;
  } else {
    text = {window.data() + begin, end - begin};
    begin = scanned = end + 1;
  }
  // A byte order mark also stands inside, where one file was appended to another.
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  ++line;
  return true;
}

// The place of the next LF, or of a CR that no LF follows; `filled` if there is none yet. JSON has CRs only between
// its words.
size_t JsonlCandidates::Stream::find_line_end() {
  const char* const from = window.data() + scanned;
  const void* lf = filled == scanned ? nullptr : std::memchr(from, '\n', filled - scanned);
  const char* const end = lf == nullptr ? window.data() + filled : static_cast<const char*>(lf);
  const void* found =
      from == end ? nullptr : std::memchr(from, '\r', static_cast<size_t>(end - from));
  if (found != nullptr) {
    const char* const cr = static_cast<const char*>(found);
    const char* behind = cr;
    while (behind != end && *behind == '\r') ++behind;
    // CRs before the LF are blanks of its line.
    if (behind != end) return static_cast<size_t>(cr - window.data());
  }
  return static_cast<size_t>(end - window.data());
}

void JsonlCandidates::Stream::fill() {
  if (filled - begin > kMaxCandidateLine) {
    // Keep the line's first byte, which shows that there is a line, and forget the rest.
    skipped = (skipping ? skipped : 0) + (filled - begin);
    skipping = true;
    filled = scanned = begin + 1;
    if (skipped > kMostPassedOver) {
      is_endless = at_end = true;
      return;
    }
  }
  if (begin != 0) {
    std::memmove(window.data(), window.data() + begin, filled - begin);
    filled -= begin;
    scanned -= begin;
    begin = 0;
  }
  if (window.size() < filled + kReadBytes + simdjson::SIMDJSON_PADDING)
    window.resize(2 * filled + kReadBytes + simdjson::SIMDJSON_PADDING);
  const size_t got = read_bytes(std::span(window).subspan(filled, kReadBytes));
  filled += got;
  at_end = got == 0;
}

std::string JsonlCandidates::Stream::no_json(std::string_view text) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    return "the file is UTF-16, where candidates are UTF-8";
  if (const std::string_view mark = answer_mark(text); !mark.empty())
    return "this line is " + std::string(mark) + " of a model's answer, and no candidate";
  const std::optional<JsonFault> fault = find_json_fault(text);
  if (!fault) return "this line cannot be read as JSON";
  broke_off = is_open && fault->is_cut;
  column = fault->column;
  return fault->message;
}
std::string JsonlCandidates::Stream::no_value(std::string_view text, std::string_view wrong) {
  return find_json_fault(text) ? no_json(text) : std::string(wrong);
}

std::string JsonlCandidates::Stream::parse_line(std::string_view text, CandidateBatch& batch,
                                                Candidate& out) {
  if (skipping) {
    skipping = false;
    return "the line is longer than " + counted(kMaxCandidateLine, "byte");
  }
  const simdjson::padded_string_view padded(
      text.data(), text.size(), window.size() - static_cast<size_t>(text.data() - window.data()));
  ondemand::document document;
  ondemand::object object;
  simdjson::error_code error = parser.iterate(padded).get(document);
  if (error == simdjson::MEMALLOC) throw std::bad_alloc();
  if (!error) error = document.get_object().get(object);
  if (error) return no_json(text);
  bool has_source = false, has_other = false, has_rank = false, is_distinct = false;
  bool says_distinct = true;  // its field, if present, is a truth value
  i64 rank = 0;
  for (auto field : object) {
    std::string_view key, value;
    if ((error = field.unescaped_key().get(key))) return no_json(text);
    if (key == "source") {
      if (has_source) return "`source` stands here twice";
      if ((error = field.value().get_string().get(value)))
        return no_value(text, "`source` is no string");
      out.source = batch.keep(value);
      has_source = true;
    } else if (key == "id") {
      if (!out.id.empty()) return "`id` stands here twice";
      ondemand::json_type type;
      if ((error = field.value().type().get(type)))
        return no_value(text, "`id` is neither a string nor an integer");
      i64 number = 0;
      if (type == ondemand::json_type::string) {
        if ((error = field.value().get_string().get(value)))
          return no_value(text, "`id` is no valid string");
        out.id = batch.keep(value);
      } else if (!field.value().get_int64().get(number)) {
        out.id = batch.keep(std::to_string(number));
      } else {
        return no_value(text, "`id` is neither a string nor an integer of 64 bits");
      }
    } else if (key == "rank") {
      has_rank = true;
      if (field.value().get_int64().get(rank)) {
        rank = 0;
        has_other = true;
      }
    } else if (key == "distinct") {
      // Beside a program the field may hold anything.
      says_distinct = !field.value().get_bool().get(is_distinct);
      has_other = has_other || !says_distinct;
    } else {
      has_other = true;
    }
  }
  if (const char* rest = nullptr; document.current_location().get(rest) == simdjson::SUCCESS)
    return no_json(text);
  // simdjson skips the values that nobody asks for without checking them.
  if (has_other && find_json_fault(text)) return no_json(text);
  if (has_source) return "";
  if (!has_rank) return "there is no field `source`";
  if (!ask_rank)
    return "a line with `rank` and no `source` is answered by `komuz eval - --json -` alone";
  if (rank < 1 || rank > kMostRankRequest)
    return "`rank` is how many programs are wanted, from 1 to " + grouped(kMostRankRequest);
  if (!says_distinct) return "`distinct` is neither true nor false";
  std::string refusal =
      ask_rank({candidates, static_cast<u32>(rank), std::string(out.id), is_distinct});
  is_rank_request = refusal.empty();
  return refusal;
}

void JsonlCandidates::Stream::read_line(std::string_view text, CandidateBatch& batch) {
  if (text.find_first_not_of(" \t\r") == std::string_view::npos) return;
  Candidate candidate;
  column = 0;
  is_rank_request = false;
  const std::string reason = parse_line(text, batch, candidate);
  if (is_rank_request) return;
  if (!reason.empty()) {
    constexpr const char* kRemedy =
        R"(write an object a line, such as {"id": "a1", "source": "pub fn f() -> i64 { 1 }"})";
    candidate.source = {};
    candidate.error = batch.keep(input_problem({file, line, column}, reason, kRemedy).text());
  }
  if (candidate.id.empty()) candidate.id = batch.keep(std::to_string(line));
  batch.rows.push_back(candidate);
  ++candidates;
}

JsonlCandidates::JsonlCandidates(std::string_view file, ReadBytes read_bytes)
    : stream_(std::make_unique<Stream>()) {
  stream_->file = file;
  stream_->read_bytes = std::move(read_bytes);
}

JsonlCandidates::~JsonlCandidates() = default;

void JsonlCandidates::answer_ranks(AskRank ask) { stream_->ask_rank = std::move(ask); }

Problem JsonlCandidates::problem() const {
  if (stream_->is_endless)
    return input_problem({stream_->file, stream_->line},
                         "this line is longer than " + counted(kMostPassedOver, "byte") +
                             ", and nothing behind it is read",
                         "candidates are JSON Lines; a device, such as /dev/zero, has no end");
  if (!stream_->broke_off) return {};
  return input_problem({stream_->file, stream_->line},
                       "the candidates break off in the middle of this line",
                       "those before it were evaluated; what came behind it is missing");
}

// Returns the candidates it has as soon as it would have to wait, so that a producer that awaits answers gets them.
void JsonlCandidates::read(CandidateBatch& batch, size_t most) {
  const size_t before = batch.rows.size();
  std::string_view line;
  for (;;) {
    while (batch.rows.size() - before < most && batch.text_bytes() < kMaxBatchText) {
      if (!stream_->take_line(line)) break;
      stream_->read_line(line, batch);
    }
    if (batch.rows.size() != before || stream_->at_end) return;
    stream_->fill();
  }
}

}  // namespace komuz::engine
