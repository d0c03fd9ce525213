// SPDX-License-Identifier: MIT
#pragma once

// Inputs and outputs of the family's rows in the memory of a device.

#include "family_checks.hpp"

#include <memory>

namespace bench {

/// @tparam Device  what has an `array` of bytes and make, write, read, poison of it
template <class Device>
class family_arrays {
public:
    using array = typename Device::array;

    /// @param capacity  the most elements that rows have
    explicit family_arrays(std::uint64_t capacity)
        : capacity_(capacity)
        , values(make_filled<std::int32_t>(value_at))
        , others(make_filled<std::int32_t>(other_at))
        , flags(make_filled<std::uint8_t>(flag_at))
        , out(make<std::int32_t>(capacity + 1))
        , more(make<std::int32_t>(capacity + 1))
        , count(make<std::uint64_t>(2)) {}

    /// Segments of the first n elements, on the host; remembers two, those of the last distribution asked for.
    const segment_list& segments(const std::string& name, std::uint64_t n) { return remembered(name, n).list; }
    /// The same on the device: as offsets.
    const array& offsets(const std::string& name, std::uint64_t n) {
        marks& found = remembered(name, n);
        if (!found.offsets) {
            const std::size_t bytes = found.list.size() * sizeof(std::uint32_t);
            found.offsets = std::make_unique<array>(Device::make(bytes));
            Device::write(*found.offsets, 0, bytes, found.list.data());
        }
        return *found.offsets;
    }
    /// The same as keys that differ from segment to segment; none may be empty.
    const array& keys(const std::string& name, std::uint64_t n) {
        marks& found = remembered(name, n);
        if (!found.keys)
            found.keys = std::make_unique<array>(
                fill<std::int32_t>(n, [&found](std::uint64_t begin, std::uint64_t size, std::int32_t* into) {
                    make_keys(found.list, begin, size, into);
                }));
        return *found.keys;
    }

    template <class T>
    static reader<T> read(const array& from) {
        return [from](std::uint64_t offset, std::uint64_t size, T* into) {
            Device::read(from, static_cast<std::size_t>(offset) * sizeof(T), static_cast<std::size_t>(size) * sizeof(T),
                         into);
        };
    }
    void poison(std::uint64_t n) const {
        const std::size_t bytes = static_cast<std::size_t>(n + 1) * sizeof(std::int32_t);
        Device::poison(out, bytes);
        Device::poison(more, bytes);
        Device::poison(count, 2 * sizeof(std::uint64_t));
    }

private:
    struct marks {
        std::uint64_t n;
        segment_list list;
        std::unique_ptr<array> offsets, keys;
    };

    template <class T>
    static array make(std::uint64_t n) {
        return Device::make(static_cast<std::size_t>(n) * sizeof(T));
    }
    /// `make_piece(begin, size, into)` is called by several threads.
    template <class T, class MakePiece>
    static array fill(std::uint64_t n, MakePiece make_piece) {
        array made = make<T>(n);
        std::vector<T> piece(static_cast<std::size_t>(std::min(n, piece_elements)));
        for (std::uint64_t begin = 0; begin < n; begin += piece.size()) {
            const std::uint64_t end = std::min(n, begin + piece.size());
            const std::vector<index_range> ranges = split_for_threads(begin, end);
            in_parallel(ranges.size(), [&](std::size_t k) {
                make_piece(ranges[k].begin, ranges[k].end - ranges[k].begin, piece.data() + (ranges[k].begin - begin));
            });
            Device::write(made, static_cast<std::size_t>(begin) * sizeof(T),
                          static_cast<std::size_t>(end - begin) * sizeof(T), piece.data());
        }
        return made;
    }
    template <class T, class At>
    array make_filled(At at) const {
        return fill<T>(capacity_, [at](std::uint64_t begin, std::uint64_t size, T* into) {
            for (std::uint64_t i = 0; i < size; ++i) into[i] = at(begin + i);
        });
    }
    marks& remembered(const std::string& name, std::uint64_t n) {
        if (name != name_) remembered_.clear();
        name_ = name;
        for (const auto& one : remembered_)
            if (one->n == n) return *one;
        remembered_.push_back(std::make_unique<marks>());
        remembered_.back()->n = n;
        remembered_.back()->list = segments_named(name, n);
        return *remembered_.back();
    }

    std::uint64_t capacity_;
    std::string name_;
    std::vector<std::unique_ptr<marks>> remembered_;

public:
    const array values; ///< value_at
    const array others; ///< other_at
    const array flags;  ///< flag_at, bytes
    const array out;    ///< results, and
    const array more;   ///< more of them: lengths, sums, a place
    const array count;  ///< of results, 32 or 64 bits
};

} // namespace bench
