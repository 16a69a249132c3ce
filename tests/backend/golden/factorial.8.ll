; ModuleID = 'komuz'
source_filename = "komuz"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: nounwind uwtable
define internal void @kz.fn.0.factorial(ptr %state, ptr %out, i64 %slice, <8 x i32> %used, <8 x i1> %mask, i32 %live3, <8 x i64> %0) #0 {
entry:
  %out10 = alloca { i64, <8 x i32>, <8 x i1>, <8 x i64> }, align 64
  %1 = icmp slt <8 x i64> %0, <i64 2, i64 2, i64 2, i64 2, i64 2, i64 2, i64 2, i64 2>
  %2 = xor <8 x i1> %1, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %3 = and <8 x i1> %2, %mask
  %4 = bitcast <8 x i1> %3 to i8
  %.not = icmp eq i8 %4, 0
  br i1 %.not, label %merge, label %on

merge:                                            ; preds = %returned11, %on13, %trap12, %callee_trapped, %trap8, %trap_all, %entry
  %live.0 = phi <8 x i1> [ zeroinitializer, %trap_all ], [ %82, %trap12 ], [ %44, %callee_trapped ], [ %38, %trap8 ], [ %3, %entry ], [ %live.4, %returned11 ], [ %82, %on13 ]
  %used2.0 = phi <8 x i32> [ %used, %trap_all ], [ %29, %trap12 ], [ %29, %callee_trapped ], [ zeroinitializer, %trap8 ], [ %used, %entry ], [ %29, %returned11 ], [ %29, %on13 ]
  %slice1.0 = phi i64 [ %slice, %trap_all ], [ %27, %trap12 ], [ %27, %callee_trapped ], [ %20, %trap8 ], [ %slice, %entry ], [ %27, %returned11 ], [ %27, %on13 ]
  %5 = phi <8 x i64> [ zeroinitializer, %trap_all ], [ zeroinitializer, %trap12 ], [ zeroinitializer, %callee_trapped ], [ zeroinitializer, %trap8 ], [ zeroinitializer, %entry ], [ %48, %returned11 ], [ %48, %on13 ]
  %6 = and <8 x i1> %1, %mask
  %7 = or <8 x i1> %live.0, %6
  %8 = select <8 x i1> %6, <8 x i64> <i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1>, <8 x i64> %5
  store i64 %slice1.0, ptr %out, align 8
  %9 = getelementptr inbounds i8, ptr %out, i64 32
  store <8 x i32> %used2.0, ptr %9, align 32
  %10 = getelementptr inbounds i8, ptr %out, i64 64
  store <8 x i1> %7, ptr %10, align 1
  %11 = getelementptr inbounds i8, ptr %out, i64 128
  store <8 x i64> %8, ptr %11, align 64
  ret void

on:                                               ; preds = %entry
  %12 = add <8 x i64> %0, <i64 -1, i64 -1, i64 -1, i64 -1, i64 -1, i64 -1, i64 -1, i64 -1>
  %13 = icmp eq i32 %live3, 20
  br i1 %13, label %trap_all, label %on6, !prof !0

trap_all:                                         ; preds = %on
  %14 = getelementptr inbounds i8, ptr %state, i64 256
  %15 = load <8 x i64>, ptr %14, align 64
  %16 = select <8 x i1> %3, <8 x i64> <i64 42949673222, i64 42949673222, i64 42949673222, i64 42949673222, i64 42949673222, i64 42949673222, i64 42949673222, i64 42949673222>, <8 x i64> %15
  store <8 x i64> %16, ptr %14, align 64
  br label %merge

on6:                                              ; preds = %on
  %17 = icmp eq i64 %slice, 0
  br i1 %17, label %look, label %tick, !prof !0

look:                                             ; preds = %on6
  %18 = zext <8 x i1> %3 to <8 x i64>
  %19 = call { i64, <8 x i1> } @kz.look(ptr %state, <8 x i32> %used, <8 x i1> %3, <8 x i64> %18)
  %20 = extractvalue { i64, <8 x i1> } %19, 0
  %21 = extractvalue { i64, <8 x i1> } %19, 1
  %22 = and <8 x i1> %3, %21
  %23 = bitcast <8 x i1> %22 to i8
  %.not47 = icmp eq i8 %23, 0
  br i1 %.not47, label %on7, label %trap8, !prof !1

