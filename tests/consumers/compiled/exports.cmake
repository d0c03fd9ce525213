# SPDX-License-Identifier: MIT
# cmake -DNM=... -DPREFIX=... -DVERSION_NAMESPACE=v0_2 -P exports.cmake
# What a shared library of upsweep exports of its own has the version in its name: two versions may then be in one
# process. The exception is the exception's type, which must be the same in both.

file(GLOB_RECURSE library "${PREFIX}/*/libupsweep_compiled.so")
execute_process(COMMAND "${NM}" -DC --defined-only "${library}" OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE ";" "," symbols "${symbols}")
# Those of the standard library's templates are the same for every version.
string(REGEX MATCHALL "[^\n]*upsweep::[^\n]*" ours "${symbols}")
list(FILTER ours EXCLUDE REGEX " W std::")
# Those that threads make of a function of ours have that function's version.
list(FILTER ours EXCLUDE REGEX " [VW] .*(std::|typeinfo).*upsweep::detail::${VERSION_NAMESPACE}::")
set(versioned ${ours})
list(FILTER versioned INCLUDE REGEX " T upsweep::(detail::)?${VERSION_NAMESPACE}::")
list(FILTER ours EXCLUDE REGEX " T upsweep::(detail::)?${VERSION_NAMESPACE}::|(typeinfo|typeinfo name|vtable) for upsweep::error$")
if(NOT versioned MATCHES "default_queue")
    message(FATAL_ERROR "no function of version ${VERSION_NAMESPACE} is exported:\n${symbols}")
endif()
if(ours)
    list(JOIN ours "\n" ours)
    message(FATAL_ERROR "exported without a version:\n${ours}")
endif()
