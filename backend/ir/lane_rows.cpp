// SPDX-License-Identifier: Apache-2.0
#include "backend/ir/lane_rows.h"

#include "backend/ir/function_once.h"
#include "lang/layout.h"

namespace komuz::backend::ir {
namespace {

llvm::Type* row_type(IrWriter& w) { return w.type(Type::I64); }
llvm::Value* load_row(IrWriter& w, llvm::Value* at) {
  return w.builder.CreateAlignedLoad(row_type(w), at, kRowAlign);
}
void store_row(IrWriter& w, llvm::Value* row, llvm::Value* at) {
  w.builder.CreateAlignedStore(row, at, kRowAlign);
}
llvm::Value* row_at(IrWriter& w, llvm::Value* memory, llvm::Value* k) {
  return w.builder.CreateInBoundsGEP(w.builder.getInt64Ty(), memory,
                                     w.builder.CreateMul(k, w.builder.getInt64(w.lanes)));
}
llvm::Value* addresses(IrWriter& w, const LanePlaces& places) {
  return w.builder.CreateGEP(w.builder.getInt64Ty(), places.first, places.index);
}
llvm::Value* plain_gather(IrWriter& w, const LanePlaces& from) {
  return w.builder.CreateMaskedGather(row_type(w), addresses(w, from), llvm::Align(8), from.mask,
                                      llvm::Constant::getNullValue(row_type(w)));
}
void plain_scatter(IrWriter& w, const LanePlaces& to, llvm::Value* row) {
  w.builder.CreateMaskedScatter(row, addresses(w, to), llvm::Align(8), to.mask);
}

}  // namespace

llvm::Value* as_row(llvm::Value* value) {
  const llvm::Type* const element = value->getType()->getScalarType();
  if (element->isDoubleTy()) return same_bits(value, Type::I64);
  if (element->isFloatTy()) value = same_bits(value, Type::I32);
  return converted(value, false, Type::I64, false);
}
llvm::Value* from_row(llvm::Value* row, Scalar type) {
  switch (moved_as(type)) {
    case Scalar::Bool: return converted(row, false, Type::Bool, false);
    case Scalar::U8: return converted(row, false, Type::I8, false);
    case Scalar::I32:
    case Scalar::U32: return converted(row, false, Type::I32, false);
    case Scalar::F32: return same_bits(converted(row, false, Type::I32, false), Type::F32);
    case Scalar::F64: return same_bits(row, Type::F64);
    default: return row;
  }
}

llvm::Value* gather(IrWriter& w, const LanePlaces& from) {
  if (w.traits.gathers) return plain_gather(w, from);
  llvm::Function* const f =
      function_once(w, "kz.gather", row_type(w), {w.builder.getPtrTy(), row_type(w), w.mask_type()},
                    [&](llvm::Function& g) {
                      w.builder.CreateRet(plain_gather(w, {g.getArg(0), g.getArg(1), g.getArg(2)}));
                    });
  return w.builder.CreateCall(f, {from.first, from.index, from.mask});
}
void scatter(IrWriter& w, const LanePlaces& to, llvm::Value* row) {
  if (w.traits.gathers) return plain_scatter(w, to, row);
  llvm::Function* const f = function_once(
      w, "kz.scatter", w.builder.getVoidTy(),
      {w.builder.getPtrTy(), row_type(w), w.mask_type(), row_type(w)}, [&](llvm::Function& g) {
        plain_scatter(w, {g.getArg(0), g.getArg(1), g.getArg(2)}, g.getArg(3));
        w.builder.CreateRetVoid();
      });
  w.builder.CreateCall(f, {to.first, to.index, to.mask, row});
}

void gather_rows(IrWriter& w, llvm::Value* to, const LanePlaces& from, u64 count) {
  llvm::Type* const pointer = w.builder.getPtrTy();
  llvm::Function* const f = function_once(
      w, "kz.gather_rows", w.builder.getVoidTy(),
      {pointer, pointer, row_type(w), w.mask_type(), w.builder.getInt64Ty()},
      [&](llvm::Function& g) {
        write_loop(w, g.getArg(4), [&](llvm::Value* k) {
          const LanePlaces places = {row_at(w, g.getArg(1), k), g.getArg(2), g.getArg(3)};
          store_row(w, plain_gather(w, places), row_at(w, g.getArg(0), k));
        });
        w.builder.CreateRetVoid();
      });
  w.builder.CreateCall(f, {to, from.first, from.index, from.mask, w.builder.getInt64(count)});
}
void scatter_rows(IrWriter& w, const LanePlaces& to, llvm::Value* from, u64 count) {
  llvm::Type* const pointer = w.builder.getPtrTy();
  llvm::Function* const f = function_once(
      w, "kz.scatter_rows", w.builder.getVoidTy(),
      {pointer, row_type(w), w.mask_type(), pointer, w.builder.getInt64Ty()},
      [&](llvm::Function& g) {
        write_loop(w, g.getArg(4), [&](llvm::Value* k) {
          const LanePlaces places = {row_at(w, g.getArg(0), k), g.getArg(1), g.getArg(2)};
          plain_scatter(w, places, load_row(w, row_at(w, g.getArg(3), k)));
        });
        w.builder.CreateRetVoid();
      });
  w.builder.CreateCall(f, {to.first, to.index, to.mask, from, w.builder.getInt64(count)});
}

void blend_rows(IrWriter& w, llvm::Value* to, llvm::Value* from, llvm::Value* mask, u64 count) {
  llvm::Type* const pointer = w.builder.getPtrTy();
  llvm::Function* const f = function_once(
      w, "kz.blend_rows", w.builder.getVoidTy(),
      {pointer, pointer, w.mask_type(), w.builder.getInt64Ty()}, [&](llvm::Function& g) {
        write_loop(w, g.getArg(3), [&](llvm::Value* k) {
          llvm::Value* const at = row_at(w, g.getArg(0), k);
          llvm::Value* const row = load_row(w, row_at(w, g.getArg(1), k));
          store_row(w, w.builder.CreateSelect(g.getArg(2), row, load_row(w, at)), at);
        });
        w.builder.CreateRetVoid();
      });
  w.builder.CreateCall(f, {to, from, mask, w.builder.getInt64(count)});
}
void splat_rows(IrWriter& w, llvm::Value* to, llvm::Value* from, llvm::Value* mask, u64 count) {
  llvm::Type* const pointer = w.builder.getPtrTy();
  llvm::Function* const f = function_once(
      w, "kz.splat_rows", w.builder.getVoidTy(),
      {pointer, pointer, w.mask_type(), w.builder.getInt64Ty()}, [&](llvm::Function& g) {
        write_loop(w, g.getArg(3), [&](llvm::Value* k) {
          llvm::Value* const at = row_at(w, g.getArg(0), k);
          llvm::Type* const i64 = w.builder.getInt64Ty();
          llvm::Value* const cell =
              w.builder.CreateLoad(i64, w.builder.CreateInBoundsGEP(i64, g.getArg(1), k));
          store_row(w, w.builder.CreateSelect(g.getArg(2), w.splat(cell), load_row(w, at)), at);
        });
        w.builder.CreateRetVoid();
      });
  w.builder.CreateCall(f, {to, from, mask, w.builder.getInt64(count)});
}

}  // namespace komuz::backend::ir
