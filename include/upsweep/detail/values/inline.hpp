// SPDX-License-Identifier: MIT
#pragma once

// How functions in detail/ are defined that are templates for one reason only: so that a compiler makes them, and what
// they need of the standard library, where something calls them and not in every file that includes the library. That
// is more than half of what the header costs. Nobody names the parameter, which has a default.
//
// UPSWEEP_INLINE    a function, or a member that is more than a line, that is defined where it is declared
// UPSWEEP_DECLARED  a function that UPSWEEP_COMPILED moves into the library, where it is declared
// UPSWEEP_DEFINED   the same where it is defined, in a header *_inl.hpp
//
// One function that is no template makes compilers make all that it calls. Public functions are such, for whoever takes
// their address; but not operators, nor load_tuning, whose address is that of two functions anyway, nor a member that
// runs scans.

#if defined(UPSWEEP_COMPILED)
#define UPSWEEP_INLINE inline
#define UPSWEEP_DECLARED
#define UPSWEEP_DEFINED
#else
#define UPSWEEP_INLINE                                                                                                 \
    template <class = void>                                                                                            \
    inline
#define UPSWEEP_DECLARED template <class = void>
#define UPSWEEP_DEFINED                                                                                                \
    template <class>                                                                                                   \
    inline
#endif
