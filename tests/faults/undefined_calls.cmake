# SPDX-License-Identifier: MIT
# Fails if PROGRAM takes an OpenCL function from a library.

execute_process(COMMAND "${NM}" --undefined-only "${PROGRAM}" OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[ \t]cl[A-Z][A-Za-z]*" calls "${symbols}")
if(calls)
    message(FATAL_ERROR "not in interposed.cpp:${calls}")
endif()
