# SPDX-License-Identifier: MIT
# Plugins of one process, each with a type of the same name: none may get another's program.

if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
    return()
endif()

# upsweep_add_plugin(<name> <members> <options...>)
function(upsweep_add_plugin name members)
    add_library(${name} MODULE plugins/plugin.cpp)
    target_link_libraries(${name} PRIVATE upsweep_developer)
    target_compile_definitions(${name} PRIVATE "UPSWEEP_PLUGIN_MEMBERS=${members}")
    target_compile_options(${name} PRIVATE -O0 ${ARGN})
endfunction()

# upsweep_add_plugin_test(<how> <options...>): three plugins and a program that loads them, compiled with these options
function(upsweep_add_plugin_test how)
    set(host upsweep_plugins_${how})
    add_executable(${host} plugins/host.cpp)
    target_link_libraries(${host} PRIVATE upsweep_developer ${CMAKE_DL_LIBS})
    target_compile_options(${host} PRIVATE -O0 ${ARGN})
    set_target_properties(${host} PROPERTIES ENABLE_EXPORTS ON)
    upsweep_add_plugin(${host}_first "uint sum\\; uint rest\\;" ${ARGN})
    upsweep_add_plugin(${host}_second "uint rest\\; uint sum\\;" ${ARGN})
    upsweep_add_plugin(${host}_third "uint sum\\;" ${ARGN})
    add_test(NAME plugins.${how} COMMAND ${host} ${how} "$<TARGET_FILE:${host}_first>"
        "$<TARGET_FILE:${host}_second>" "$<TARGET_FILE:${host}_third>")
    set_tests_properties(plugins.${how} PROPERTIES TIMEOUT 300 ENVIRONMENT "${UPSWEEP_ANY_DEVICE}")
endfunction()

upsweep_add_plugin_test(together)
# GCC marks objects that must be unique in the process, and the loader never unloads a plugin that has one.
upsweep_add_plugin_test(in_turn "$<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>")
