; ModuleID = 'komuz'
source_filename = "komuz"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: cold noinline nounwind uwtable
define internal { i64, <8 x i1> } @kz.look(ptr %0, <8 x i32> %1, <8 x i1> %2, <8 x i64> %3) #0 {
  %5 = load <8 x i64>, ptr %0, align 64
  %6 = zext <8 x i32> %1 to <8 x i64>
  %7 = sub <8 x i64> %5, %6
  %8 = getelementptr inbounds i8, ptr %0, i64 528
  %9 = load atomic i32, ptr %8 monotonic, align 4
  %10 = icmp ne i32 %9, 0
  %.splatinsert = insertelement <8 x i1> poison, i1 %10, i64 0
  %.splat = shufflevector <8 x i1> %.splatinsert, <8 x i1> poison, <8 x i32> zeroinitializer
  %11 = select <8 x i1> %.splat, <8 x i64> zeroinitializer, <8 x i64> %7
  %12 = icmp ult <8 x i64> %11, %3
  %13 = and <8 x i1> %12, %2
  %14 = sub <8 x i64> %11, %3
  %15 = select <8 x i1> %13, <8 x i64> zeroinitializer, <8 x i64> %14
  store <8 x i64> %15, ptr %0, align 64
  %16 = getelementptr inbounds i8, ptr %0, i64 256
  %17 = load <8 x i64>, ptr %16, align 64
  %18 = icmp ne <8 x i64> %17, zeroinitializer
  %.not1 = or <8 x i1> %18, %13
  %19 = select <8 x i1> %.not1, <8 x i64> <i64 16384, i64 16384, i64 16384, i64 16384, i64 16384, i64 16384, i64 16384, i64 16384>, <8 x i64> %15
  %20 = call i64 @llvm.vector.reduce.umin.v8i64(<8 x i64> %19)
  %21 = call i64 @llvm.umin.i64(i64 %20, i64 16384)
  %22 = insertvalue { i64, <8 x i1> } poison, i64 %21, 0
  %23 = insertvalue { i64, <8 x i1> } %22, <8 x i1> %13, 1
  ret { i64, <8 x i1> } %23
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.vector.reduce.umin.v8i64(<8 x i64>) #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.umin.i64(i64, i64) #1

; Function Attrs: nounwind uwtable
define void @f_case(ptr %state, ptr %columns, i64 %row, i64 %count) #2 {
entry:
  %.splatinsert = insertelement <8 x i64> poison, i64 %count, i64 0
  %.splat = shufflevector <8 x i64> %.splatinsert, <8 x i64> poison, <8 x i32> zeroinitializer
  %0 = icmp ugt <8 x i64> %.splat, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %1 = getelementptr inbounds i8, ptr %state, i64 512
  %2 = load i64, ptr %1, align 8
  %3 = getelementptr inbounds i8, ptr %state, i64 256
  %.splatinsert1 = insertelement <8 x i64> poison, i64 %2, i64 0
  %.splat2 = shufflevector <8 x i64> %.splatinsert1, <8 x i64> poison, <8 x i32> zeroinitializer
  store <8 x i64> %.splat2, ptr %state, align 64
  store <8 x i64> zeroinitializer, ptr %3, align 64
  %4 = call i64 @llvm.umin.i64(i64 %2, i64 16384)
  %5 = load ptr, ptr %columns, align 8
  %6 = getelementptr inbounds i64, ptr %5, i64 %row
  %7 = load <8 x i64>, ptr %6, align 1
  br label %loop.i.outer

loop.i.outer:                                     ; preds = %on14.i, %entry
  %exited.0.i.ph = phi <8 x i1> [ %.lcssa8, %on14.i ], [ zeroinitializer, %entry ]
  %common.0.i.ph = phi i64 [ %67, %on14.i ], [ 0, %entry ]
  %slot4.0.i.ph = phi <8 x i64> [ %68, %on14.i ], [ zeroinitializer, %entry ]
  %slot3.1.i.ph = phi <8 x i64> [ %.lcssa6, %on14.i ], [ %7, %entry ]
  %live.1.i.ph = phi <8 x i1> [ %live.9.i, %on14.i ], [ %0, %entry ]
  %used2.1.i.ph = phi <8 x i32> [ %used2.3.i.lcssa, %on14.i ], [ zeroinitializer, %entry ]
  %slice1.1.i.ph = phi i64 [ %slice1.3.i.lcssa, %on14.i ], [ %4, %entry ]
  %8 = add <8 x i64> %slot4.0.i.ph, <i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1>
  %9 = xor <8 x i64> %slot4.0.i.ph, <i64 -1, i64 -1, i64 -1, i64 -1, i64 -1, i64 -1, i64 -1, i64 -1>
  %10 = and <8 x i64> %8, %9
  %11 = icmp slt <8 x i64> %10, zeroinitializer
  br label %loop.i

