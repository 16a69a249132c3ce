// SPDX-License-Identifier: Apache-2.0
// `sort_by`: the chain's loop collects elements and their keys; behind the loop they are put in order. The sort
// works on the elements' numbers, by merging from the bottom up, from one half of an area to the other. How often
// its loops run depends only on the number of elements, so lanes stay together. Keys that are compared by their
// parts are an exception: they are compared up to the first difference.
#pragma once
#include "frontend_gpu/code/emit_container.h"
#include "frontend_gpu/code/order_values.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// The counters that it keeps (ChainPart::Sorting), in this order.
enum class SortSlot : u8 {
  Count,  // of elements
  Next,   // of the loop over places: as FOR_NEXT has them
  Bound,
  Place,
  Width,  // of the stretches that are in order
  From,   // where the half that is read begins
  Left,   // the next number of a stretch and of the one behind it,
  Right,
  Middle,  // and where the two end
  End,
  OfLeft,  // the elements that these numbers name
  OfRight,
};
static_assert(static_cast<u32>(SortSlot::OfRight) + 1 == kSortSlots);

template <class Sink>
struct EmitSort : EmitContainer<Sink> {
  using Base = EmitContainer<Sink>;
  using Base::c, Base::sink;
  using Base::constant, Base::op;

  TypeId key, element;
  u32 room;                                         // the most elements
  u32 counters, keys, order, collected, comparing;  // first slots

  HD_COLD void start() const {
    this->zeros(Scalar::I64, kSortSlots);
    sink.op(Op::StoreVars, Scalar::None, counters, kSortSlots);
    clear(key, keys, room);
    clear(type_of(Scalar::I64), order, 2 * room);
    clear(element, collected, room);
  }
  // Collects an element, which lies in slots. Its key is on top.
  HD_COLD void collect(u32 element_slot) const {
    put_element(key, keys, SortSlot::Count);
    load(SortSlot::Count);
    load(SortSlot::Count);
    put_number();
    Place p;
    p.start(c, element, element_slot);
    this->load(p);
    put_element(element, collected, SortSlot::Count);
    load(SortSlot::Count);
    constant(1);
    op(Op::AddWrap);
    store(SortSlot::Count);
  }
  // Sorts into an array or list, all of whose cells are zero.
  HD_COLD void sort_to(const Place& made) const {
    constant(1);
    store(SortSlot::Width);
    constant(0);
    store(SortSlot::From);
    repeat([&](const auto& to) { to.merge_all(); });
    repeat_for_each([&](const auto& to) { to.put_next(made); });
    if (container_of(c, made.type).form != TypeForm::List) return;
    load(SortSlot::Count);
    sink.op(Op::StoreVar, Scalar::I64, made.first[0]);
  }

  // Stretches of code that a StretchSink counts, too.

  // Doubles the width of the sorted stretches, if there is more than one stretch.
  HD_COLD void merge_all() const {
    load(SortSlot::Width);
    load(SortSlot::Count);
    op(Op::Lt);
    sink.op(Op::BreakIfFalse, Scalar::None);
    this->op_none(Op::Tick);
    repeat_for_each([](const auto& to) { to.merge_next(); });
    constant(room);
    load(SortSlot::From);
    op(Op::SubWrap);
    store(SortSlot::From);
    load(SortSlot::Width);
    load(SortSlot::Width);
    op(Op::AddWrap);
    store(SortSlot::Width);
  }
  // Moves one number to its place among those of two stretches.
  HD_COLD void merge_next() const {
    start_stretches();
    number(SortSlot::Left, SortSlot::OfLeft);
    number(SortSlot::Right, SortSlot::OfRight);
    const bool by_parts = is_ordered_by_parts(c, key);
    if (by_parts) compare_parts();
    // Takes the right stretch's number if there is one, and if the left stretch has none left or has a larger key.
    load(SortSlot::Right);
    load(SortSlot::End);
    op(Op::Lt);
    load(SortSlot::Left);
    load(SortSlot::Middle);
    op(Op::Ge);
    if (by_parts)
      sink.op(Op::LoadVar, Scalar::I64, comparing);
    else
      compare();
    constant(0);
    op(Op::Lt);
    sink.op(Op::Or, Scalar::Bool);
    sink.op(Op::And, Scalar::Bool);
    sink.op(Op::Convert, Scalar::I64, static_cast<u32>(Scalar::Bool));
    this->copy(Scalar::I64, 0);
    advance(SortSlot::Right);
    constant(1);
    this->copy(Scalar::I64, 1);
    op(Op::SubWrap);
    advance(SortSlot::Left);
    // left + (right - left) * takes_right
    load(SortSlot::OfRight);
    load(SortSlot::OfLeft);
    op(Op::SubWrap);
    op(Op::MulWrap);
    load(SortSlot::OfLeft);
    op(Op::AddWrap);
    constant(room);
    load(SortSlot::From);
    op(Op::SubWrap);
    load(SortSlot::Place);
    op(Op::AddWrap);
    put_number();
  }
  HD_COLD void put_next(const Place& made) const {
    load(SortSlot::From);
    load(SortSlot::Place);
    op(Op::AddWrap);
    load_number();
    load_element(element, collected);
    Place to = made;
    to.enter_element(c);
    this->put_at(to, slot(SortSlot::Place));
  }

