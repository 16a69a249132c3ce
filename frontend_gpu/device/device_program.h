// SPDX-License-Identifier: Apache-2.0
// Compiles one program on one group of a device, from source to code. It is written once for warps, blocks and the
// emulator. The source is read once, columns lie in the memory of the multiprocessor if they fit, and code is
// written once.
#pragma once
#include "frontend_gpu/code/headers.h"
#include "frontend_gpu/device/device_columns.h"
#include "frontend_gpu/device/device_result.h"
#include "frontend_gpu/groups/pipeline.h"
#include "frontend_gpu/text/byte_classes.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// Where the code and messages of all programs go. Each program takes the next bytes.
struct DeviceOutput {
  u8* bytes;
  u64* used;
  u64 capacity;
};

// A program as the host packs it: aligned to 8 bytes, with a line end and blanks behind it up to a multiple of 8.
struct DeviceSource {
  const u8* text;
  u32 bytes;
};

// How many nodes, items and brackets tokens make, and how many of the nodes may be names.
struct RoomSum {
  LayoutSum layout;
  u32 names = 0;
};
struct RoomToken {
  LayoutToken layout;
  u32 names = 0;
};
HD RoomSum combine(const RoomSum& a, const RoomToken& b) {
  return {combine(a.layout, b.layout), a.names + b.names};
}
HD RoomSum combine(const RoomSum& a, const RoomSum& b) {
  return {combine(a.layout, b.layout), a.names + b.names};
}

template <class G>
class DeviceProgram {
 public:
  HD DeviceProgram(G& g, const Tables& t, const DeviceSource& source, const GroupMemory& memory,
                   const DeviceOutput& output)
      : g_(g), t_(t), source_(source), memory_(memory), output_(output) {}

  HD void compile(DeviceResult& result) {
    r_ = DeviceResult{};
    r_.end = lex_and_analyse();
    g_.once([&] { result = r_; });
  }
  // Runs up to the text's identity.
  HD void lex(DeviceResult& result) {
    r_ = DeviceResult{};
    Room room(memory_.near, memory_.near_bytes);
    r_.end = find(room) ? DeviceEnd::Done : DeviceEnd::Waiting;
    g_.once([&] { result = r_; });
  }

 private:
  HD DeviceEnd lex_and_analyse() {
    Room near(memory_.near, memory_.near_bytes), far(memory_.far, memory_.far_bytes);
    const bool is_near = find(near);
    if (!is_near && !find(far)) return DeviceEnd::Waiting;
    if (c_.tokens == 0) return DeviceEnd::Done;
    ListSizes sizes;
    if (!measure(sizes)) return DeviceEnd::TooManyNodes;
    (is_near ? near : far).return_top(block_bytes());
    if (!place(sizes, near, far)) return DeviceEnd::Waiting;
    analyse_tokens();
    if (c_.functions > kRowFunctions) return DeviceEnd::TooManyFunctions;
    if (c_.flags[kFailed] == 0) {
      const DeviceEnd end = generate();
      if (end != DeviceEnd::Done) return end;
    }
    if ((c_.flags[kFailed] | c_.flags[kNoted]) != 0 && !hand_back_messages())
      return DeviceEnd::NoOutput;
    return DeviceEnd::Done;
  }

  // The steps are separate functions, because ptxas takes much longer for one large function.
  HD_COLD void analyse_tokens() { analyse(g_, c_, t_); }
  [[nodiscard]] HD u64 block_bytes() const {
    return (u64{c_.blocks} + 1) * sizeof(ByteMasks) + 4 * (u64{c_.blocks} + 2) * sizeof(u64);
  }