tick:                                             ; preds = %on6
  %24 = add i64 %slice, -1
  %.neg = zext <8 x i1> %3 to <8 x i32>
  %25 = add <8 x i32> %.neg, %used
  br label %on7

on7:                                              ; preds = %look, %trap8, %tick
  %live.2 = phi <8 x i1> [ %3, %tick ], [ %38, %trap8 ], [ %3, %look ]
  %used2.1 = phi <8 x i32> [ %25, %tick ], [ zeroinitializer, %trap8 ], [ zeroinitializer, %look ]
  %slice1.1 = phi i64 [ %24, %tick ], [ %20, %trap8 ], [ %20, %look ]
  %26 = add i32 %live3, 1
  call void @kz.fn.0.factorial(ptr %state, ptr nonnull %out10, i64 %slice1.1, <8 x i32> %used2.1, <8 x i1> %live.2, i32 %26, <8 x i64> %12)
  %27 = load i64, ptr %out10, align 8
  %28 = getelementptr inbounds i8, ptr %out10, i64 32
  %29 = load <8 x i32>, ptr %28, align 32
  %30 = getelementptr inbounds i8, ptr %out10, i64 64
  %31 = load <8 x i1>, ptr %30, align 1
  %32 = xor <8 x i1> %31, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %33 = and <8 x i1> %live.2, %32
  %34 = bitcast <8 x i1> %33 to i8
  %.not49 = icmp eq i8 %34, 0
  br i1 %.not49, label %returned11, label %callee_trapped, !prof !1

trap8:                                            ; preds = %look
  %35 = getelementptr inbounds i8, ptr %state, i64 256
  %36 = load <8 x i64>, ptr %35, align 64
  %37 = select <8 x i1> %22, <8 x i64> <i64 42949673224, i64 42949673224, i64 42949673224, i64 42949673224, i64 42949673224, i64 42949673224, i64 42949673224, i64 42949673224>, <8 x i64> %36
  store <8 x i64> %37, ptr %35, align 64
  %38 = xor <8 x i1> %22, %3
  %39 = bitcast <8 x i1> %38 to i8
  %.not48 = icmp eq i8 %39, 0
  br i1 %.not48, label %merge, label %on7

callee_trapped:                                   ; preds = %on7
  %40 = getelementptr inbounds i8, ptr %state, i64 256
  %41 = load <8 x i64>, ptr %40, align 64
  %42 = add <8 x i64> %41, <i64 256, i64 256, i64 256, i64 256, i64 256, i64 256, i64 256, i64 256>
  %43 = select <8 x i1> %33, <8 x i64> %42, <8 x i64> %41
  store <8 x i64> %43, ptr %40, align 64
  %44 = and <8 x i1> %live.2, %31
  %45 = bitcast <8 x i1> %44 to i8
  %.not50 = icmp eq i8 %45, 0
  br i1 %.not50, label %merge, label %returned11

