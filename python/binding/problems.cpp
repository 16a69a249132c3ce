// SPDX-License-Identifier: Apache-2.0
#include "python/binding/problems.h"

namespace komuz::python {
namespace {

const char* class_of(ProblemKind kind) {
  switch (kind) {
    case ProblemKind::Input: return "InputError";
    case ProblemKind::Option: return "OptionError";
    case ProblemKind::Device: return "DeviceError";
    case ProblemKind::Stop: break;  // see below
  }
  return "Error";
}
ProblemKind kind_of(const Problem& problem) {
  for (const ProblemKind kind : {ProblemKind::Option, ProblemKind::Device, ProblemKind::Stop})
    if (problem.is(kind)) return kind;
  return ProblemKind::Input;
}

void set_python_error(const Problem& problem) {
  if (problem.is(ProblemKind::Stop)) return PyErr_SetNone(PyExc_KeyboardInterrupt);
  const py::object made = error_class(class_of(kind_of(problem)));
  const InputPlace& place = problem.place();
  const py::object error =
      made(problem.message(), py::arg("remedy") = problem.remedy(), py::arg("file") = place.file,
           py::arg("line") = place.line, py::arg("column") = place.column);
  PyErr_SetObject(made.ptr(), error.ptr());
}

}  // namespace

py::object error_class(const char* name) { return py::module_::import("komuz._errors").attr(name); }

void raise(Problem problem) {
  if (problem) throw Raised{std::move(problem)};
}

void register_problems() {
  py::register_local_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Raised& raised) {
      set_python_error(raised.problem);
    }
  });
}

}  // namespace komuz::python
