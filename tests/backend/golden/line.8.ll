; ModuleID = 'komuz'
source_filename = "komuz"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: noinline nounwind willreturn memory(none) uwtable
define internal <8 x double> @kz.EXP.f64.v8(<8 x double> %0) #0 {
  %2 = fcmp olt <8 x double> %0, <double -8.000000e+02, double -8.000000e+02, double -8.000000e+02, double -8.000000e+02, double -8.000000e+02, double -8.000000e+02, double -8.000000e+02, double -8.000000e+02>
  %3 = select <8 x i1> %2, <8 x double> <double -8.000000e+02, double -8.000000e+02, double -8.000000e+02, double -8.000000e+02, double -8.000000e+02, double -8.000000e+02, double -8.000000e+02, double -8.000000e+02>, <8 x double> %0
  %4 = fcmp ogt <8 x double> %0, <double 8.000000e+02, double 8.000000e+02, double 8.000000e+02, double 8.000000e+02, double 8.000000e+02, double 8.000000e+02, double 8.000000e+02, double 8.000000e+02>
  %5 = select <8 x i1> %4, <8 x double> <double 8.000000e+02, double 8.000000e+02, double 8.000000e+02, double 8.000000e+02, double 8.000000e+02, double 8.000000e+02, double 8.000000e+02, double 8.000000e+02>, <8 x double> %3
  %6 = fmul <8 x double> %5, <double 0x3FF71547652B82FE, double 0x3FF71547652B82FE, double 0x3FF71547652B82FE, double 0x3FF71547652B82FE, double 0x3FF71547652B82FE, double 0x3FF71547652B82FE, double 0x3FF71547652B82FE, double 0x3FF71547652B82FE>
  %7 = fadd <8 x double> %6, <double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000>
  %8 = fadd <8 x double> %7, <double 0xC338000000000000, double 0xC338000000000000, double 0xC338000000000000, double 0xC338000000000000, double 0xC338000000000000, double 0xC338000000000000, double 0xC338000000000000, double 0xC338000000000000>
  %9 = fmul <8 x double> %8, <double 0x3FE62E42FEFA3800, double 0x3FE62E42FEFA3800, double 0x3FE62E42FEFA3800, double 0x3FE62E42FEFA3800, double 0x3FE62E42FEFA3800, double 0x3FE62E42FEFA3800, double 0x3FE62E42FEFA3800, double 0x3FE62E42FEFA3800>
  %10 = fsub <8 x double> %5, %9
  %11 = fmul <8 x double> %8, <double 0xBD2EF35793C76730, double 0xBD2EF35793C76730, double 0xBD2EF35793C76730, double 0xBD2EF35793C76730, double 0xBD2EF35793C76730, double 0xBD2EF35793C76730, double 0xBD2EF35793C76730, double 0xBD2EF35793C76730>
  %12 = fadd <8 x double> %10, %11
  %13 = fsub <8 x double> %12, %10
  %14 = fsub <8 x double> %11, %13
  %15 = fsub <8 x double> %12, %13
  %16 = fsub <8 x double> %10, %15
  %17 = fadd <8 x double> %16, %14
  %18 = fadd <8 x double> %12, <double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00, double 1.000000e+00>
  %19 = fadd <8 x double> %18, <double -1.000000e+00, double -1.000000e+00, double -1.000000e+00, double -1.000000e+00, double -1.000000e+00, double -1.000000e+00, double -1.000000e+00, double -1.000000e+00>
  %20 = fsub <8 x double> %12, %19
  %21 = fmul <8 x double> %12, <double 5.000000e-01, double 5.000000e-01, double 5.000000e-01, double 5.000000e-01, double 5.000000e-01, double 5.000000e-01, double 5.000000e-01, double 5.000000e-01>
  %22 = fadd <8 x double> %21, %17
  %23 = fmul <8 x double> %12, <double 0x3E21F66D957D0EF0, double 0x3E21F66D957D0EF0, double 0x3E21F66D957D0EF0, double 0x3E21F66D957D0EF0, double 0x3E21F66D957D0EF0, double 0x3E21F66D957D0EF0, double 0x3E21F66D957D0EF0, double 0x3E21F66D957D0EF0>
  %24 = fadd <8 x double> %23, <double 0x3E5AF389EEA54156, double 0x3E5AF389EEA54156, double 0x3E5AF389EEA54156, double 0x3E5AF389EEA54156, double 0x3E5AF389EEA54156, double 0x3E5AF389EEA54156, double 0x3E5AF389EEA54156, double 0x3E5AF389EEA54156>
  %25 = fmul <8 x double> %24, %12
  %26 = fadd <8 x double> %25, <double 0x3E927E4E1F71BCBB, double 0x3E927E4E1F71BCBB, double 0x3E927E4E1F71BCBB, double 0x3E927E4E1F71BCBB, double 0x3E927E4E1F71BCBB, double 0x3E927E4E1F71BCBB, double 0x3E927E4E1F71BCBB, double 0x3E927E4E1F71BCBB>
  %27 = fmul <8 x double> %26, %12
  %28 = fadd <8 x double> %27, <double 0x3EC71DE0DB2EB873, double 0x3EC71DE0DB2EB873, double 0x3EC71DE0DB2EB873, double 0x3EC71DE0DB2EB873, double 0x3EC71DE0DB2EB873, double 0x3EC71DE0DB2EB873, double 0x3EC71DE0DB2EB873, double 0x3EC71DE0DB2EB873>
  %29 = fmul <8 x double> %28, %12
  %30 = fadd <8 x double> %29, <double 0x3EFA01A01A47A5AB, double 0x3EFA01A01A47A5AB, double 0x3EFA01A01A47A5AB, double 0x3EFA01A01A47A5AB, double 0x3EFA01A01A47A5AB, double 0x3EFA01A01A47A5AB, double 0x3EFA01A01A47A5AB, double 0x3EFA01A01A47A5AB>
  %31 = fmul <8 x double> %30, %12
  %32 = fadd <8 x double> %31, <double 0x3F2A01A01A7C2F2C, double 0x3F2A01A01A7C2F2C, double 0x3F2A01A01A7C2F2C, double 0x3F2A01A01A7C2F2C, double 0x3F2A01A01A7C2F2C, double 0x3F2A01A01A7C2F2C, double 0x3F2A01A01A7C2F2C, double 0x3F2A01A01A7C2F2C>
  %33 = fmul <8 x double> %32, %12
  %34 = fadd <8 x double> %33, <double 0x3F56C16C16C167E2, double 0x3F56C16C16C167E2, double 0x3F56C16C16C167E2, double 0x3F56C16C16C167E2, double 0x3F56C16C16C167E2, double 0x3F56C16C16C167E2, double 0x3F56C16C16C167E2, double 0x3F56C16C16C167E2>
  %35 = fmul <8 x double> %34, %12
  %36 = fadd <8 x double> %35, <double 0x3F811111111109B5, double 0x3F811111111109B5, double 0x3F811111111109B5, double 0x3F811111111109B5, double 0x3F811111111109B5, double 0x3F811111111109B5, double 0x3F811111111109B5, double 0x3F811111111109B5>
  %37 = fmul <8 x double> %36, %12
  %38 = fadd <8 x double> %37, <double 0x3FA5555555555555, double 0x3FA5555555555555, double 0x3FA5555555555555, double 0x3FA5555555555555, double 0x3FA5555555555555, double 0x3FA5555555555555, double 0x3FA5555555555555, double 0x3FA5555555555555>
  %39 = fmul <8 x double> %38, %12
  %40 = fadd <8 x double> %39, <double 0x3FC5555555555556, double 0x3FC5555555555556, double 0x3FC5555555555556, double 0x3FC5555555555556, double 0x3FC5555555555556, double 0x3FC5555555555556, double 0x3FC5555555555556, double 0x3FC5555555555556>
  %41 = fmul <8 x double> %12, %12
  %42 = fmul <8 x double> %41, %40
  %43 = fadd <8 x double> %22, %42
  %44 = fmul <8 x double> %12, %43
  %45 = fadd <8 x double> %17, %44
  %46 = fadd <8 x double> %20, %45
  %47 = fadd <8 x double> %18, %46
  %48 = fmul <8 x double> %8, <double 5.000000e-01, double 5.000000e-01, double 5.000000e-01, double 5.000000e-01, double 5.000000e-01, double 5.000000e-01, double 5.000000e-01, double 5.000000e-01>
  %49 = fadd <8 x double> %48, <double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000>
  %50 = fadd <8 x double> %49, <double 0xC338000000000000, double 0xC338000000000000, double 0xC338000000000000, double 0xC338000000000000, double 0xC338000000000000, double 0xC338000000000000, double 0xC338000000000000, double 0xC338000000000000>
  %51 = fsub <8 x double> %8, %50
  %52 = fadd <8 x double> %51, <double 0x43300000000003FF, double 0x43300000000003FF, double 0x43300000000003FF, double 0x43300000000003FF, double 0x43300000000003FF, double 0x43300000000003FF, double 0x43300000000003FF, double 0x43300000000003FF>
  %53 = bitcast <8 x double> %52 to <8 x i64>
  %54 = shl <8 x i64> %53, <i64 52, i64 52, i64 52, i64 52, i64 52, i64 52, i64 52, i64 52>
  %55 = bitcast <8 x i64> %54 to <8 x double>
  %56 = fadd <8 x double> %50, <double 0x43300000000003FF, double 0x43300000000003FF, double 0x43300000000003FF, double 0x43300000000003FF, double 0x43300000000003FF, double 0x43300000000003FF, double 0x43300000000003FF, double 0x43300000000003FF>
  %57 = bitcast <8 x double> %56 to <8 x i64>
  %58 = shl <8 x i64> %57, <i64 52, i64 52, i64 52, i64 52, i64 52, i64 52, i64 52, i64 52>
  %59 = bitcast <8 x i64> %58 to <8 x double>
  %60 = fmul <8 x double> %47, %59
  %61 = fmul <8 x double> %60, %55
  ret <8 x double> %61
}

