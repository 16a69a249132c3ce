; ModuleID = 'komuz'
source_filename = "komuz"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: nounwind uwtable
define internal { i64, i64 } @kz.fn.0.factorial(ptr %state, i64 %left, i32 %live, i64 %0) #0 {
entry:
  %1 = icmp slt i64 %0, 2
  br i1 %1, label %merge, label %else

else:                                             ; preds = %entry
  %2 = add nsw i64 %0, -1
  %3 = icmp eq i32 %live, 20
  br i1 %3, label %trapped, label %on1, !prof !0

common.ret:                                       ; preds = %callee_trapped, %trapped, %merge
  %common.ret.op = phi { i64, i64 } [ %6, %merge ], [ { i64 -1, i64 poison }, %trapped ], [ { i64 -1, i64 poison }, %callee_trapped ]
  ret { i64, i64 } %common.ret.op

merge:                                            ; preds = %returned, %entry
  %ticks.0 = phi i64 [ %left, %entry ], [ %14, %returned ]
  %4 = phi i64 [ 1, %entry ], [ %18, %returned ]
  %5 = insertvalue { i64, i64 } poison, i64 %ticks.0, 0
  %6 = insertvalue { i64, i64 } %5, i64 %4, 1
  br label %common.ret

trapped:                                          ; preds = %returned, %refill, %else
  %ticks.1 = phi i64 [ %left, %else ], [ %9, %refill ], [ %14, %returned ]
  %how = phi i64 [ 42949673222, %else ], [ 42949673224, %refill ], [ 47244640513, %returned ]
  %7 = getelementptr inbounds i8, ptr %state, i64 16
  store i64 %how, ptr %7, align 8
  store i64 %ticks.1, ptr %state, align 8
  br label %common.ret

on1:                                              ; preds = %else
  %8 = icmp eq i64 %left, 0
  br i1 %8, label %refill, label %tick, !prof !0

refill:                                           ; preds = %on1
  %9 = call i64 @kz.refill(ptr %state)
  %10 = icmp eq i64 %9, 0
  br i1 %10, label %trapped, label %tick, !prof !0

tick:                                             ; preds = %refill, %on1
  %ticks.2 = phi i64 [ %left, %on1 ], [ %9, %refill ]
  %11 = add i64 %ticks.2, -1
  %12 = add i32 %live, 1
  %13 = call { i64, i64 } @kz.fn.0.factorial(ptr %state, i64 %11, i32 %12, i64 %2)
  %14 = extractvalue { i64, i64 } %13, 0
  %15 = icmp slt i64 %14, 0
  br i1 %15, label %callee_trapped, label %returned, !prof !0

returned:                                         ; preds = %tick
  %16 = extractvalue { i64, i64 } %13, 1
  %17 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %0, i64 %16)
  %18 = extractvalue { i64, i1 } %17, 0
  %19 = extractvalue { i64, i1 } %17, 1
  br i1 %19, label %trapped, label %merge, !prof !0

callee_trapped:                                   ; preds = %tick
  %20 = getelementptr inbounds i8, ptr %state, i64 16
  %21 = load i64, ptr %20, align 8
  %22 = add i64 %21, 256
  store i64 %22, ptr %20, align 8
  br label %common.ret
}

; Function Attrs: cold noinline nounwind uwtable
define internal i64 @kz.refill(ptr %0) #1 {
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
declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64) #2

; Function Attrs: nounwind uwtable
define i64 @f_case(ptr %state, ptr %columns, i64 %row, ptr %values, i64 %stride) #0 {
entry:
  %0 = load i64, ptr %state, align 8
  %1 = load ptr, ptr %columns, align 8
  %2 = getelementptr inbounds i64, ptr %1, i64 %row
  %3 = load i64, ptr %2, align 8
  %4 = call { i64, i64 } @kz.fn.0.factorial(ptr nonnull %state, i64 %0, i32 1, i64 %3)
  %5 = extractvalue { i64, i64 } %4, 0
  %6 = icmp slt i64 %5, 0
  br i1 %6, label %trapped, label %returned

common.ret:                                       ; preds = %returned, %trapped
  %common.ret.op = phi i64 [ %8, %trapped ], [ 0, %returned ]
  ret i64 %common.ret.op

trapped:                                          ; preds = %entry
  %7 = getelementptr inbounds i8, ptr %state, i64 16
  %8 = load i64, ptr %7, align 8
  br label %common.ret

returned:                                         ; preds = %entry
  store i64 %5, ptr %state, align 8
  %9 = extractvalue { i64, i64 } %4, 1
  store i64 %9, ptr %values, align 8
  br label %common.ret
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.umin.i64(i64, i64) #2

attributes #0 = { nounwind uwtable }
attributes #1 = { cold noinline nounwind uwtable }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!0 = !{!"branch_weights", i32 1, i32 1048575}