loop_end.i:                                       ; preds = %trap13.i, %trap.i
  %slot3.0.i = phi <8 x i64> [ %46, %trap13.i ], [ %slot3.1.i, %trap.i ]
  %live.0.i = phi <8 x i1> [ %65, %trap13.i ], [ %41, %trap.i ]
  %used2.0.i = phi <8 x i32> [ %used2.3.i, %trap13.i ], [ zeroinitializer, %trap.i ]
  %slice1.0.i = phi i64 [ %slice1.3.i, %trap13.i ], [ %22, %trap.i ]
  %12 = bitcast <8 x i1> %live.0.i to i8
  %.not60.i = icmp eq i8 %12, 0
  br i1 %.not60.i, label %kz.fn.0.steps.exit, label %loop.i

loop.i:                                           ; preds = %loop.i.outer, %loop_end.i
  %exited.0.i = phi <8 x i1> [ %16, %loop_end.i ], [ %exited.0.i.ph, %loop.i.outer ]
  %slot3.1.i = phi <8 x i64> [ %slot3.0.i, %loop_end.i ], [ %slot3.1.i.ph, %loop.i.outer ]
  %live.1.i = phi <8 x i1> [ %live.0.i, %loop_end.i ], [ %live.1.i.ph, %loop.i.outer ]
  %used2.1.i = phi <8 x i32> [ %used2.0.i, %loop_end.i ], [ %used2.1.i.ph, %loop.i.outer ]
  %slice1.1.i = phi i64 [ %slice1.0.i, %loop_end.i ], [ %slice1.1.i.ph, %loop.i.outer ]
  %13 = icmp ne <8 x i64> %slot3.1.i, <i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1>
  %14 = xor <8 x i1> %13, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %15 = and <8 x i1> %live.1.i, %14
  %16 = or <8 x i1> %exited.0.i, %15
  %17 = and <8 x i1> %live.1.i, %13
  %18 = bitcast <8 x i1> %17 to i8
  %.not.i = icmp eq i8 %18, 0
  br i1 %.not.i, label %kz.fn.0.steps.exit, label %on.i

on.i:                                             ; preds = %loop.i
  %19 = icmp eq i64 %slice1.1.i, 0
  br i1 %19, label %look.i, label %tick.i, !prof !0

look.i:                                           ; preds = %on.i
  %20 = zext <8 x i1> %17 to <8 x i64>
  %21 = call { i64, <8 x i1> } @kz.look(ptr nonnull %state, <8 x i32> %used2.1.i, <8 x i1> %17, <8 x i64> %20)
  %22 = extractvalue { i64, <8 x i1> } %21, 0
  %23 = extractvalue { i64, <8 x i1> } %21, 1
  %24 = and <8 x i1> %17, %23
  %25 = bitcast <8 x i1> %24 to i8
  %.not52.i = icmp eq i8 %25, 0
  br i1 %.not52.i, label %on5.i, label %trap.i, !prof !1

tick.i:                                           ; preds = %on.i
  %26 = add i64 %slice1.1.i, -1
  %.neg.i = zext <8 x i1> %17 to <8 x i32>
  %27 = add <8 x i32> %used2.1.i, %.neg.i
  br label %on5.i

on5.i:                                            ; preds = %trap.i, %tick.i, %look.i
  %live.2.i = phi <8 x i1> [ %17, %tick.i ], [ %41, %trap.i ], [ %17, %look.i ]
  %used2.3.i = phi <8 x i32> [ %27, %tick.i ], [ zeroinitializer, %trap.i ], [ zeroinitializer, %look.i ]
  %slice1.3.i = phi i64 [ %26, %tick.i ], [ %22, %trap.i ], [ %22, %look.i ]
  %28 = and <8 x i64> %slot3.1.i, <i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1>
  %29 = icmp eq <8 x i64> %28, zeroinitializer
  %30 = xor <8 x i1> %29, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %31 = and <8 x i1> %live.2.i, %30
  %32 = and <8 x i1> %live.2.i, %29
  %33 = sdiv <8 x i64> %slot3.1.i, <i64 2, i64 2, i64 2, i64 2, i64 2, i64 2, i64 2, i64 2>
  %34 = mul <8 x i64> %slot3.1.i, <i64 3, i64 3, i64 3, i64 3, i64 3, i64 3, i64 3, i64 3>
  %35 = add <8 x i64> %slot3.1.i, <i64 -3074457345618258603, i64 -3074457345618258603, i64 -3074457345618258603, i64 -3074457345618258603, i64 -3074457345618258603, i64 -3074457345618258603, i64 -3074457345618258603, i64 -3074457345618258603>
  %36 = icmp ult <8 x i64> %35, <i64 -6148914691236517205, i64 -6148914691236517205, i64 -6148914691236517205, i64 -6148914691236517205, i64 -6148914691236517205, i64 -6148914691236517205, i64 -6148914691236517205, i64 -6148914691236517205>
  %37 = and <8 x i1> %31, %36
  %38 = bitcast <8 x i1> %37 to i8
  %.not54.i = icmp eq i8 %38, 0
  br i1 %.not54.i, label %on10.i, label %trap9.i, !prof !1

