// SPDX-License-Identifier: MIT
#pragma once

// How functions in detail/ are defined that are templates for one reason only: so that a compiler makes them, and what
// they need of the standard library, where something calls them and not in every file that includes the library. That
// is more than half of what the header costs. Nobody names the parameter, which has a default.
//
// UPSWEEP_INLINE    a function, or a member that is more than a line, that is defined where it is declared
// UPSWEEP_DECLARED  a function that UPSWEEP_COMPILED moves into the library, where it is declared
// UPSWEEP_DEFINED   the same where it is defined, in a header *_inl.hpp
// UPSWEEP_LATER     in such functions, the argument of a class template that is one for the same reason: compilers then
//                   leave the types of its members, such as vectors of its own structs, until the function is called
//
// One function that is no template makes compilers make all that it calls. So no public function is for its address to
// be taken, and destructors that call functions are those of class templates.

#if defined(UPSWEEP_COMPILED)
#define UPSWEEP_INLINE inline
#define UPSWEEP_DECLARED
#define UPSWEEP_DEFINED
#define UPSWEEP_LATER void
#else
#define UPSWEEP_INLINE                                                                                                 \
    template <class upsweep_later = void>                                                                              \
    inline
#define UPSWEEP_DECLARED template <class = void>
#define UPSWEEP_DEFINED                                                                                                \
    template <class upsweep_later>                                                                                     \
    inline
#define UPSWEEP_LATER upsweep_later
#endif
