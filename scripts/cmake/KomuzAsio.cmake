# SPDX-License-Identifier: Apache-2.0
# komuz_asio: the event loop and the streams of the language server. Boost.Asio is headers alone.
find_path(KOMUZ_ASIO_INCLUDE boost/asio.hpp)
if(NOT KOMUZ_ASIO_INCLUDE)
  message(FATAL_ERROR "Boost.Asio was not found, which the language server talks by: run scripts/setup")
endif()
add_library(komuz_asio INTERFACE)
target_include_directories(komuz_asio SYSTEM INTERFACE ${KOMUZ_ASIO_INCLUDE})
# Boost.System without a library; without run-time types executors are told apart in another way.
target_compile_definitions(komuz_asio INTERFACE BOOST_ERROR_CODE_HEADER_ONLY BOOST_ASIO_NO_TYPEID
  BOOST_ASIO_NO_DEPRECATED)
target_link_libraries(komuz_asio INTERFACE Threads::Threads)