; Function Attrs: nounwind uwtable
define void @f_case(ptr %state, ptr %columns, i64 %row, i64 %count) #1 {
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
  %4 = load ptr, ptr %columns, align 8
  %5 = getelementptr inbounds double, ptr %4, i64 %row
  %6 = load <8 x double>, ptr %5, align 1
  %7 = getelementptr inbounds i8, ptr %columns, i64 8
  %8 = load ptr, ptr %7, align 8
  %9 = getelementptr inbounds i64, ptr %8, i64 %row
  %10 = load <8 x i64>, ptr %9, align 1
  %11 = fmul <8 x double> %6, <double 2.000000e+00, double 2.000000e+00, double 2.000000e+00, double 2.000000e+00, double 2.000000e+00, double 2.000000e+00, double 2.000000e+00, double 2.000000e+00>
  %12 = mul <8 x i64> %10, <i64 3, i64 3, i64 3, i64 3, i64 3, i64 3, i64 3, i64 3>
  %13 = add <8 x i64> %10, <i64 -3074457345618258603, i64 -3074457345618258603, i64 -3074457345618258603, i64 -3074457345618258603, i64 -3074457345618258603, i64 -3074457345618258603, i64 -3074457345618258603, i64 -3074457345618258603>
  %14 = icmp ult <8 x i64> %13, <i64 -6148914691236517205, i64 -6148914691236517205, i64 -6148914691236517205, i64 -6148914691236517205, i64 -6148914691236517205, i64 -6148914691236517205, i64 -6148914691236517205, i64 -6148914691236517205>
  %15 = and <8 x i1> %14, %0
  %16 = bitcast <8 x i1> %15 to i8
  %.not.i = icmp eq i8 %16, 0
  br i1 %.not.i, label %on.i, label %trap.i, !prof !0