  // Finds the tokens of the source in this room; false: they do not fit.
  HD_COLD bool find(Room& room) {
    c_.bytes = source_.bytes;
    c_.blocks = (c_.bytes + 63) / 64;
    u8* const text = room.take<u8>(padded_bytes(c_.blocks));
    c_.masks = room.take_top<ByteMasks>(c_.blocks + 1);
    u64* const bits = room.take_top<u64>(4 * (u64{c_.blocks} + 2));
    place_columns(g_, c_, {.flags = kFlags}, room);
    if (!room.fits()) return false;
    c_.source = text + Columns::kPadding;
    place_bits(bits);
    copy_source(text);
    classify_bytes(g_, c_.source, c_.blocks, c_.masks);
    mark_tokens(g_, c_);
    const u32 tokens = count_tokens();
    place_columns(g_, c_, {.tokens = tokens + 4}, room);
    if (!room.fits()) return false;
    c_.token_start = shifted(c_.token_start);
    c_.token_length = shifted(c_.token_length);
    c_.token_kind = shifted(c_.token_kind);
    c_.tokens = g_.select_bits(c_.blocks, c_.starts, c_.token_start, tokens);
    const HashSum identity = classify_tokens(g_, c_, t_);
    r_.tokens = c_.tokens;
    r_.hash_low = identity.low;
    r_.hash_high = identity.high;
    return true;
  }
  HD void place_bits(u64* bits) {
    const u32 cells = c_.blocks + 2;
    const auto placed = [&](const char* name, u64* column) {
      g_.note_column({name, reinterpret_cast<const u8*>(column), cells, sizeof(u64)});
      return Column<u64>(column);
    };
    c_.starts = placed("starts", bits);
    c_.extend = placed("extend", bits + cells);
    c_.floaty = placed("floaty", bits + 2 * cells);
    c_.lines = placed("lines", bits + 3 * cells);
  }
  // Two sentinels stand before the first token.
  template <class T>
  HD static T* shifted(T* column) {
    return column + 2;
  }
  template <class Checked>
  HD static Checked shifted(const Checked& column) {
    return Checked(column.unchecked() + 2);
  }
  HD void copy_source(u8* text) {
    // Copies the source as words, with what the host put behind it, and puts blanks around it.
    u64* const words = reinterpret_cast<u64*>(text);
    const u64* const from = reinterpret_cast<const u64*>(source_.text);
    constexpr u32 kBefore = Columns::kPadding / 8;
    constexpr u64 kBlanks = 0x2020'2020'2020'2020u, kLineEnd = u64{'\n'} << 56;
    const u32 all = static_cast<u32>(padded_bytes(c_.blocks) / 8), given = c_.bytes / 8 + 1;
    g_.for_each(all, [&](u32 k) {
      if (k < kBefore)
        words[k] = k + 1 == kBefore ? kBlanks >> 8 | kLineEnd : kBlanks;
      else
        words[k] = k - kBefore < given ? from[k - kBefore] : kBlanks;
    });
    g_.once([&] { clear_flags(c_); });
  }
  struct Count {
    u32 n = 0;
    friend HD Count combine(Count a, Count b) { return {a.n + b.n}; }
  };
  HD u32 count_tokens() {
    return g_
        .scan(
            c_.blocks, Count{},
            [&](u32 b) { return Count{static_cast<u32>(std::popcount(u64{c_.starts[b]}))}; },
            [](u32, const Count&, const Count&) {})
        .n;
  }

  // Computes what the tokens need; false: it is more than narrow columns hold.
  HD_COLD bool measure(ListSizes& sizes) {
    const PlaceToken place_token{c_, t_};
    const RoomSum sum = g_.scan(
        c_.tokens, RoomSum{},
        [&](u32 k) {
          const Token kind = token_at(c_, k);
          return RoomToken{place_token(k), kind == Token::Name || is_contextual(kind)};
        },
        [](u32, const RoomSum&, const RoomToken&) {});
    const u32 nodes = sum.layout.nodes, names = sum.names;
    sizes = {.nodes = nodes + 1,  // passes clamp to the node behind the last
             .rare = nodes + 1,
             .brackets = sum.layout.brackets + 1,
             .names = names + 1,
             .heads = std::bit_ceil(names + 31),
             .items = sum.layout.items};
    return nodes <= kMaxNarrowNodes && c_.tokens <= kMaxNarrowNodes &&
           sum.layout.brackets <= kMaxNarrowNodes;
  }

  // Columns in which few nodes have a value go to the memory of the device. The others go there only if they must.
  HD_COLD bool place(const ListSizes& sizes, Room& near, Room& far) {
    place_columns(g_, c_, {.rare = sizes.rare}, far);
    if (!far.fits()) return false;
    ListSizes others = sizes;
    others.rare = 0;
    return place_others(others, near) || place_others(others, far);
  }
  HD bool place_others(const ListSizes& sizes, Room& room) {
    place_columns(g_, c_, sizes, room);
    const u32 capacity = sizes.nodes > sizes.brackets ? sizes.nodes : sizes.brackets;
    u64* const memory = room.take<u64>((DeviceScratch::bytes(capacity) + 7) / 8);
    if (!room.fits()) return false;
    const DeviceScratch scratch = DeviceScratch::in(reinterpret_cast<u32*>(memory), capacity);
    scratch.note(g_);
    g_.use_scratch(scratch);
    g_.once([] {});  // no lane writes before all columns are known
    return true;
  }

