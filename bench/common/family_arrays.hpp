// SPDX-License-Identifier: MIT
#pragma once

// Inputs and outputs of the family's rows in the memory of a device.

#include "family_checks.hpp"

#include <memory>

namespace bench {

/// @tparam Device  what has an `array` of bytes and make, write, read, poison of it
/// @tparam T       of the values
template <class Device, class T = std::int32_t>
class family_arrays {
public:
    using array = typename Device::array;

    /// @param capacity  the most elements that rows have
    explicit family_arrays(std::uint64_t capacity)
        : capacity_(capacity)
        , values(make_filled<T>(value_at<T>))
        , others(make_filled<T>(other_at<T>))
        , flags(make_filled<std::uint8_t>(flag_at))
        , out(make<result_slot>(capacity + 1))
        , more(make<result_slot>(capacity + 1))
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
        return keys_once<std::int32_t>(found.keys, found);
    }
    /// The same as keys of the type of the values.
    const array& runs(const std::string& name, std::uint64_t n) {
        marks& found = remembered(name, n);
        return keys_once<T>(std::is_same_v<T, std::int32_t> ? found.keys : found.runs, found);
    }

    template <class Result>
    static reader<Result> read(const array& from) {
        return [from](std::uint64_t offset, std::uint64_t size, Result* into) {
            Device::read(from, static_cast<std::size_t>(offset) * sizeof(Result),
                         static_cast<std::size_t>(size) * sizeof(Result), into);
        };
    }
    void poison(std::uint64_t n) const {
        const std::size_t bytes = static_cast<std::size_t>(n + 1) * sizeof(result_slot);
        Device::poison(out, bytes);
        Device::poison(more, bytes);
        Device::poison(count, 2 * sizeof(std::uint64_t));
    }

private:
    struct marks {
        std::uint64_t n;
        segment_list list;
        std::unique_ptr<array> offsets, keys, runs;
    };
    /// A value, or a key, which is int32.
    using result_slot = std::conditional_t<(sizeof(T) > sizeof(std::int32_t)), T, std::int32_t>;

    template <class Element>
    static array make(std::uint64_t n) {
        return Device::make(static_cast<std::size_t>(n) * sizeof(Element));
    }
    template <class Key>
    static const array& keys_once(std::unique_ptr<array>& made, const marks& of) {
        if (!made)
            made = std::make_unique<array>(fill<Key>(of.n, [&of](std::uint64_t begin, std::uint64_t size, Key* into) {
                make_keys(of.list, begin, size, into);
            }));
        return *made;
    }
    /// `make_piece(begin, size, into)` is called by several threads.
    template <class Element, class MakePiece>
    static array fill(std::uint64_t n, MakePiece make_piece) {
        array made = make<Element>(n);
        std::vector<Element> piece(static_cast<std::size_t>(std::min(n, piece_elements)));
        for (std::uint64_t begin = 0; begin < n; begin += piece.size()) {
            const std::uint64_t end = std::min(n, begin + piece.size());
            const std::vector<index_range> ranges = split_for_threads(begin, end);
            in_parallel(ranges.size(), [&](std::size_t k) {
                make_piece(ranges[k].begin, ranges[k].end - ranges[k].begin, piece.data() + (ranges[k].begin - begin));
            });
            Device::write(made, static_cast<std::size_t>(begin) * sizeof(Element),
                          static_cast<std::size_t>(end - begin) * sizeof(Element), piece.data());
        }
        return made;
    }
    template <class Element, class At>
    array make_filled(At at) const {
        return fill<Element>(capacity_, [at](std::uint64_t begin, std::uint64_t size, Element* into) {
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
