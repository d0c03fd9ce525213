// SPDX-License-Identifier: MIT
// With upsweep::compiled, what is no template is declared and not defined, and heavy standard headers stay out.
#include <upsweep/upsweep.hpp>

#include <type_traits>

namespace {

template <class T, class = void>
struct is_complete : std::false_type {};
template <class T>
struct is_complete<T, std::void_t<decltype(sizeof(T))>> : std::true_type {};

static_assert(!is_complete<upsweep::detail::plan_engines>::value, "the definitions are not here");

#if defined(_GLIBCXX_FILESYSTEM) || defined(_GLIBCXX_SSTREAM)
#error "a heavy standard header is included"
#endif

} // namespace
