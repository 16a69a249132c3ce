; ModuleID = 'komuz'
source_filename = "komuz"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: cold noinline nounwind uwtable
define internal i64 @kz.refill(ptr %0) #0 {
  %2 = getelementptr inbounds i8, ptr %0, i64 8
  %3 = getelementptr inbounds i8, ptr %0, i64 32
  %4 = load atomic i32, ptr %3 monotonic, align 4
  %.not = icmp eq i32 %4, 0
  %5 = load i64, ptr %2, align 8
  %6 = select i1 %.not, i64 %5, i64 0
  %7 = call i64 @llvm.umin.i64(i64 %6, i64 16384)
  %8 = sub i64 %6, %7
  store i64 %8, ptr %2, align 8
  ret i64 %7
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64) #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare { i64, i1 } @llvm.sadd.with.overflow.i64(i64, i64) #1

; Function Attrs: nounwind uwtable
define i64 @f_case(ptr %state, ptr %columns, i64 %row, ptr %values, i64 %stride) #2 {
entry:
  %0 = load i64, ptr %state, align 8
  %1 = load ptr, ptr %columns, align 8
  %2 = getelementptr inbounds i64, ptr %1, i64 %row
  %3 = load i64, ptr %2, align 8
  br label %loop.i

loop.i:                                           ; preds = %merge.i, %entry
  %slot1.0.i = phi i64 [ %3, %entry ], [ %16, %merge.i ]
  %slot2.0.i = phi i64 [ 0, %entry ], [ %18, %merge.i ]
  %ticks.0.i = phi i64 [ %0, %entry ], [ %9, %merge.i ]
  %.not.i = icmp eq i64 %slot1.0.i, 1
  br i1 %.not.i, label %exit.i, label %on.i

exit.i:                                           ; preds = %loop.i
  %slot2.0.i.lcssa = phi i64 [ %slot2.0.i, %loop.i ]
  %ticks.0.i.lcssa = phi i64 [ %ticks.0.i, %loop.i ]
  %4 = insertvalue { i64, i64 } poison, i64 %ticks.0.i.lcssa, 0
  %5 = insertvalue { i64, i64 } %4, i64 %slot2.0.i.lcssa, 1
  br label %kz.fn.0.steps.exit

on.i:                                             ; preds = %loop.i
  %6 = icmp eq i64 %ticks.0.i, 0
  br i1 %6, label %refill.i, label %tick.i, !prof !0

refill.i:                                         ; preds = %on.i
  %7 = call i64 @kz.refill(ptr nonnull %state)
  %8 = icmp eq i64 %7, 0
  br i1 %8, label %trapped.i, label %tick.i, !prof !0

tick.i:                                           ; preds = %refill.i, %on.i
  %ticks.1.i = phi i64 [ %ticks.0.i, %on.i ], [ %7, %refill.i ]
  %9 = add i64 %ticks.1.i, -1
  %10 = and i64 %slot1.0.i, 1
  %11 = icmp eq i64 %10, 0
  br i1 %11, label %then.i, label %else.i

trapped.i:                                        ; preds = %on5.i, %merge.i, %else.i, %refill.i
  %ticks.2.i = phi i64 [ %7, %refill.i ], [ %9, %merge.i ], [ %9, %else.i ], [ %9, %on5.i ]
  %how.i = phi i64 [ 38654705928, %refill.i ], [ 120259084545, %merge.i ], [ 94489280769, %else.i ], [ 103079215361, %on5.i ]
  %12 = getelementptr inbounds i8, ptr %state, i64 16
  store i64 %how.i, ptr %12, align 8
  store i64 %ticks.2.i, ptr %state, align 8
  br label %kz.fn.0.steps.exit

then.i:                                           ; preds = %tick.i
  %13 = ashr exact i64 %slot1.0.i, 1
  br label %merge.i

else.i:                                           ; preds = %tick.i
  %14 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %slot1.0.i, i64 3)
  %15 = extractvalue { i64, i1 } %14, 1
  br i1 %15, label %trapped.i, label %on5.i, !prof !0

merge.i:                                          ; preds = %on5.i, %then.i
  %16 = phi i64 [ %13, %then.i ], [ %22, %on5.i ]
  %17 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 %slot2.0.i, i64 1)
  %18 = extractvalue { i64, i1 } %17, 0
  %19 = extractvalue { i64, i1 } %17, 1
  br i1 %19, label %trapped.i, label %loop.i, !prof !0

on5.i:                                            ; preds = %else.i
  %20 = extractvalue { i64, i1 } %14, 0
  %21 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 %20, i64 1)
  %22 = extractvalue { i64, i1 } %21, 0
  %23 = extractvalue { i64, i1 } %21, 1
  br i1 %23, label %trapped.i, label %merge.i, !prof !0

kz.fn.0.steps.exit:                               ; preds = %exit.i, %trapped.i
  %common.ret.op.i = phi { i64, i64 } [ %5, %exit.i ], [ { i64 -1, i64 poison }, %trapped.i ]
  %24 = extractvalue { i64, i64 } %common.ret.op.i, 0
  %25 = icmp slt i64 %24, 0
  br i1 %25, label %trapped, label %returned

common.ret:                                       ; preds = %returned, %trapped
  %common.ret.op = phi i64 [ %27, %trapped ], [ 0, %returned ]
  ret i64 %common.ret.op

trapped:                                          ; preds = %kz.fn.0.steps.exit
  %26 = getelementptr inbounds i8, ptr %state, i64 16
  %27 = load i64, ptr %26, align 8
  br label %common.ret

returned:                                         ; preds = %kz.fn.0.steps.exit
  store i64 %24, ptr %state, align 8
  %28 = extractvalue { i64, i64 } %common.ret.op.i, 1
  store i64 %28, ptr %values, align 8
  br label %common.ret
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.umin.i64(i64, i64) #1

attributes #0 = { cold noinline nounwind uwtable }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nounwind uwtable }

!0 = !{!"branch_weights", i32 1, i32 1048575}