trap.i:                                           ; preds = %look.i
  %39 = load <8 x i64>, ptr %3, align 64
  %40 = select <8 x i1> %24, <8 x i64> <i64 38654705928, i64 38654705928, i64 38654705928, i64 38654705928, i64 38654705928, i64 38654705928, i64 38654705928, i64 38654705928>, <8 x i64> %39
  store <8 x i64> %40, ptr %3, align 64
  %41 = xor <8 x i1> %24, %17
  %42 = bitcast <8 x i1> %41 to i8
  %.not53.i = icmp eq i8 %42, 0
  br i1 %.not53.i, label %loop_end.i, label %on5.i

merge.i:                                          ; preds = %on12.i, %trap11.i, %on10.i, %trap9.i
  %live.6.i = phi <8 x i1> [ %61, %trap11.i ], [ %51, %trap9.i ], [ %live.7.i, %on10.i ], [ %61, %on12.i ]
  %43 = phi <8 x i64> [ zeroinitializer, %trap11.i ], [ zeroinitializer, %trap9.i ], [ %53, %on10.i ], [ %53, %on12.i ]
  %44 = or <8 x i1> %live.6.i, %32
  %45 = select <8 x i1> %live.6.i, <8 x i64> %43, <8 x i64> %slot3.1.i
  %46 = select <8 x i1> %32, <8 x i64> %33, <8 x i64> %45
  %47 = and <8 x i1> %44, %11
  %48 = bitcast <8 x i1> %47 to i8
  %.not58.i = icmp eq i8 %48, 0
  br i1 %.not58.i, label %on14.i, label %trap13.i, !prof !1

trap9.i:                                          ; preds = %on5.i
  %49 = load <8 x i64>, ptr %3, align 64
  %50 = select <8 x i1> %37, <8 x i64> <i64 94489280769, i64 94489280769, i64 94489280769, i64 94489280769, i64 94489280769, i64 94489280769, i64 94489280769, i64 94489280769>, <8 x i64> %49
  store <8 x i64> %50, ptr %3, align 64
  %51 = xor <8 x i1> %37, %31
  %52 = bitcast <8 x i1> %51 to i8
  %.not55.i = icmp eq i8 %52, 0
  br i1 %.not55.i, label %merge.i, label %on10.i

on10.i:                                           ; preds = %trap9.i, %on5.i
  %live.7.i = phi <8 x i1> [ %51, %trap9.i ], [ %31, %on5.i ]
  %53 = add <8 x i64> %34, <i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1>
  %54 = xor <8 x i64> %34, <i64 -1, i64 -1, i64 -1, i64 -1, i64 -1, i64 -1, i64 -1, i64 -1>
  %55 = and <8 x i64> %53, %54
  %56 = icmp slt <8 x i64> %55, zeroinitializer
  %57 = and <8 x i1> %live.7.i, %56
  %58 = bitcast <8 x i1> %57 to i8
  %.not56.i = icmp eq i8 %58, 0
  br i1 %.not56.i, label %merge.i, label %trap11.i, !prof !1

trap11.i:                                         ; preds = %on10.i
  %59 = load <8 x i64>, ptr %3, align 64
  %60 = select <8 x i1> %57, <8 x i64> <i64 103079215361, i64 103079215361, i64 103079215361, i64 103079215361, i64 103079215361, i64 103079215361, i64 103079215361, i64 103079215361>, <8 x i64> %59
  store <8 x i64> %60, ptr %3, align 64
  %61 = xor <8 x i1> %57, %live.7.i
  %62 = bitcast <8 x i1> %61 to i8
  %.not57.i = icmp eq i8 %62, 0
  br i1 %.not57.i, label %merge.i, label %on12.i

on12.i:                                           ; preds = %trap11.i
  br label %merge.i

