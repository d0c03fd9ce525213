// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/values/inline.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

// Texts that were made before. A call of the family makes up to 4 KB of text, only to find the program that was built
// of the same text. PoCL 3.1, what a call on 1024 elements costs the host, us, before, with a key for each text, and
// with one key for all texts of a call: copy_if 35, 13 and 7.5, reduce_by_key 37, 16 and 8.1, a scan by key 29, 14
// and 7.0.

namespace upsweep::detail {

/// What a text is made of, in one piece: the same for the same parts only. Parts are numbers, texts, vectors, and
/// structs of which a function add_members(key, struct) adds all members.
class text_key {
public:
    template <class... Parts>
    explicit text_key(const Parts&... parts) {
        add(parts...);
    }

    template <class First, class Second, class... Others>
    void add(const First& first, const Second& second, const Others&... others) {
        add(first);
        add(second);
        (add(others), ...);
    }
    template <class T>
    void add(const T& part) {
        if constexpr (!std::is_arithmetic<T>::value && !std::is_enum<T>::value) {
            add_members(*this, part);
        } else if (has_room_for(sizeof part)) {
            std::memcpy(short_ + size_, &part, sizeof part); // of a known size: one instruction
            size_ += sizeof part;
        } else {
            append(&part, sizeof part);
        }
    }
    template <class T>
    void add(const std::vector<T>& all) {
        add(all.size());
        for (const T& each : all) add(each);
    }
    UPSWEEP_INLINE void add(std::string_view text) {
        add(text.size());
        append(text.data(), text.size());
    }
    UPSWEEP_INLINE void add(const std::string& text) { add(std::string_view(text)); }
    UPSWEEP_INLINE void add(const char* text) { add(std::string_view(text)); }

    UPSWEEP_INLINE std::string_view bytes() const { return long_.empty() ? std::string_view(short_, size_) : long_; }

private:
    bool has_room_for(std::size_t count) const { return long_.empty() && count <= sizeof short_ - size_; }
    UPSWEEP_INLINE void append(const void* bytes, std::size_t count) {
        if (has_room_for(count)) {
            std::memcpy(short_ + size_, bytes, count);
            size_ += count;
            return;
        }
        if (long_.empty()) long_.assign(short_, size_);
        long_.append(static_cast<const char*>(bytes), count);
    }

    // A string takes ten times the instructions to append a number.
    char short_[1024];
    std::size_t size_ = 0;
    std::string long_; ///< all of it, where it is longer
};

/// Results of one kind that were made of texts, by what they were made of. Never destroyed, as the programs are not.
template <class Result>
class text_memo {
public:
    UPSWEEP_INLINE static text_memo& get() {
        static auto* const memo = new text_memo;
        return *memo;
    }

    /// The result that was made of an equal key, or that of make(). Forgets all before there are too many.
    template <class Make>
    std::shared_ptr<const Result> find_or_make(const text_key& key, const Make& make) {
        constexpr std::size_t most = 256;
        {
            const std::lock_guard<std::mutex> guard(lock_);
            const auto place = place_of(key.bytes());
            if (place != made_.end() && place->first == key.bytes()) return place->second;
        }
        auto result = std::make_shared<const Result>(make()); // which may throw
        const std::lock_guard<std::mutex> guard(lock_);
        if (made_.size() >= most) made_.clear();
        const auto place = place_of(key.bytes());
        if (place == made_.end() || place->first != key.bytes())
            made_.insert(place, {std::string(key.bytes()), result});
        return result;
    }

private:
    using entry = std::pair<std::string, std::shared_ptr<const Result>>;

    UPSWEEP_INLINE typename std::vector<entry>::iterator place_of(std::string_view key) {
        return std::lower_bound(made_.begin(), made_.end(), key,
                                [](const entry& e, std::string_view k) { return is_before(e.first, k); });
    }

    /// Lengths first: most keys differ in them, and they often begin alike.
    UPSWEEP_INLINE static bool is_before(std::string_view a, std::string_view b) {
        return a.size() != b.size() ? a.size() < b.size() : a < b;
    }

    std::mutex lock_;
    std::vector<entry> made_; ///< in the order of `is_before`
};

/// What make() makes of the texts in a key, or made of them before. (The result's type is given: compilers would look
/// into a function that is not called to find it.)
template <class Result, class Make>
std::shared_ptr<const Result> made_once(const text_key& key, const Make& make) {
    return text_memo<Result>::get().find_or_make(key, make);
}
/// The same of a text.
/// @param parts  all that it depends on; the first one is the name of what is made
template <class Make, class... Parts>
std::string text_made_once(const Make& make, const Parts&... parts) {
    return *made_once<std::string>(text_key(parts...), make);
}

/// Calls find_mistakes(), which throws where there is one, unless it found none in such parts before.
/// (min_element of 1024 elements on PoCL 3.1: 70 of 99 thousand instructions of the host checked the library's own
/// text.)
/// @param parts  all that it depends on; the first one is the name of what is checked
template <class Find, class... Parts>
void check_once(const Find& find_mistakes, const Parts&... parts) {
    made_once<bool>(text_key(parts...), [&] {
        find_mistakes();
        return true;
    });
}

} // namespace upsweep::detail
