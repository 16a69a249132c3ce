; ModuleID = 'komuz'
source_filename = "komuz"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64) #0

; Function Attrs: noinline nounwind willreturn memory(none) uwtable
define internal double @kz.EXP.f64(double %0) #1 {
  %2 = fcmp olt double %0, -8.000000e+02
  %3 = select i1 %2, double -8.000000e+02, double %0
  %4 = fcmp ogt double %0, 8.000000e+02
  %5 = select i1 %4, double 8.000000e+02, double %3
  %6 = fmul double %5, 0x3FF71547652B82FE
  %7 = fadd double %6, 0x4338000000000000
  %8 = fadd double %7, 0xC338000000000000
  %9 = fmul double %8, 0x3FE62E42FEFA3800
  %10 = fsub double %5, %9
  %11 = fmul double %8, 0xBD2EF35793C76730
  %12 = fadd double %10, %11
  %13 = fsub double %12, %10
  %14 = fsub double %11, %13
  %15 = fsub double %12, %13
  %16 = fsub double %10, %15
  %17 = fadd double %16, %14
  %18 = fadd double %12, 1.000000e+00
  %19 = fadd double %18, -1.000000e+00
  %20 = fsub double %12, %19
  %21 = fmul double %12, 5.000000e-01
  %22 = fadd double %21, %17
  %23 = fmul double %12, 0x3E21F66D957D0EF0
  %24 = fadd double %23, 0x3E5AF389EEA54156
  %25 = fmul double %24, %12
  %26 = fadd double %25, 0x3E927E4E1F71BCBB
  %27 = fmul double %26, %12
  %28 = fadd double %27, 0x3EC71DE0DB2EB873
  %29 = fmul double %28, %12
  %30 = fadd double %29, 0x3EFA01A01A47A5AB
  %31 = fmul double %30, %12
  %32 = fadd double %31, 0x3F2A01A01A7C2F2C
  %33 = fmul double %32, %12
  %34 = fadd double %33, 0x3F56C16C16C167E2
  %35 = fmul double %34, %12
  %36 = fadd double %35, 0x3F811111111109B5
  %37 = fmul double %36, %12
  %38 = fadd double %37, 0x3FA5555555555555
  %39 = fmul double %38, %12
  %40 = fadd double %39, 0x3FC5555555555556
  %41 = fmul double %12, %12
  %42 = fmul double %41, %40
  %43 = fadd double %22, %42
  %44 = fmul double %12, %43
  %45 = fadd double %17, %44
  %46 = fadd double %20, %45
  %47 = fadd double %18, %46
  %48 = fmul double %8, 5.000000e-01
  %49 = fadd double %48, 0x4338000000000000
  %50 = fadd double %49, 0xC338000000000000
  %51 = fsub double %8, %50
  %52 = fadd double %51, 0x43300000000003FF
  %53 = bitcast double %52 to i64
  %54 = shl i64 %53, 52
  %55 = bitcast i64 %54 to double
  %56 = fadd double %50, 0x43300000000003FF
  %57 = bitcast double %56 to i64
  %58 = shl i64 %57, 52
  %59 = bitcast i64 %58 to double
  %60 = fmul double %47, %59
  %61 = fmul double %60, %55
  ret double %61
}

; Function Attrs: nounwind uwtable
define i64 @f_case(ptr %state, ptr %columns, i64 %row, ptr %values, i64 %stride) #2 {
entry:
  %0 = load i64, ptr %state, align 8
  %1 = getelementptr inbounds i8, ptr %columns, i64 8
  %2 = load ptr, ptr %1, align 8
  %3 = getelementptr inbounds i64, ptr %2, i64 %row
  %4 = load i64, ptr %3, align 8
  %5 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %4, i64 3)
  %6 = extractvalue { i64, i1 } %5, 1
  br i1 %6, label %trapped.i, label %on.i, !prof !0

trapped.i:                                        ; preds = %entry
  %7 = getelementptr inbounds i8, ptr %state, i64 16
  store i64 21474836737, ptr %7, align 8
  store i64 %0, ptr %state, align 8
  br label %kz.fn.0.line.exit

on.i:                                             ; preds = %entry
  %8 = load ptr, ptr %columns, align 8
  %9 = getelementptr inbounds double, ptr %8, i64 %row
  %10 = load double, ptr %9, align 8
  %11 = extractvalue { i64, i1 } %5, 0
  %12 = fmul double %10, 2.000000e+00
  %13 = sitofp i64 %11 to double
  %14 = call double @kz.EXP.f64(double %13)
  %15 = fadd double %12, %14
  %16 = insertvalue { i64, double } poison, i64 %0, 0
  %17 = insertvalue { i64, double } %16, double %15, 1
  br label %kz.fn.0.line.exit

kz.fn.0.line.exit:                                ; preds = %trapped.i, %on.i
  %common.ret.op.i = phi { i64, double } [ { i64 -1, double poison }, %trapped.i ], [ %17, %on.i ]
  %18 = extractvalue { i64, double } %common.ret.op.i, 0
  %19 = icmp slt i64 %18, 0
  br i1 %19, label %trapped, label %returned

common.ret:                                       ; preds = %returned, %trapped
  %common.ret.op = phi i64 [ %21, %trapped ], [ 0, %returned ]
  ret i64 %common.ret.op

trapped:                                          ; preds = %kz.fn.0.line.exit
  %20 = getelementptr inbounds i8, ptr %state, i64 16
  %21 = load i64, ptr %20, align 8
  br label %common.ret

returned:                                         ; preds = %kz.fn.0.line.exit
  store i64 %18, ptr %state, align 8
  %22 = extractvalue { i64, double } %common.ret.op.i, 1
  %23 = bitcast double %22 to i64
  %24 = fcmp uno double %22, 0.000000e+00
  %25 = select i1 %24, i64 9221120237041090560, i64 %23
  store i64 %25, ptr %values, align 8
  br label %common.ret
}

attributes #0 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { noinline nounwind willreturn memory(none) uwtable }
attributes #2 = { nounwind uwtable }

!0 = !{!"branch_weights", i32 1, i32 1048575}
