// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/opencl/opencl.hpp>
#include <upsweep/type.hpp>

namespace upsweep {

// The vector types of the OpenCL headers, cl_char2 to cl_double16, as elements. `plus`, `multiplies`, `minimum`,
// `maximum` and, for integers, the bit operators work component by component; the logical operators do not compile. A
// vector of three components is one of four, as in OpenCL C (cl_float3 is cl_float4): the fourth is combined as well.

#define UPSWEEP_VECTOR_TYPE(SCALAR, WIDTH)                                                                             \
    template <>                                                                                                        \
    struct type<cl_##SCALAR##WIDTH> {                                                                                  \
        using scalar = cl_##SCALAR;                                                                                    \
        static constexpr const char* name = #SCALAR #WIDTH;                                                            \
        static constexpr const char* definition = "";                                                                  \
    };
#define UPSWEEP_VECTOR_TYPES(SCALAR)                                                                                   \
    UPSWEEP_VECTOR_TYPE(SCALAR, 2)                                                                                     \
    UPSWEEP_VECTOR_TYPE(SCALAR, 4)                                                                                     \
    UPSWEEP_VECTOR_TYPE(SCALAR, 8)                                                                                     \
    UPSWEEP_VECTOR_TYPE(SCALAR, 16)

UPSWEEP_VECTOR_TYPES(char)
UPSWEEP_VECTOR_TYPES(uchar)
UPSWEEP_VECTOR_TYPES(short)
UPSWEEP_VECTOR_TYPES(ushort)
UPSWEEP_VECTOR_TYPES(int)
UPSWEEP_VECTOR_TYPES(uint)
UPSWEEP_VECTOR_TYPES(long)
UPSWEEP_VECTOR_TYPES(ulong)
UPSWEEP_VECTOR_TYPES(float)
UPSWEEP_VECTOR_TYPES(double)

#undef UPSWEEP_VECTOR_TYPES
#undef UPSWEEP_VECTOR_TYPE

} // namespace upsweep