returned11:                                       ; preds = %callee_trapped, %on7
  %live.4 = phi <8 x i1> [ %44, %callee_trapped ], [ %live.2, %on7 ]
  %46 = getelementptr inbounds i8, ptr %out10, i64 128
  %47 = load <8 x i64>, ptr %46, align 64
  %48 = mul <8 x i64> %47, %0
  %49 = lshr <8 x i64> %48, <i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32>
  %50 = xor <8 x i64> %49, <i64 4985484789646622720, i64 4985484789646622720, i64 4985484789646622720, i64 4985484789646622720, i64 4985484789646622720, i64 4985484789646622720, i64 4985484789646622720, i64 4985484789646622720>
  %51 = bitcast <8 x i64> %50 to <8 x double>
  %52 = and <8 x i64> %48, <i64 4294967295, i64 4294967295, i64 4294967295, i64 4294967295, i64 4294967295, i64 4294967295, i64 4294967295, i64 4294967295>
  %53 = or disjoint <8 x i64> %52, <i64 4841369599423283200, i64 4841369599423283200, i64 4841369599423283200, i64 4841369599423283200, i64 4841369599423283200, i64 4841369599423283200, i64 4841369599423283200, i64 4841369599423283200>
  %54 = bitcast <8 x i64> %53 to <8 x double>
  %55 = fadd <8 x double> %51, <double 0xC530000080100000, double 0xC530000080100000, double 0xC530000080100000, double 0xC530000080100000, double 0xC530000080100000, double 0xC530000080100000, double 0xC530000080100000, double 0xC530000080100000>
  %56 = fadd <8 x double> %55, %54
  %57 = lshr <8 x i64> %47, <i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32>
  %58 = xor <8 x i64> %57, <i64 4985484789646622720, i64 4985484789646622720, i64 4985484789646622720, i64 4985484789646622720, i64 4985484789646622720, i64 4985484789646622720, i64 4985484789646622720, i64 4985484789646622720>
  %59 = bitcast <8 x i64> %58 to <8 x double>
  %60 = and <8 x i64> %47, <i64 4294967295, i64 4294967295, i64 4294967295, i64 4294967295, i64 4294967295, i64 4294967295, i64 4294967295, i64 4294967295>
  %61 = or disjoint <8 x i64> %60, <i64 4841369599423283200, i64 4841369599423283200, i64 4841369599423283200, i64 4841369599423283200, i64 4841369599423283200, i64 4841369599423283200, i64 4841369599423283200, i64 4841369599423283200>
  %62 = bitcast <8 x i64> %61 to <8 x double>
  %63 = fadd <8 x double> %59, <double 0xC530000080100000, double 0xC530000080100000, double 0xC530000080100000, double 0xC530000080100000, double 0xC530000080100000, double 0xC530000080100000, double 0xC530000080100000, double 0xC530000080100000>
  %64 = fadd <8 x double> %63, %62
  %65 = lshr <8 x i64> %0, <i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32>
  %66 = xor <8 x i64> %65, <i64 4985484789646622720, i64 4985484789646622720, i64 4985484789646622720, i64 4985484789646622720, i64 4985484789646622720, i64 4985484789646622720, i64 4985484789646622720, i64 4985484789646622720>
  %67 = bitcast <8 x i64> %66 to <8 x double>
  %68 = and <8 x i64> %0, <i64 4294967295, i64 4294967295, i64 4294967295, i64 4294967295, i64 4294967295, i64 4294967295, i64 4294967295, i64 4294967295>
  %69 = or disjoint <8 x i64> %68, <i64 4841369599423283200, i64 4841369599423283200, i64 4841369599423283200, i64 4841369599423283200, i64 4841369599423283200, i64 4841369599423283200, i64 4841369599423283200, i64 4841369599423283200>
  %70 = bitcast <8 x i64> %69 to <8 x double>
  %71 = fadd <8 x double> %67, <double 0xC530000080100000, double 0xC530000080100000, double 0xC530000080100000, double 0xC530000080100000, double 0xC530000080100000, double 0xC530000080100000, double 0xC530000080100000, double 0xC530000080100000>
  %72 = fadd <8 x double> %71, %70
  %73 = fmul <8 x double> %72, %64
  %74 = fsub <8 x double> %73, %56
  %75 = call <8 x double> @llvm.fabs.v8f64(<8 x double> %74)
  %76 = fcmp ogt <8 x double> %75, <double 0x43D0000000000000, double 0x43D0000000000000, double 0x43D0000000000000, double 0x43D0000000000000, double 0x43D0000000000000, double 0x43D0000000000000, double 0x43D0000000000000, double 0x43D0000000000000>
  %77 = and <8 x i1> %live.4, %76
  %78 = bitcast <8 x i1> %77 to i8
  %.not51 = icmp eq i8 %78, 0
  br i1 %.not51, label %merge, label %trap12, !prof !1

trap12:                                           ; preds = %returned11
  %79 = getelementptr inbounds i8, ptr %state, i64 256
  %80 = load <8 x i64>, ptr %79, align 64
  %81 = select <8 x i1> %77, <8 x i64> <i64 47244640513, i64 47244640513, i64 47244640513, i64 47244640513, i64 47244640513, i64 47244640513, i64 47244640513, i64 47244640513>, <8 x i64> %80
  store <8 x i64> %81, ptr %79, align 64
  %82 = xor <8 x i1> %77, %live.4
  %83 = bitcast <8 x i1> %82 to i8
  %.not52 = icmp eq i8 %83, 0
  br i1 %.not52, label %merge, label %on13

on13:                                             ; preds = %trap12
  br label %merge
}

; Function Attrs: cold noinline nounwind uwtable
define internal { i64, <8 x i1> } @kz.look(ptr %0, <8 x i32> %1, <8 x i1> %2, <8 x i64> %3) #1 {
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
declare i64 @llvm.vector.reduce.umin.v8i64(<8 x i64>) #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.umin.i64(i64, i64) #2