trap.i:                                           ; preds = %entry
  %17 = select <8 x i1> %15, <8 x i64> <i64 21474836737, i64 21474836737, i64 21474836737, i64 21474836737, i64 21474836737, i64 21474836737, i64 21474836737, i64 21474836737>, <8 x i64> zeroinitializer
  store <8 x i64> %17, ptr %3, align 64
  %18 = xor <8 x i1> %15, %0
  %19 = bitcast <8 x i1> %18 to i8
  %.not8.i = icmp eq i8 %19, 0
  br i1 %.not8.i, label %kz.fn.0.line.exit, label %on.i

on.i:                                             ; preds = %trap.i, %entry
  %live.0.i = phi <8 x i1> [ %18, %trap.i ], [ %0, %entry ]
  %20 = lshr <8 x i64> %12, <i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32>
  %21 = xor <8 x i64> %20, <i64 4985484789646622720, i64 4985484789646622720, i64 4985484789646622720, i64 4985484789646622720, i64 4985484789646622720, i64 4985484789646622720, i64 4985484789646622720, i64 4985484789646622720>
  %22 = bitcast <8 x i64> %21 to <8 x double>
  %23 = and <8 x i64> %12, <i64 4294967295, i64 4294967295, i64 4294967295, i64 4294967295, i64 4294967295, i64 4294967295, i64 4294967295, i64 4294967295>
  %24 = or disjoint <8 x i64> %23, <i64 4841369599423283200, i64 4841369599423283200, i64 4841369599423283200, i64 4841369599423283200, i64 4841369599423283200, i64 4841369599423283200, i64 4841369599423283200, i64 4841369599423283200>
  %25 = bitcast <8 x i64> %24 to <8 x double>
  %26 = fadd <8 x double> %22, <double 0xC530000080100000, double 0xC530000080100000, double 0xC530000080100000, double 0xC530000080100000, double 0xC530000080100000, double 0xC530000080100000, double 0xC530000080100000, double 0xC530000080100000>
  %27 = fadd <8 x double> %26, %25
  %28 = call <8 x double> @kz.EXP.f64.v8(<8 x double> %27)
  %29 = fadd <8 x double> %11, %28
  br label %kz.fn.0.line.exit

