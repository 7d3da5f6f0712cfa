#pragma once

#include "support/json/message_members.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace aotscope {

/// What the engine writes before its first frame: anything before it, such as a shell's greeting, is not ours.
inline constexpr std::string_view kFrameStart = "\n#aotscope frames follow#\n";
inline constexpr std::size_t kMostBeforeStart = std::size_t{64} << 10, kLargestFrame = std::size_t{1} << 30;

/// Limits for one message, in transit and in memory.
struct FrameLimits {
    std::size_t bytes = kLargestFrame;
    std::uint64_t memory = 0;  ///< 0: the usual amount for its size, and at most half of the machine's free memory
};
inline constexpr FrameLimits kGreetingLimits{std::size_t{64} << 10,
                                             std::uint64_t{4} << 20};  ///< before the sender is known
inline constexpr FrameLimits kRequestLimits{std::size_t{64} << 20, std::uint64_t{512} << 20};

/// A message: the size of its body in four bytes, big-endian, and a JSON object as CBOR. Throws Error if it is larger
/// than kLargestFrame.
std::string frameOf(const nlohmann::json& message);

/// Takes bytes as they arrive, and returns the messages in them. The bytes are not trusted.
class FrameReader {
public:
    enum class From : std::uint8_t { start, here };  ///< search for kFrameStart first; begin with a frame
    FrameReader(From from, const FrameLimits& limits) : limits_(limits), started_(from == From::here) {}

    /// Applies to all further messages.
    void limit(const FrameLimits& limits) { limits_ = limits; }

    /// Throws Error, a clause, if the first kMostBeforeStart bytes do not contain the start.
    void add(std::string_view bytes);
    /// Nothing if the next message is incomplete. Throws Error, a clause, if it is invalid.
    std::optional<nlohmann::json> next();

    bool started() const { return started_; }
    /// What arrived before the start, for errors.
    std::string_view before() const { return started_ ? std::string_view() : std::string_view(bytes_); }
    /// Whether a message has begun and is incomplete.
    bool within() const { return started_ && taken_ < bytes_.size(); }

private:
    FrameLimits limits_;
    std::string bytes_;
    std::size_t taken_ = 0;  ///< of them
    bool started_;
};

/// Writes all of `bytes` to a descriptor, without SIGPIPE. False if the reader is gone, or does not read the next part
/// within `patience`; errno then has the reason.
bool writeAll(int descriptor, std::string_view bytes, std::chrono::milliseconds patience);

}  // namespace aotscope
