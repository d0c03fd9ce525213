// SPDX-License-Identifier: MIT
// What the text of a self-check's program says of its operator.
#include <upsweep/upsweep.hpp>

#include "catch.hpp"
#include "internals.hpp"

#include <set>
#include <string>

namespace detail = upsweep::detail;

TEST_CASE("a check's operator is not said to commute where it does not", "[unit]") {
    // A vector with plus: kernels may swap its operands, but not those of the words in its place.
    detail::check_subject s;
    s.element = s.value = detail::class_of<cl_float4>();
    REQUIRE(s.value.kind == detail::number_kind::other);
    CHECK_FALSE(detail::check_text_of(s, false).op.traits.commutative);
    CHECK_FALSE(detail::check_text_of(s, false).op.traits.combines_vectors);
    s.element = s.value = detail::class_of<int>();
    CHECK(detail::check_text_of(s, false).op.traits.commutative);
    s.own_operator = true;
    CHECK_FALSE(detail::check_text_of(s, false).op.traits.commutative);
}

TEST_CASE("a check has the kernels of costly operators and of long ones", "[unit]") {
    detail::check_subject s;
    s.element = s.value = detail::class_of<float>();
    s.own_operator = true;
    s.op = detail::operation::reduce;
    std::set<std::string> names{detail::class_name(s)};
    CHECK_FALSE(detail::check_text_of(s, true).op.traits.costly);
    s.text.op.traits.costly = true;
    CHECK(detail::check_text_of(s, true).op.traits.costly);
    names.insert(detail::class_name(s));
    s.text.op.traits.has_long_text = true;
    CHECK(detail::check_text_of(s, true).op.traits.has_long_text);
    names.insert(detail::class_name(s));
    CHECK(names.size() == 3);
}
