# SPDX-License-Identifier: MIT
# The target upsweep::compiled: the same headers, and all that is no template in a library, built when something links to it.
# Static, or shared with BUILD_SHARED_LIBS.

set(upsweep_on_demand EXCLUDE_FROM_ALL)
if(UPSWEEP_INSTALL AND UPSWEEP_INSTALL_COMPILED)
    set(upsweep_on_demand "")
endif()

add_library(upsweep_compiled ${upsweep_on_demand} "${PROJECT_SOURCE_DIR}/include/upsweep/compiled.cpp")
add_library(upsweep::compiled ALIAS upsweep_compiled)
target_link_libraries(upsweep_compiled PUBLIC upsweep)
target_compile_definitions(upsweep_compiled PUBLIC UPSWEEP_COMPILED)
set_target_properties(upsweep_compiled PROPERTIES
    EXPORT_NAME compiled
    POSITION_INDEPENDENT_CODE ON
    # Exported is what stands in the namespace of the version (version.hpp), and the exception.
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    WINDOWS_EXPORT_ALL_SYMBOLS ON
    # Before 1.0 a minor version may break its users.
    VERSION "${PROJECT_VERSION}"
    SOVERSION "${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")
