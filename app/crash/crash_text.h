#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace aotscope {

/// Text built in a signal handler: takes no memory and no lock. Text that does not fit is cut off.
template <std::size_t Capacity>
class CrashText {
public:
    CrashText& operator<<(std::string_view text) {
        const std::size_t count = std::min(text.size(), Capacity - size_);
        std::copy_n(text.data(), count, text_.data() + size_);
        size_ += count;
        return *this;
    }
    CrashText& operator<<(const char* text) { return *this << std::string_view(text); }

    /// At least `digits` long.
    CrashText& number(std::int64_t value, int digits = 1) {
        if (value < 0) *this << "-";
        return inBase<10>(value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value),
                          digits);
    }
    CrashText& hex(std::uintptr_t value, int digits = 1) {
        *this << "0x";
        return inBase<16>(value, digits);
    }

    std::string_view view() const { return {text_.data(), size_}; }
    /// For functions of the system; the end is cut off if it is full.
    const char* zeroTerminated() {
        text_[std::min(size_, Capacity - 1)] = '\0';
        return text_.data();
    }
    void clear() { size_ = 0; }

private:
    template <unsigned Base>
    CrashText& inBase(std::uint64_t value, int digits) {
        std::array<char, 24> reversed{};
        int count = 0;
        while (count < static_cast<int>(reversed.size()) && (value > 0 || count < digits)) {
            reversed[static_cast<std::size_t>(count++)] = "0123456789abcdef"[value % Base];
            value /= Base;
        }
        while (count > 0) *this << std::string_view(&reversed[static_cast<std::size_t>(--count)], 1);
        return *this;
    }

    std::array<char, Capacity> text_{};
    std::size_t size_ = 0;
};

}  // namespace aotscope
