# SPDX-License-Identifier: MIT
# cmake -DCOMPILER=... -DINCLUDE_DIRS="a|b" -DDEFINITIONS="A=1|B" -DSOURCE=... -DEXPECTED=... -P one_error.cmake
# The source must not compile, and the compiler must say why in one error, with the text EXPECTED in it.

string(REPLACE "|" ";" include_flags "${INCLUDE_DIRS}")
string(REPLACE "|" ";" definition_flags "${DEFINITIONS}")
list(TRANSFORM include_flags PREPEND -I)
list(TRANSFORM definition_flags PREPEND -D)
execute_process(
    COMMAND "${COMPILER}" -std=c++17 -fsyntax-only ${include_flags} ${definition_flags} "${SOURCE}"
    RESULT_VARIABLE result ERROR_VARIABLE errors)
if(result EQUAL 0)
    message(FATAL_ERROR "${SOURCE} compiles")
endif()
string(REPLACE ";" "," errors "${errors}") # a list would split there
string(REGEX MATCHALL ": error: [^\n]*" lines "${errors}")
list(LENGTH lines count)
if(NOT count EQUAL 1 OR NOT lines MATCHES "${EXPECTED}")
    message(FATAL_ERROR "${count} errors instead of one with \"${EXPECTED}\":\n${errors}")
endif()