kz.fn.0.line.exit:                                ; preds = %trap.i, %on.i
  %returned.0.i = phi <8 x i1> [ %live.0.i, %on.i ], [ zeroinitializer, %trap.i ]
  %result.0.i = phi <8 x double> [ %29, %on.i ], [ zeroinitializer, %trap.i ]
  %30 = load <8 x i64>, ptr %state, align 64
  %31 = add i64 %2, 1
  %.splatinsert3 = insertelement <8 x i64> poison, i64 %31, i64 0
  %.splat4 = shufflevector <8 x i64> %.splatinsert3, <8 x i64> poison, <8 x i32> zeroinitializer
  %32 = load <8 x i64>, ptr %3, align 64
  %33 = getelementptr inbounds i8, ptr %state, i64 576
  %34 = load ptr, ptr %33, align 8
  %35 = sub <8 x i64> %.splat4, %30
  %36 = getelementptr inbounds i64, ptr %34, i64 %row
  store <8 x i64> %35, ptr %36, align 1
  %37 = getelementptr inbounds i8, ptr %state, i64 552
  %38 = load ptr, ptr %37, align 8
  %39 = trunc <8 x i64> %32 to <8 x i8>
  %40 = getelementptr inbounds i8, ptr %38, i64 %row
  store <8 x i8> %39, ptr %40, align 1
  %41 = getelementptr inbounds i8, ptr %state, i64 560
  %42 = load ptr, ptr %41, align 8
  %43 = lshr <8 x i64> %32, <i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32>
  %44 = trunc nuw <8 x i64> %43 to <8 x i32>
  %45 = getelementptr inbounds i32, ptr %42, i64 %row
  store <8 x i32> %44, ptr %45, align 1
  %46 = getelementptr inbounds i8, ptr %state, i64 568
  %47 = load ptr, ptr %46, align 8
  %48 = trunc <8 x i64> %32 to <8 x i32>
  %49 = lshr <8 x i32> %48, <i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8>
  %50 = getelementptr inbounds i32, ptr %47, i64 %row
  store <8 x i32> %49, ptr %50, align 1
  %51 = getelementptr inbounds i8, ptr %state, i64 536
  %52 = load ptr, ptr %51, align 8
  %53 = bitcast <8 x double> %result.0.i to <8 x i64>
  %54 = fcmp uno <8 x double> %result.0.i, zeroinitializer
  %55 = select <8 x i1> %54, <8 x i64> <i64 9221120237041090560, i64 9221120237041090560, i64 9221120237041090560, i64 9221120237041090560, i64 9221120237041090560, i64 9221120237041090560, i64 9221120237041090560, i64 9221120237041090560>, <8 x i64> %53
  %56 = select <8 x i1> %returned.0.i, <8 x i64> %55, <8 x i64> zeroinitializer
  %57 = getelementptr inbounds i64, ptr %52, i64 %row
  store <8 x i64> %56, ptr %57, align 1
  ret void
}

attributes #0 = { noinline nounwind willreturn memory(none) uwtable "prefer-vector-width"="512" }
attributes #1 = { nounwind uwtable "prefer-vector-width"="512" }

!0 = !{!"branch_weights", i32 1048575, i32 1}
