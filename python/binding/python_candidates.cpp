// SPDX-License-Identifier: Apache-2.0
#include "python/binding/python_candidates.h"

namespace komuz::python {

namespace py = pybind11;

void PythonCandidates::read(engine::CandidateBatch& batch, size_t most) {
  if (has_ended_ || run_.is_stopping()) return;
  const py::gil_scoped_acquire acquired;
  try {
    for (; most > 0 && batch.text_bytes() < engine::kMaxBatchText; --most) {
      if (iterator_ == py::iterator::sentinel()) {
        has_ended_ = true;
        return;
      }
      const auto pair = py::reinterpret_borrow<py::tuple>(*iterator_);
      const auto text_of = [&](size_t k) {
        Py_ssize_t size = 0;
        const char* const bytes = PyUnicode_AsUTF8AndSize(py::object(pair[k]).ptr(), &size);
        if (bytes == nullptr) throw py::error_already_set();
        return std::string_view(bytes, static_cast<size_t>(size));
      };
      ++given_;
      const std::string_view id = text_of(0), source = text_of(1);
      batch.rows.push_back({.id = batch.keep(id.empty() ? std::to_string(given_) : id),
                            .source = batch.keep(source),
                            .error = {}});
      ++iterator_;
    }
  } catch (py::error_already_set& error) {
    has_ended_ = true;
    run_.fail(std::move(error));
  }
}

void KeptTexts::read(engine::CandidateBatch& batch, size_t most) {
  const size_t known = batch.rows.size();
  source_.read(batch, most);
  std::unique_lock<std::mutex> lock;
  if (mutex_ != nullptr) lock = std::unique_lock(*mutex_);
  for (size_t k = known; k < batch.rows.size(); ++k) texts_.add(batch.rows[k].source);
}

}  // namespace komuz::python
