# SPDX-License-Identifier: MIT
# cmake -DTUNE=upsweep_tune -DFUZZ=upsweep_fuzz -DFILE=tuning.txt -DSAMPLE=pocl_tuning.txt -P tune_smoke.cmake

file(REMOVE "${FILE}")

# run(<exit status> <text that the output has> <command...>)
function(run status phrase)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE got OUTPUT_VARIABLE out ERROR_VARIABLE err)
    message("${out}${err}")
    if(NOT got EQUAL status)
        message(FATAL_ERROR "exit status ${got}, not ${status}: ${ARGN}")
    endif()
    if(NOT "${out}${err}" MATCHES "${phrase}")
        message(FATAL_ERROR "the output does not have \"${phrase}\": ${ARGN}")
    endif()
endfunction()

# With such a gain the best of those tried is written, be it slower. A slow device spends the first seconds on what it
# has already, so it is given more.
set(search "${TUNE}" --operations scan,reduce --types int32,float --from 2^12 --to 2^14 --gain -100 --output "${FILE}")
foreach(seconds 4 32 256)
    file(REMOVE "${FILE}")
    execute_process(COMMAND ${search} --seconds ${seconds} RESULT_VARIABLE got OUTPUT_VARIABLE out ERROR_VARIABLE err)
    message("${out}${err}")
    if(got EQUAL 0 AND "${out}${err}" MATCHES "loads: [1-9][0-9]* entries, in effect, with right results")
        set(found TRUE)
        break()
    endif()
endforeach()
if(NOT found)
    message(FATAL_ERROR "no search found anything: ${search}")
endif()
run(2 "exists already" ${search})
run(2 "--from: .* is no power of two" "${TUNE}" --from 1000)

# Other programs run with the file, and notice when it is bad.
set(fuzz "${CMAKE_COMMAND}" -E env "UPSWEEP_TUNING=${FILE}" "${FUZZ}" --seed 1 --seconds 2)
run(0 "" ${fuzz})
run(0 "" "${CMAKE_COMMAND}" -E env "UPSWEEP_TUNING=${SAMPLE}" "${FUZZ}" --seed 1 --seconds 1)
file(APPEND "${FILE}" "nonsense\n")
run(1 "tuning.txt:[0-9]+: .nonsense. is no field" ${fuzz})