trap13.i:                                         ; preds = %merge.i
  %63 = load <8 x i64>, ptr %3, align 64
  %64 = select <8 x i1> %47, <8 x i64> <i64 120259084545, i64 120259084545, i64 120259084545, i64 120259084545, i64 120259084545, i64 120259084545, i64 120259084545, i64 120259084545>, <8 x i64> %63
  store <8 x i64> %64, ptr %3, align 64
  %65 = xor <8 x i1> %47, %44
  %66 = bitcast <8 x i1> %65 to i8
  %.not59.i = icmp eq i8 %66, 0
  br i1 %.not59.i, label %loop_end.i, label %on14.i

on14.i:                                           ; preds = %trap13.i, %merge.i
  %.lcssa8 = phi <8 x i1> [ %16, %trap13.i ], [ %16, %merge.i ]
  %.lcssa6 = phi <8 x i64> [ %46, %trap13.i ], [ %46, %merge.i ]
  %.lcssa = phi <8 x i64> [ %8, %trap13.i ], [ %8, %merge.i ]
  %used2.3.i.lcssa = phi <8 x i32> [ %used2.3.i, %trap13.i ], [ %used2.3.i, %merge.i ]
  %slice1.3.i.lcssa = phi i64 [ %slice1.3.i, %trap13.i ], [ %slice1.3.i, %merge.i ]
  %live.9.i = phi <8 x i1> [ %65, %trap13.i ], [ %44, %merge.i ]
  %67 = add i64 %common.0.i.ph, 1
  %68 = select <8 x i1> %live.9.i, <8 x i64> %.lcssa, <8 x i64> %slot4.0.i.ph
  br label %loop.i.outer

kz.fn.0.steps.exit:                               ; preds = %loop_end.i, %loop.i
  %slot4.0.i.ph.lcssa = phi <8 x i64> [ %slot4.0.i.ph, %loop_end.i ], [ %slot4.0.i.ph, %loop.i ]
  %.lcssa7 = phi <8 x i1> [ %16, %loop_end.i ], [ %16, %loop.i ]
  %used2.2.i = phi <8 x i32> [ %used2.0.i, %loop_end.i ], [ %used2.1.i, %loop.i ]
  %69 = load <8 x i64>, ptr %state, align 64
  %70 = zext <8 x i32> %used2.2.i to <8 x i64>
  %.neg = sub <8 x i64> %70, %69
  %71 = add i64 %2, 1
  %.splatinsert3 = insertelement <8 x i64> poison, i64 %71, i64 0
  %.splat4 = shufflevector <8 x i64> %.splatinsert3, <8 x i64> poison, <8 x i32> zeroinitializer
  %72 = load <8 x i64>, ptr %3, align 64
  %73 = getelementptr inbounds i8, ptr %state, i64 576
  %74 = load ptr, ptr %73, align 8
  %75 = add <8 x i64> %.neg, %.splat4
  %76 = getelementptr inbounds i64, ptr %74, i64 %row
  store <8 x i64> %75, ptr %76, align 1
  %77 = getelementptr inbounds i8, ptr %state, i64 552
  %78 = load ptr, ptr %77, align 8
  %79 = trunc <8 x i64> %72 to <8 x i8>
  %80 = getelementptr inbounds i8, ptr %78, i64 %row
  store <8 x i8> %79, ptr %80, align 1
  %81 = getelementptr inbounds i8, ptr %state, i64 560
  %82 = load ptr, ptr %81, align 8
  %83 = lshr <8 x i64> %72, <i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32>
  %84 = trunc nuw <8 x i64> %83 to <8 x i32>
  %85 = getelementptr inbounds i32, ptr %82, i64 %row
  store <8 x i32> %84, ptr %85, align 1
  %86 = getelementptr inbounds i8, ptr %state, i64 568
  %87 = load ptr, ptr %86, align 8
  %88 = trunc <8 x i64> %72 to <8 x i32>
  %89 = lshr <8 x i32> %88, <i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8>
  %90 = getelementptr inbounds i32, ptr %87, i64 %row
  store <8 x i32> %89, ptr %90, align 1
  %91 = getelementptr inbounds i8, ptr %state, i64 536
  %92 = load ptr, ptr %91, align 8
  %93 = select <8 x i1> %.lcssa7, <8 x i64> %slot4.0.i.ph.lcssa, <8 x i64> zeroinitializer
  %94 = getelementptr inbounds i64, ptr %92, i64 %row
  store <8 x i64> %93, ptr %94, align 1
  ret void
}

attributes #0 = { cold noinline nounwind uwtable "prefer-vector-width"="512" }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nounwind uwtable "prefer-vector-width"="512" }

!0 = !{!"branch_weights", i32 1, i32 1048575}
!1 = !{!"branch_weights", i32 1048575, i32 1}
