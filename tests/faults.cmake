# The host code under adversity: OpenCL calls that fail, and handles counted. The programs define OpenCL's functions
# themselves and open the library for the real ones.

if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
    return()
endif()

file(GLOB fault_sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/faults/*.cpp")

# upsweep_add_fault_tests(<name> <definitions...>)
function(upsweep_add_fault_tests name)
    add_executable(${name} $<TARGET_OBJECTS:upsweep_tests_main> ${fault_sources})
    target_link_libraries(${name} PRIVATE upsweep_developer ${catch} ${CMAKE_DL_LIBS})
    target_compile_definitions(${name} PRIVATE ${ARGN}
        CL_TARGET_OPENCL_VERSION=120 "UPSWEEP_OPENCL_LIBRARY=\"$<TARGET_FILE:OpenCL::OpenCL>\"")
    target_compile_options(${name} PRIVATE "$<$<CXX_COMPILER_ID:GNU,Clang>:-O1>")
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES ENVIRONMENT "${UPSWEEP_ANY_DEVICE}" TIMEOUT 900 LABELS faults)
endfunction()

upsweep_add_fault_tests(faults)
# The bindings then throw on their own account, and in places where nothing may be thrown.
upsweep_add_fault_tests(faults_exceptions CL_HPP_ENABLE_EXCEPTIONS)
