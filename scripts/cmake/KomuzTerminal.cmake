# SPDX-License-Identifier: Apache-2.0
# komuz_terminal: what the line editor of the session is built on. libtermkey knows the keys of terminals. utf8proc knows where a
# character ends, and how wide it is.
find_path(KOMUZ_TERMKEY_INCLUDE termkey.h)
find_library(KOMUZ_TERMKEY_LIBRARY termkey)
find_path(KOMUZ_UTF8PROC_INCLUDE utf8proc.h)
find_library(KOMUZ_UTF8PROC_LIBRARY utf8proc)
if(NOT KOMUZ_TERMKEY_INCLUDE OR NOT KOMUZ_TERMKEY_LIBRARY)
  message(FATAL_ERROR "libtermkey was not found, which the session reads keys with: run scripts/setup")
endif()
if(NOT KOMUZ_UTF8PROC_INCLUDE OR NOT KOMUZ_UTF8PROC_LIBRARY)
  message(FATAL_ERROR "utf8proc was not found, which the session measures characters with: run scripts/setup")
endif()
add_library(komuz_terminal INTERFACE)
target_include_directories(komuz_terminal SYSTEM INTERFACE ${KOMUZ_TERMKEY_INCLUDE} ${KOMUZ_UTF8PROC_INCLUDE})
target_link_libraries(komuz_terminal INTERFACE ${KOMUZ_TERMKEY_LIBRARY} ${KOMUZ_UTF8PROC_LIBRARY})
