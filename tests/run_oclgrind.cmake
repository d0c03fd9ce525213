# SPDX-License-Identifier: MIT
# cmake -DOCLGRIND=... -DPROGRAM=... -DARGUMENTS="a|b" -DLOG=... [-DCHECKS="--data-races|..."] -P run_oclgrind.cmake
# Fails when the program fails, and when Oclgrind writes anything at all into its log.

if(NOT DEFINED CHECKS)
    set(CHECKS "--data-races|--uninitialized")
endif()
string(REPLACE "|" ";" ARGUMENTS "${ARGUMENTS}")
string(REPLACE "|" ";" CHECKS "${CHECKS}")
file(REMOVE "${LOG}")
# One thread: work-groups run one after another, so none is silent by accident. A work-group that computes a silent one's
# sum may read, in place, what that one overwrites; it drops the sum then, but Oclgrind reports the race.
execute_process(
    COMMAND "${OCLGRIND}" ${CHECKS} --num-threads 1 --max-errors 20 --log "${LOG}" "${PROGRAM}" ${ARGUMENTS}
    RESULT_VARIABLE result)

# Oclgrind opens its log as soon as the program uses OpenCL; no log means that nothing ran on the simulator.
if(NOT EXISTS "${LOG}")
    message(FATAL_ERROR "the program did not run on Oclgrind (result ${result})")
endif()
file(READ "${LOG}" log)
if(NOT "${log}" STREQUAL "")
    message("${log}")
    message(FATAL_ERROR "Oclgrind found mistakes in the kernels; the program's result was ${result}")
endif()
if(NOT result EQUAL 0)
    message(FATAL_ERROR "the program failed: ${result}")
endif()