  HD u64 take_output(u64 bytes) {
    const u64 rounded = (bytes + 15) & ~u64{15};
    return g_.take(*output_.used, rounded);
  }

  // Code goes to the output as it is written, where it has exactly the room that it needs.
  HD void place_output(const CodeCounts& counts, u8* instructions, u8* places, u8* constants) {
    const u32 code = counts.functions + counts.traps;
    const auto placed = [&](const char* name, auto* cells, u32 n) {
      g_.note_column({name, reinterpret_cast<const u8*>(cells), n, sizeof(*cells)});
      return cells;
    };
    using Cells = Instruction*;
    c_.instructions =
        Column<Instruction>(placed("instructions", reinterpret_cast<Cells>(instructions), code));
    c_.places = Column<u32>(placed("places", reinterpret_cast<u32*>(places), code));
    c_.constants =
        Column<u64>(placed("constants", reinterpret_cast<u64*>(constants), counts.constants));
    c_.code_room = kUnlimitedRoom;
    c_.traps_begin = counts.functions;
    g_.once([] {});  // no lane writes before all columns are known
  }

  HD_COLD DeviceEnd generate() {
    const CodeCounts counts = count_code(g_, c_);
    if (counts.functions + counts.traps > kMaxNarrowCount || counts.constants > kMaxNarrowCount)
      return DeviceEnd::TooMuchCode;
    const HeaderSizes sizes = count_headers(g_, c_);
    r_.functions_code = counts.functions;
    r_.instructions = counts.functions + counts.traps;
    r_.constants = counts.constants;
    r_.functions = sizes.functions;
    r_.names = sizes.names;
    r_.types = sizes.types;
    r_.slots = sizes.slots;
    r_.parameters = sizes.parameters;
    const CodeParts parts = code_parts(r_);
    r_.code_at = take_output(parts.bytes);
    if (r_.code_at + parts.bytes > output_.capacity) return DeviceEnd::NoOutput;
    u8* const code = output_.bytes + r_.code_at;
    place_output(counts, code + parts.instructions, code + parts.places, code + parts.constants);
    write_code(g_, c_);
    evaluate_constants(g_, c_, c_.item_constant_state);
    check_ranges(g_, c_, c_.item_constant_state);
    bound_recursion(g_, c_);
    if (c_.flags[kFailed] != 0) return DeviceEnd::Done;
    move_limits(g_, c_);
    if (c_.flags[kContainers] != 0) hoist_arguments(g_, c_);
    find_entries(g_, c_);
    fill_places(g_, c_);
    write_headers(
        g_, c_, r_.functions_code, r_.instructions,
        {reinterpret_cast<Function*>(code + parts.functions),
         reinterpret_cast<char*>(code + parts.names), code + parts.types, code + parts.slot_types,
         reinterpret_cast<NameRange*>(code + parts.parameter_names)});
    r_.has_code = 1;
    return DeviceEnd::Done;
  }

  HD_COLD bool hand_back_messages() {
    r_.nodes = c_.nodes;
    r_.brackets = c_.brackets;
    r_.items = c_.items;
    r_.has_messages = 1;
    const MessageCells cells = message_cells(r_);
    const u64 bytes = message_bytes(cells);
    r_.messages_at = take_output(bytes);
    if (r_.messages_at + bytes > output_.capacity) return false;
    u8* at = output_.bytes + r_.messages_at;
    const auto nodes = [](u32) { return true; };
    const auto marked = [&](u32 i) { return c_.error[i] != 0; };
    const auto &tokens = nodes, &brackets = nodes;
#define MESSAGE_COLUMN(list, Type, name)                                              \
  {                                                                                   \
    auto* const out = reinterpret_cast<MessageTypes::Type*>(at);                      \
    g_.for_each(cells.list, [&](u32 i) { out[i] = list(i) ? u32{c_.name[i]} : 0u; }); \
    at += u64{cells.list} * sizeof(MessageTypes::Type);                               \
  }
#include "frontend_gpu/columns/message_columns.def"
    return true;
  }

  G& g_;
  const Tables& t_;
  DeviceSource source_;
  GroupMemory memory_;
  DeviceOutput output_;
  Columns c_{};
  DeviceResult r_;
};

}  // namespace komuz::frontend::inline KOMUZ_PASSES