 private:
  [[nodiscard]] HD u32 slot(SortSlot s) const { return counters + static_cast<u32>(s); }
  HD void load(SortSlot s) const { sink.op(Op::LoadVar, Scalar::I64, slot(s)); }
  HD void store(SortSlot s) const { sink.op(Op::StoreVar, Scalar::I64, slot(s)); }
  using Base::load;
  // Moves the element on top to its place in an area, or from there to the top. The element's index is in a slot,
  // or on top.
  HD_COLD void put_element(TypeId type, u32 first, SortSlot at) const {
    Place p;
    p.start_elements(c, type, room, first);
    this->put_at(p, slot(at));
  }
  HD_COLD void load_element(TypeId type, u32 first) const {
    Place p;
    p.start_elements(c, type, room, first);
    this->load(p);
  }
  HD void load_number() const { sink.op(Op::LoadAt, Scalar::I64, order, 1u << 16 | 2 * room); }
  // Cells that are read by number must have been written as a whole before.
  HD_COLD void clear(TypeId type, u32 first, u32 times) const {
    for_each_block(c, type, [&](Scalar scalar, u32 cells) {
      this->zeros(scalar, cells * times);
      sink.op(Op::StoreVars, Scalar::None, first, cells * times);
      first += cells * times;
    });
  }
  // Stores the number below the place on top.
  HD void put_number() const { sink.op(Op::StoreAt, Scalar::I64, order, 1u << 16 | 2 * room); }

  // body(to), where `to` emits this sort.
  template <class Body>
  HD void repeat(Body body) const {
    Stretch<Sink> stretch;
    body(EmitSort<typename Stretch<Sink>::Type>{
        {{c, stretch.sink}}, key, element, room, counters, keys, order, collected, comparing});
    sink.own_loop(stretch.counted.code);
    body(*this);
    sink.own_end(stretch.counted.code);
  }
  template <class Body>
  HD void repeat_for_each(Body body) const {
    constant(0);
    store(SortSlot::Next);
    load(SortSlot::Count);
    store(SortSlot::Bound);
    repeat([&](const auto& to) {
      to.sink.op(Op::ForNext, Scalar::I64, slot(SortSlot::Next), 0);
      to.op_none(Op::Tick);
      body(to);
    });
  }

  // At the first place of two stretches, sets the counters of both.
  HD_COLD void start_stretches() const {
    constexpr u32 kStart = 16;
    load(SortSlot::Place);
    load(SortSlot::Width);
    load(SortSlot::Width);
    op(Op::AddWrap);
    constant(1);
    op(Op::SubWrap);
    op(Op::And);
    constant(0);
    op(Op::Eq);
    sink.jump_over(kStart);
    load(SortSlot::Place);
    store(SortSlot::Left);
    load(SortSlot::Place);
    end_of_stretch();
    this->copy(Scalar::I64, 0);
    store(SortSlot::Right);
    this->copy(Scalar::I64, 0);
    store(SortSlot::Middle);
    end_of_stretch();
    store(SortSlot::End);
  }
  // The end of a stretch that starts at the place on top, in four instructions.
  HD void end_of_stretch() const {
    load(SortSlot::Width);
    op(Op::AddWrap);
    load(SortSlot::Count);
    op(Op::Min);
  }
  // The element that a number names. A number behind the last one names the last element.
  HD_COLD void number(SortSlot at, SortSlot to) const {
    load(at);
    load(SortSlot::Count);
    constant(1);
    op(Op::SubWrap);
    op(Op::Min);
    load(SortSlot::From);
    op(Op::AddWrap);
    load_number();
    store(to);
  }
  HD void load_key(SortSlot of) const {
    load(of);
    Place p;
    p.start_elements(c, key, room, keys);
    this->load_cells(p);
  }
  // Keys that are compared by their parts are compared only if there are two, because their elements take ticks.
  HD_COLD void compare_parts() const {
    const auto is_left = [&](SortSlot next, SortSlot behind) {
      load(next);
      load(behind);
      op(Op::Lt);
    };
    const OrderValues<Sink> values{{c, sink},
                                   key,
                                   {keys, room, slot(SortSlot::OfRight)},
                                   {keys, room, slot(SortSlot::OfLeft)},
                                   comparing};
    constant(0);
    sink.op(Op::StoreVar, Scalar::I64, comparing);
    is_left(SortSlot::Right, SortSlot::End);
    is_left(SortSlot::Left, SortSlot::Middle);
    sink.op(Op::And, Scalar::Bool);
    sink.jump_over(values.code_length());
    values();
  }
  HD void compare() const {
    load_key(SortSlot::OfRight);
    load_key(SortSlot::OfLeft);
    if (is_scalar(key)) return sink.op(Op::Cmp, as_scalar(key));
    CompareCells<Sink>{{c, sink}}(Op::Cmp, key);
  }
  HD void advance(SortSlot s) const {
    load(s);
    op(Op::AddWrap);
    store(s);
  }
};

}  // namespace komuz::frontend::inline KOMUZ_PASSES
