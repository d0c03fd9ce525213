// SPDX-License-Identifier: MIT
#pragma once

#include "elements.hpp"
#include "parallel.hpp"

#include <cstring>
#include <memory>
#include <new>
#include <vector>

namespace bench {

/// No result consists of these bytes, so an element that was not written is seen.
constexpr unsigned char poison_byte = 0xa5;

/// Keeps one object alive until another is asked for: benchmarks run type by type, and the arrays of one type at a time
/// are enough.
class only_one {
public:
    template <class Object>
    Object& get() {
        static char tag; // its address names the type
        if (tag_ != &tag) {
            object_.reset();
            object_ = std::make_shared<Object>();
            tag_ = &tag;
        }
        return *static_cast<Object*>(object_.get());
    }

private:
    const void* tag_ = nullptr;
    std::shared_ptr<void> object_;
};

/// Device inputs are made, and results compared, so many elements at a time: neither needs an array of the host's,
/// whose pages can take longer to come by than everything else.
constexpr std::uint64_t piece_elements = std::uint64_t{1} << 22;

/// Input elements from `begin` on, made by all threads.
template <class T>
void make_input(T* into, std::uint64_t begin, std::uint64_t count) {
    const std::vector<index_range> ranges = split_for_threads(begin, begin + count);
    in_parallel(ranges.size(), [&](std::size_t share) {
        for (std::uint64_t i = ranges[share].begin; i < ranges[share].end; ++i) into[i - begin] = input_element<T>(i);
    });
}

/// Hands the first n input elements piece by piece to `write(offset, count, data)`.
template <class T, class Write>
void for_each_input_piece(std::uint64_t n, Write write) {
    std::vector<T> piece(static_cast<std::size_t>(std::min(n, piece_elements)));
    for (std::uint64_t begin = 0; begin < n; begin += piece_elements) {
        const std::uint64_t count = std::min(piece_elements, n - begin);
        make_input(piece.data(), begin, count);
        write(begin, count, static_cast<const T*>(piece.data()));
    }
}

/// Memory that begins with a page, whose pages are made by all threads: on two cores, 2^26 int32 are read in 12.6 ms
/// then, and in 14 where one thread made them.
inline std::shared_ptr<void> make_pages(std::size_t bytes) {
    constexpr std::align_val_t page{4096};
    const std::shared_ptr<void> memory(::operator new(bytes, page), [](void* used) { ::operator delete(used, page); });
    const std::vector<index_range> ranges = split_for_threads(0, bytes);
    in_parallel(ranges.size(), [&](std::size_t share) {
        std::memset(static_cast<char*>(memory.get()) + ranges[share].begin, 1, ranges[share].end - ranges[share].begin);
    });
    return memory;
}

/// Input and output of one type in host memory; both grow as needed, and the input of n elements is the beginning of
/// that of more.
template <class T>
class host_arrays {
public:
    const std::shared_ptr<T>& input(std::uint64_t n) {
        if (input_.grow(n)) make_input(input_.memory.get(), 0, n);
        return input_.memory;
    }

    /// At least n elements, and one more that nobody may write.
    const std::shared_ptr<T>& output(std::uint64_t n) {
        output_.grow(n + 1);
        return output_.memory;
    }

    void poison_output(std::uint64_t n) {
        std::memset(static_cast<void*>(output(n).get()), poison_byte, static_cast<std::size_t>(n + 1) * sizeof(T));
    }

private:
    struct array {
        std::shared_ptr<T> memory;
        std::uint64_t count = 0;

        bool grow(std::uint64_t n) {
            if (n <= count) return false;
            memory.reset();
            memory = std::static_pointer_cast<T>(make_pages(static_cast<std::size_t>(n) * sizeof(T)));
            count = n;
            return true;
        }
    };

    array input_;
    array output_;
};

inline only_one& host_slot() {
    static only_one slot;
    return slot;
}

template <class T>
host_arrays<T>& host() {
    return host_slot().get<host_arrays<T>>();
}

} // namespace bench
