// SPDX-License-Identifier: Apache-2.0
#include "engine/cases/unpack.h"

#include <zlib.h>

#include <algorithm>
#include <new>

#include "base/counts.h"
#include "engine/cases/cases_table.h"

namespace komuz::engine {
namespace {

constexpr int kGzipAlone = 16 + MAX_WBITS;  // zlib's sign for gzip's header and trailer
constexpr size_t kStep = size_t{1} << 18;

class Inflater {
 public:
  Inflater() { is_open_ = inflateInit2(&stream_, kGzipAlone) == Z_OK; }
  ~Inflater() {
    if (is_open_) inflateEnd(&stream_);
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  [[nodiscard]] bool is_open() const { return is_open_; }
  // Goes on with the next member.
  void begin_member() { inflateReset(&stream_); }
  // Takes bytes from the front of `packed`, and appends at most kStep bytes.
  int step(std::string_view& packed, std::string& out) {
    const size_t given = std::min(packed.size(), kStep), before = out.size();
    out.resize(before + kStep);
    // zlib does not write there; its type has no const.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream_.avail_in = static_cast<uInt>(given);
    stream_.next_out = reinterpret_cast<Bytef*>(out.data() + before);
    stream_.avail_out = kStep;
    const int result = inflate(&stream_, Z_NO_FLUSH);
    packed.remove_prefix(given - stream_.avail_in);
    out.resize(before + kStep - stream_.avail_out);
    return result;
  }

 private:
  z_stream stream_{};
  bool is_open_ = false;
};

// What the last member says of its size, which is that of all where there is one, as far as so many bytes can hold it.
size_t size_in_trailer(std::string_view packed) {
  constexpr size_t kMostTimes = 1032;  // of deflate
  u32 size = 0;
  if (packed.size() < sizeof size) return 0;
  for (size_t k = 1; k <= sizeof size; ++k)
    size = size << 8 | static_cast<u8>(packed[packed.size() - k]);
  return std::min<size_t>(size, packed.size() * kMostTimes);
}

// Blocks of tapes are filled up with zeros.
bool is_padding(std::string_view rest) {
  return rest.find_first_not_of('\0') == std::string_view::npos;
}

}  // namespace

Problem unpack_gzip(std::string_view file, std::string_view packed, size_t most, const Watch& watch,
                    std::string& out) {
  out.clear();
  const auto wrong = [&](std::string message, std::string remedy) {
    return input_problem({std::string(file)}, std::move(message), std::move(remedy));
  };
  Inflater inflater;
  if (!inflater.is_open()) throw std::bad_alloc();
  out.reserve(std::min(size_in_trailer(packed), most) + 2 * kStep);
  WatchedLoop loop(watch, packed.size(), "bytes", WatchedLoop::kBytes);
  std::string_view rest = packed;
  size_t line = 0;  // where the last line begins
  for (;;) {
    if (loop.is_stopped(packed.size() - rest.size())) return stopped();
    const size_t before = out.size(), left = rest.size();
    const int result = inflater.step(rest, out);
    if (result == Z_MEM_ERROR) throw std::bad_alloc();
    if (out.size() > most)
      return wrong("the file is packed by gzip, and has more than " + counted(most, "byte") +
                       " when it is unpacked, the most that is read",
                   "is it the right file?");
    const size_t end = std::string_view(out).substr(before).find_last_of("\r\n");
    if (end != std::string_view::npos) line = before + end + 1;
    if (out.size() - line > 2 * kMaxCaseLine) return {};
    if (result == Z_STREAM_END) {
      if (is_padding(rest)) return {};
      if (!is_gzip(rest))
        return wrong("behind the data of gzip there are " + counted(rest.size(), "byte") +
                         " of something else",
                     "pack the file again");
      inflater.begin_member();
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      return wrong("the file is packed by gzip, and is damaged", "`gzip -t` tests such a file");
    } else if (left == rest.size() && out.size() == before) {
      return wrong("the file is packed by gzip, and its end is missing",
                   "copy it again; `gzip -t` tests such a file");
    }
  }
}

}  // namespace komuz::engine
