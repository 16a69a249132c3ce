// SPDX-License-Identifier: Apache-2.0
// Writes the text of a variant for the front end of a device, in one thread.
#pragma once
#include "engine/device/expand_task.h"

namespace komuz::engine {

class VariantTextWriter {
 public:
  HD_CALL VariantTextWriter(const ExpandTask& task, u8* memory)
      : VariantTextWriter(task, RowsMemory(memory)) {}

  [[nodiscard]] static size_t bytes(const ExpandRoom& room) {
    return VariantDecoder::bytes(room.decoder) + Filling<Bounded>::bytes(room.filling);
  }

  // A variant that is not Done has no text.
  template <class Machine>
  HD_CALL void run(const ExpandTask& task, u32 variant, const Machine& machine) {
    const u64 begin = u64{variant} * task.room.text;
    Rows<char> text(task.texts + begin, task.room.text - kEnd);
    const Made made = write(task, variant, text);
    if (made != Made::Done) {
      text.clear();
      count_left(task.counts->made, made, machine);
    }
    const auto bytes = static_cast<u32>(text.size());
    task.programs[variant] = {begin, bytes, variant};
    machine.max_into(task.counts->longest_text, bytes);
    machine.fetch_add(task.counts->text_bytes, end_source(task.texts + begin, bytes));
  }

 private:
  static constexpr u32 kEnd = 8;  // bytes at most behind a source

  HD VariantTextWriter(const ExpandTask& task, RowsMemory memory)
      : decoder_(memory, task.room.decoder), filling_(memory, task.room.filling) {}

  HD_CALL Made write(const ExpandTask& task, u32 variant, Rows<char>& text) {
    const Made decoded = decoder_.decode_of_stretch(task.variants, task.stretch, variant);
    if (decoded != Made::Done) return decoded;
    NoPlaces places;
    const Walked written = filling_.write(task.fill, decoder_.variant(), text, places);
    if (written != Walked::Done) return VariantDecoder::made_of(written);
    const std::span<const char> behind = task.interfaces;
    if (!append_bytes(text, behind.data(), static_cast<u32>(behind.size()))) return Made::NoRoom;
    return text.size() <= frontend::kMaxDeviceBytes ? Made::Done : Made::Left;
  }

  // Appends a line end and blanks (packed.h). Returns the length with these.
  HD static u32 end_source(char* source, u32 bytes) {
    const u32 end = bytes / 8 * 8 + 8;
    for (u32 k = bytes; k < end; ++k) source[k] = k == bytes ? '\n' : ' ';
    return end;
  }

  VariantDecoder decoder_;
  Filling<Bounded> filling_;
};

}  // namespace komuz::engine
