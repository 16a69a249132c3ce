// SPDX-License-Identifier: Apache-2.0
#include "python/binding/given_cases.h"

#include <utility>

#include "python/binding/interpreter_lock.h"
#include "python/binding/number_columns.h"

namespace komuz::python {

std::optional<GivenCases> given_cases(const py::object& given) {
  if (given.is_none()) return std::nullopt;
  const auto pair = py::reinterpret_borrow<py::tuple>(given);
  GivenCases out;
  out.name = py::cast<std::string>(pair[0]);
  const py::object held = pair[1];
  if (!py::isinstance<NumberColumns>(held)) {
    out.text = py::cast<std::string>(held);
    return out;
  }
  engine::GivenColumns columns = py::cast<const NumberColumns&>(held).given();
  const auto let_go = [](py::object* object) {
    const TakenLock taken;
    delete object;
  };
  columns.memory =
      std::shared_ptr<const void>(std::shared_ptr<py::object>(new py::object(held), let_go));
  out.columns = std::make_shared<const engine::GivenColumns>(std::move(columns));
  return out;
}

}  // namespace komuz::python
