# The target upsweep::compiled: the same headers, and all that is no template in a library, built when something links to it.
# Static, or shared with BUILD_SHARED_LIBS.

set(upsweep_on_demand EXCLUDE_FROM_ALL)
if(UPSWEEP_INSTALL AND UPSWEEP_INSTALL_COMPILED)
    set(upsweep_on_demand "")
endif()

find_package(Threads REQUIRED)

add_library(upsweep_compiled ${upsweep_on_demand} "${PROJECT_SOURCE_DIR}/include/upsweep/compiled.cpp")
add_library(upsweep::compiled ALIAS upsweep_compiled)
target_link_libraries(upsweep_compiled PUBLIC upsweep PRIVATE Threads::Threads)
target_compile_definitions(upsweep_compiled PUBLIC UPSWEEP_COMPILED)
set_target_properties(upsweep_compiled PROPERTIES
    EXPORT_NAME compiled
    POSITION_INDEPENDENT_CODE ON
    WINDOWS_EXPORT_ALL_SYMBOLS ON
    # Before 1.0 a minor version may break its users.
    VERSION "${PROJECT_VERSION}"
    SOVERSION "${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")

# The names of the library's functions have the version in them.
string(REPLACE "." "_" upsweep_version_name "v${PROJECT_VERSION}")
foreach(upsweep_file calls.hpp calls_inl.hpp)
    file(STRINGS "${PROJECT_SOURCE_DIR}/include/upsweep/detail/call/${upsweep_file}" upsweep_found
        REGEX "^inline namespace ${upsweep_version_name} {")
    if(NOT upsweep_found)
        message(FATAL_ERROR "upsweep: the inline namespace of ${upsweep_file} is not ${upsweep_version_name}")
    endif()
endforeach()
