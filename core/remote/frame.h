#pragma once

#include "support/json/message_members.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace aotscope {

/// What the far side writes before its first frame: whatever stands before it, such as greetings of a shell, is not
/// ours.
inline constexpr std::string_view kFrameStart = "\n#aotscope frames follow#\n";
inline constexpr std::size_t kMostBeforeStart = std::size_t{64} << 10, kLargestFrame = std::size_t{1} << 30;

/// What one message may take, on the way and once it is read.
struct FrameLimits {
    std::size_t bytes = kLargestFrame;
    std::uint64_t memory = 0;  ///< 0: what is usual for its size, and at most half of what the machine has left
};
inline constexpr FrameLimits kGreetingLimits{std::size_t{64} << 10,
                                             std::uint64_t{4} << 20};  ///< of who is not known yet
inline constexpr FrameLimits kRequestLimits{std::size_t{64} << 20, std::uint64_t{512} << 20};

/// A message: the size of its body in four bytes, the highest first, and a JSON object as CBOR. Throws Error if it is
/// larger than kLargestFrame.
std::string frameOf(const nlohmann::json& message);

/// Takes bytes as they come, and gives the messages in them. Nothing in the bytes is trusted.
class FrameReader {
public:
    enum class From : std::uint8_t { start, here };  ///< look for kFrameStart first; begin with a frame
    FrameReader(From from, const FrameLimits& limits) : limits_(limits), started_(from == From::here) {}

    /// Of all messages from now on.
    void limit(const FrameLimits& limits) { limits_ = limits; }

    /// Throws Error, a clause, if there is no start in the first kMostBeforeStart bytes.
    void add(std::string_view bytes);
    /// Nothing: the next message is not complete. Throws Error, a clause, if it is no message.
    std::optional<nlohmann::json> next();

    bool started() const { return started_; }
    /// What was there instead of the start, for errors.
    std::string_view before() const { return started_ ? std::string_view() : std::string_view(bytes_); }
    /// Whether a message has begun and is not complete.
    bool within() const { return started_ && taken_ < bytes_.size(); }

private:
    FrameLimits limits_;
    std::string bytes_;
    std::size_t taken_ = 0;  ///< of them
    bool started_;
};

/// Writes all of `bytes` to a descriptor, without SIGPIPE. False if nobody reads it any more, or not within `patience`
/// for the next piece; then errno says why.
bool writeAll(int descriptor, std::string_view bytes, std::chrono::milliseconds patience);

}  // namespace aotscope
