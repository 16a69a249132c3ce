# SPDX-License-Identifier: Apache-2.0
# cmake -DKOMUZ=executable -DOUT=folder -P write_guides.cmake: writes man pages (man1/) and completions (bash/, zsh/, fish/).
# The executable makes them of its own tables.
file(REMOVE_RECURSE ${OUT})
function(write path)
  execute_process(COMMAND ${KOMUZ} ${ARGN} OUTPUT_VARIABLE text RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " words)
    message(FATAL_ERROR "`komuz ${words}` failed: ${result}")
  endif()
  file(WRITE ${OUT}/${path} "${text}")
endfunction()

write(man1/komuz.1 help --man)
# The page of komuz itself names those of all commands.
file(STRINGS ${OUT}/man1/komuz.1 lines REGEX "^\\.BR komuz.*\\(1\\)$")
foreach(line IN LISTS lines)
  string(REGEX REPLACE "^\\.BR komuz..([a-z]+) .*$" "\\1" command "${line}")
  write(man1/komuz-${command}.1 help ${command} --man)
endforeach()
write(bash/komuz completions bash)
write(zsh/_komuz completions zsh)
write(fish/komuz.fish completions fish)
