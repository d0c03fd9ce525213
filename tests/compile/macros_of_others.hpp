// SPDX-License-Identifier: MIT
// Names that headers of others define as macros, for a user who includes upsweep last. The standard headers and the
// bindings come first: they cannot be expected to live with these.
#pragma once

#include <CL/opencl.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cctype>
#include <cfloat>
#include <charconv>
#include <chrono>
#include <climits>
#include <cmath>
#include <complex>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <initializer_list>
#include <iomanip>
#include <iostream>
#include <istream>
#include <iterator>
#include <limits>
#include <list>
#include <locale>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <ostream>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// Windows (minwindef.h, rpcndr.h, wingdi.h, winnt.h).
#undef min
#define min(a, b) (((a) < (b)) ? (a) : (b))
#undef max
#define max(a, b) (((a) > (b)) ? (a) : (b))
#undef near
#define near
#undef far
#define far
#undef small
#define small char
#undef interface
#define interface struct
#undef IN
#define IN
#undef OUT
#define OUT
#undef OPTIONAL
#define OPTIONAL
#undef ERROR
#define ERROR 0
#undef DELETE
#define DELETE (0x00010000L)
#undef TRUE
#define TRUE 1
#undef FALSE
#define FALSE 0
#undef CONST
#define CONST const
#undef VOID
#define VOID void
#undef THIS
#define THIS this
#undef STRICT
#define STRICT 1
#undef ABSOLUTE
#define ABSOLUTE 1
#undef RELATIVE
#define RELATIVE 2
#undef DIFFERENCE
#define DIFFERENCE 11
#undef NO_ERROR
#define NO_ERROR 0L
#undef IGNORE
#define IGNORE 0
#undef INFINITE
#define INFINITE 0xFFFFFFFF
#undef PASCAL
#define PASCAL
#undef GetObject
#define GetObject GetObjectA
#undef Yield
#define Yield()
#undef pascal
#define pascal
#undef cdecl
#define cdecl
#undef hyper
#define hyper __int64

// Qt.
#undef slots
#define slots
#undef signals
#define signals public
#undef emit
#define emit
#undef foreach
#define foreach(variable, container) for (variable : container)
#undef forever
#define forever for (;;)

// X11 (X.h, Xlib.h).
#undef Bool
#define Bool int
#undef Status
#define Status int
#undef None
#define None 0L
#undef Success
#define Success 0
#undef Always
#define Always 2
#undef True
#define True 1
#undef False
#define False 0
#undef Above
#define Above 0
#undef Below
#define Below 1
#undef Absolute
#define Absolute 2
#undef CurrentTime
#define CurrentTime 0L
#undef KeyPress
#define KeyPress 2
#undef Expose
#define Expose 12
#undef Complex
#define Complex 0
#undef Convex
#define Convex 2
#undef Unsorted
#define Unsorted 0
#undef NoEventMask
#define NoEventMask 0L

// macOS (AssertMacros.h), Boost.Test, Catch2 and their like.
#undef check
#define check(x) a macro of another header was used
#undef verify
#define verify(x) a macro of another header was used
#undef require
#define require(x, label) a macro of another header was used
#undef fail
#define fail(x) a macro of another header was used
#undef expect
#define expect(x) a macro of another header was used
#undef ensure
#define ensure(x) a macro of another header was used
#undef CHECK
#define CHECK(x) a macro of another header was used
#undef REQUIRE
#define REQUIRE(x) a macro of another header was used
#undef VERIFY
#define VERIFY(x) a macro of another header was used
#undef ASSERT
#define ASSERT(x) a macro of another header was used
#undef CAPTURE
#define CAPTURE(x) a macro of another header was used
#undef INFO
#define INFO(x) a macro of another header was used
#undef FAIL
#define FAIL(x) a macro of another header was used
#undef nil
#define nil nullptr
#undef Assert
#define Assert(x) a macro of another header was used

// sys/sysmacros.h, complex.h, GNU dialects, Linux, SIMD headers.
#undef major
#define major(dev) ((dev) >> 8)
#undef minor
#define minor(dev) ((dev)&255)
#undef makedev
#define makedev(a, b) ((a) | (b))
#undef I
#define I _Complex_I
#undef unix
#define unix 1
#undef linux
#define linux 1
#undef BLOCK_SIZE
#define BLOCK_SIZE 1024
#undef PAGE_SIZE
#define PAGE_SIZE 4096
#undef PAGE_MASK
#define PAGE_MASK 4095
#undef SIZE
#define SIZE 64
#undef likely
#define likely(x) (x)
#undef unlikely
#define unlikely(x) (x)
#undef array_size
#define array_size(x) (sizeof(x) / sizeof((x)[0]))
#undef countof
#define countof(x) (sizeof(x) / sizeof((x)[0]))
#undef barrier
#define barrier() a macro of another header was used
#undef prefetch
#define prefetch(x) a macro of another header was used
#undef bit
#define bit(n) (1 << (n))
#undef sq
#define sq(x) ((x) * (x))