; Function Attrs: nounwind uwtable
define void @f_case(ptr %state, ptr %columns, i64 %row, i64 %count) #0 {
entry:
  %.splatinsert = insertelement <8 x i64> poison, i64 %count, i64 0
  %.splat = shufflevector <8 x i64> %.splatinsert, <8 x i64> poison, <8 x i32> zeroinitializer
  %0 = icmp ugt <8 x i64> %.splat, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %1 = alloca { i64, <8 x i32>, <8 x i1>, <8 x i64> }, align 64
  %2 = getelementptr inbounds i8, ptr %state, i64 512
  %3 = load i64, ptr %2, align 8
  %4 = getelementptr inbounds i8, ptr %state, i64 256
  %.splatinsert1 = insertelement <8 x i64> poison, i64 %3, i64 0
  %.splat2 = shufflevector <8 x i64> %.splatinsert1, <8 x i64> poison, <8 x i32> zeroinitializer
  store <8 x i64> %.splat2, ptr %state, align 64
  store <8 x i64> zeroinitializer, ptr %4, align 64
  %5 = call i64 @llvm.umin.i64(i64 %3, i64 16384)
  %6 = load ptr, ptr %columns, align 8
  %7 = getelementptr inbounds i64, ptr %6, i64 %row
  %8 = load <8 x i64>, ptr %7, align 1
  call void @kz.fn.0.factorial(ptr nonnull %state, ptr nonnull %1, i64 %5, <8 x i32> zeroinitializer, <8 x i1> %0, i32 1, <8 x i64> %8)
  %9 = load <8 x i64>, ptr %state, align 64
  %10 = getelementptr inbounds i8, ptr %1, i64 32
  %11 = load <8 x i32>, ptr %10, align 32
  %12 = zext <8 x i32> %11 to <8 x i64>
  %.neg = sub <8 x i64> %12, %9
  %13 = add i64 %3, 1
  %.splatinsert3 = insertelement <8 x i64> poison, i64 %13, i64 0
  %.splat4 = shufflevector <8 x i64> %.splatinsert3, <8 x i64> poison, <8 x i32> zeroinitializer
  %14 = load <8 x i64>, ptr %4, align 64
  %15 = getelementptr inbounds i8, ptr %state, i64 576
  %16 = load ptr, ptr %15, align 8
  %17 = add <8 x i64> %.neg, %.splat4
  %18 = getelementptr inbounds i64, ptr %16, i64 %row
  store <8 x i64> %17, ptr %18, align 1
  %19 = getelementptr inbounds i8, ptr %state, i64 552
  %20 = load ptr, ptr %19, align 8
  %21 = trunc <8 x i64> %14 to <8 x i8>
  %22 = getelementptr inbounds i8, ptr %20, i64 %row
  store <8 x i8> %21, ptr %22, align 1
  %23 = getelementptr inbounds i8, ptr %state, i64 560
  %24 = load ptr, ptr %23, align 8
  %25 = lshr <8 x i64> %14, <i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32>
  %26 = trunc nuw <8 x i64> %25 to <8 x i32>
  %27 = getelementptr inbounds i32, ptr %24, i64 %row
  store <8 x i32> %26, ptr %27, align 1
  %28 = getelementptr inbounds i8, ptr %state, i64 568
  %29 = load ptr, ptr %28, align 8
  %30 = trunc <8 x i64> %14 to <8 x i32>
  %31 = lshr <8 x i32> %30, <i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8>
  %32 = getelementptr inbounds i32, ptr %29, i64 %row
  store <8 x i32> %31, ptr %32, align 1
  %33 = getelementptr inbounds i8, ptr %state, i64 536
  %34 = load ptr, ptr %33, align 8
  %35 = getelementptr inbounds i8, ptr %1, i64 64
  %36 = load <8 x i1>, ptr %35, align 1
  %37 = getelementptr inbounds i8, ptr %1, i64 128
  %38 = load <8 x i64>, ptr %37, align 64
  %39 = select <8 x i1> %36, <8 x i64> %38, <8 x i64> zeroinitializer
  %40 = getelementptr inbounds i64, ptr %34, i64 %row
  store <8 x i64> %39, ptr %40, align 1
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare <8 x double> @llvm.fabs.v8f64(<8 x double>) #2

attributes #0 = { nounwind uwtable "prefer-vector-width"="512" }
attributes #1 = { cold noinline nounwind uwtable "prefer-vector-width"="512" }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!0 = !{!"branch_weights", i32 1, i32 1048575}
!1 = !{!"branch_weights", i32 1048575, i32 1}
