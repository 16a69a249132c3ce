# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` copies: the executable and its native backend, what it says of itself (man pages, completions), docs/, examples/ and editors/. It needs the
# target `komuz` alone. The tree may be moved: nothing in it names its place.
#
# scripts/package also asks for the component `bundle`, which no plain installation has. The bundle has the executable linked once
# more, so that it finds its shared libraries beside itself. The libraries, but for glibc's, lie in lib/komuz, and find each other
# there, too: by DT_RPATH, not DT_RUNPATH.
include(GNUInstallDirs)
install(TARGETS komuz RUNTIME COMPONENT komuz)
# The native backend lies where the executable looks for it (backend/backend.cpp), with the licence of what is in it.
if(KOMUZ_HAVE_LLVM)
  install(TARGETS komuz_backend LIBRARY DESTINATION lib/komuz COMPONENT komuz)
  install(FILES /usr/share/doc/llvm-19-dev/copyright DESTINATION lib/komuz RENAME komuz_backend.licence.txt OPTIONAL COMPONENT komuz)
endif()
# So does the prover, beside which systems have the library of Z3.
if(KOMUZ_HAVE_Z3)
  install(TARGETS komuz_prover LIBRARY DESTINATION lib/komuz COMPONENT komuz)
endif()
# The models lie where base/machine/read_installed.h looks for them.
install(FILES neural/models/small.safetensors neural/models/proposals.safetensors DESTINATION ${CMAKE_INSTALL_DATADIR}/komuz COMPONENT komuz)
# For projects that call functions of Komuz programs: docs/native.md.
configure_file(${PROJECT_SOURCE_DIR}/scripts/cmake/komuz.pc.in ${PROJECT_BINARY_DIR}/komuz.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/komuz.pc DESTINATION lib/pkgconfig COMPONENT komuz)
install(FILES scripts/cmake/KomuzConfig.cmake DESTINATION lib/cmake/Komuz COMPONENT komuz)
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/KomuzConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/KomuzConfigVersion.cmake DESTINATION lib/cmake/Komuz COMPONENT komuz)

add_executable(komuz_bundle EXCLUDE_FROM_ALL $<TARGET_OBJECTS:komuz>)
target_link_libraries(komuz_bundle PRIVATE $<TARGET_PROPERTY:komuz,LINK_LIBRARIES>)
target_link_options(komuz_bundle PRIVATE -Wl,--disable-new-dtags)
set_target_properties(komuz_bundle PROPERTIES LINKER_LANGUAGE CXX
  RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bundle INSTALL_RPATH "$ORIGIN/../lib/komuz" BUILD_WITH_INSTALL_RPATH ON)
install(TARGETS komuz_bundle RUNTIME_DEPENDENCY_SET komuz_libraries RUNTIME COMPONENT bundle EXCLUDE_FROM_ALL)
# Z3's library comes with it, too.
if(KOMUZ_HAVE_Z3)
  install(TARGETS komuz_prover RUNTIME_DEPENDENCY_SET komuz_libraries LIBRARY DESTINATION lib/komuz COMPONENT bundle EXCLUDE_FROM_ALL)
endif()
# The bundle's executable takes the place of the other one. Two targets whose files have one name would be one word to Ninja.
set(bin "\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}")
install(CODE "file(RENAME \"${bin}/komuz_bundle\" \"${bin}/komuz\")" COMPONENT bundle EXCLUDE_FROM_ALL)
install(RUNTIME_DEPENDENCY_SET komuz_libraries COMPONENT bundle EXCLUDE_FROM_ALL
  PRE_EXCLUDE_REGEXES "^(libc|libm|libdl|librt|libpthread|ld-linux.*)\\.so" LIBRARY DESTINATION lib/komuz)

set(guides ${PROJECT_BINARY_DIR}/guides)
install(CODE "execute_process(COMMAND \"${CMAKE_COMMAND}\" \"-DKOMUZ=$<TARGET_FILE:komuz>\" \"-DOUT=${guides}\"
  -P \"${PROJECT_SOURCE_DIR}/scripts/cmake/write_guides.cmake\" COMMAND_ERROR_IS_FATAL ANY)" COMPONENT komuz)
install(DIRECTORY ${guides}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT komuz)
install(FILES ${guides}/bash/komuz DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT komuz)
install(FILES ${guides}/zsh/_komuz DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT komuz)
install(FILES ${guides}/fish/komuz.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT komuz)

install(FILES README.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT komuz)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT komuz)
# Links between pages and examples hold as they do in the sources.
file(RELATIVE_PATH to_examples /${CMAKE_INSTALL_DOCDIR} /${CMAKE_INSTALL_DATADIR}/komuz/examples)
install(CODE "file(CREATE_LINK ${to_examples} \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}/examples\" SYMBOLIC)"
  COMPONENT komuz)
file(RELATIVE_PATH to_editors /${CMAKE_INSTALL_DOCDIR} /${CMAKE_INSTALL_DATADIR}/komuz/editors)
install(CODE "file(CREATE_LINK ${to_editors} \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}/editors\" SYMBOLIC)"
  COMPONENT komuz)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/komuz COMPONENT komuz PATTERN __pycache__ EXCLUDE)
# Packages for editors, without what their own tools make, and without what makes the extension of VS Code, which needs a clone; the links
# among them lead to what is copied, too.
install(DIRECTORY editors DESTINATION ${CMAKE_INSTALL_DATADIR}/komuz COMPONENT komuz
  REGEX "/editors/vscode/(build|src|test|bundle\\.mjs|tsconfig\\.json|package-lock\\.json|\\.[a-z]+)$" EXCLUDE
  PATTERN node_modules EXCLUDE PATTERN out EXCLUDE PATTERN dist EXCLUDE PATTERN "*.elc" EXCLUDE PATTERN __pycache__ EXCLUDE)
# The extension itself, where npm and its packages are (after `editors/vscode/build`). Without them the tree has none, and that is said.
install(CODE "execute_process(COMMAND \"${PROJECT_SOURCE_DIR}/editors/vscode/build\" --offline RESULT_VARIABLE result OUTPUT_VARIABLE said)
  if(result EQUAL 0)
    file(INSTALL DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/komuz/editors/vscode\" TYPE FILE
      FILES \"${PROJECT_SOURCE_DIR}/build/vscode/komuz.vsix\")
  elseif(result EQUAL 77)
    message(STATUS \"Left out: editors/vscode/komuz.vsix, which editors/vscode/build makes\")
  else()
    message(FATAL_ERROR \"editors/vscode/build failed: \${said}\")
  endif()" COMPONENT komuz)
