#pragma once

#include "support/packed/gzip.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

namespace aotscope {

/// The text of a profile, unpacked as it is read. Throws Error, a clause, for what grows without end.
class ProfileBytes {
public:
    /// `file` must outlive it.
    explicit ProfileBytes(std::string_view file);

    bool atEnd() const { return at_ == piece_.size(); }
    char current() const { return piece_[at_]; }
    void advance() {
        if (++at_ == piece_.size()) refill();
    }
    /// The reader has got one more value.
    void countValue() { sinceValue_ = 0; }

private:
    void refill();

    std::string_view rest_, piece_;
    std::optional<GzipStream> packed_;
    std::size_t at_ = 0;
    std::uint64_t sinceValue_ = 0, total_ = 0, most_ = 0;
};

/// For parsers that want iterators. All of one text are at the same place.
class ProfileIterator {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = char;

    ProfileIterator() = default;  ///< the end
    explicit ProfileIterator(ProfileBytes& bytes) : bytes_(&bytes) {}

    char operator*() const { return bytes_->current(); }
    ProfileIterator& operator++() {
        bytes_->advance();
        return *this;
    }
    ProfileIterator operator++(int) {
        bytes_->advance();
        return *this;
    }
    bool operator==(const ProfileIterator& other) const { return atEnd() == other.atEnd(); }

private:
    bool atEnd() const { return !bytes_ || bytes_->atEnd(); }

    ProfileBytes* bytes_ = nullptr;
};

}  // namespace aotscope
