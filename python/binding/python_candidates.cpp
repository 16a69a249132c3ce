// SPDX-License-Identifier: Apache-2.0
#include "python/binding/python_candidates.h"

#include "python/binding/interpreter_lock.h"

namespace komuz::python {

namespace py = pybind11;

void PythonCandidates::read(engine::CandidateBatch& batch, size_t most) {
  if (has_ended_ || run_.is_stopping()) return;
  const TakenLock taken;
  try {
    for (; most > 0 && batch.text_bytes() < engine::kMaxBatchText; --most) {
      // A generator may take its time for each.
      if (run_.is_stopping()) return;
      if (iterator_ == py::iterator::sentinel()) {
        has_ended_ = true;
        return;
      }
      const auto pair = py::reinterpret_borrow<py::tuple>(*iterator_);
      const auto text_of = [&](size_t k) {
        Py_ssize_t size = 0;
        const py::object text = pair[k];
        const char* const bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
        if (bytes != nullptr) return std::string(bytes, static_cast<size_t>(size));
        // A lone surrogate, as JSON may hold it: the compiler says what is wrong with its bytes.
        PyErr_Clear();
        return py::cast<std::string>(text.attr("encode")("utf-8", "surrogatepass"));
      };
      ++given_;
      const std::string id = text_of(0), source = text_of(1);
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
