#include "remote/frame.h"

#include "support/error.h"
#include "support/formatted.h"
#include "support/json/bounded_json.h"
#include "support/resident_memory.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>

#include <poll.h>
#include <unistd.h>

namespace aotscope {

namespace {

using nlohmann::json;

constexpr std::size_t kSizeBytes = 4;

std::size_t sizeAt(std::string_view bytes) {
    std::size_t size = 0;
    for (std::size_t i = 0; i < kSizeBytes; ++i) size = size << 8U | static_cast<unsigned char>(bytes[i]);
    return size;
}

/// Memory for a message of `size` bytes. Even a short one may need most of a machine's memory.
std::uint64_t usualMemory(std::size_t size) {
    constexpr std::uint64_t perByte = 2;  // large contents are bytes, which are kept as they are
    const auto available = static_cast<std::uint64_t>(std::max<std::int64_t>(availableBytes(), 0));
    return std::min(JsonBounds::memoryFor(size, perByte), available / 2);
}

/// During its lifetime, this thread gets no SIGPIPE.
class WithoutPipeSignal {
public:
    WithoutPipeSignal() {
        sigemptyset(&pipe_);
        sigaddset(&pipe_, SIGPIPE);
        ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
    }
    WithoutPipeSignal(const WithoutPipeSignal&) = delete;
    WithoutPipeSignal& operator=(const WithoutPipeSignal&) = delete;
    ~WithoutPipeSignal() {
        const int error = errno;
        sigset_t waiting;
        int signal = 0;
        if (::sigpending(&waiting) == 0 && sigismember(&waiting, SIGPIPE) == 1 && sigismember(&before_, SIGPIPE) == 0)
            ::sigwait(&pipe_, &signal);
        ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
        errno = error;
    }

private:
    sigset_t pipe_{}, before_{};
};

}  // namespace

std::string frameOf(const json& message) {
    std::string frame(kSizeBytes, '\0');
    json::to_cbor(message, frame);
    const std::size_t size = frame.size() - kSizeBytes;
    if (size > kLargestFrame)
        throw Error("a message of " + formatBytes(static_cast<std::int64_t>(size)) +
                    " is too large to be sent; at most " + formatBytes(std::int64_t{kLargestFrame}) + " can be");
    for (std::size_t i = 0; i < kSizeBytes; ++i)
        frame[i] = static_cast<char>(size >> (8 * (kSizeBytes - 1 - i)) & 0xffU);
    return frame;
}

void FrameReader::add(std::string_view bytes) {
    if (taken_ > 0) bytes_.erase(0, std::exchange(taken_, 0));
    bytes_ += bytes;
    if (started_) return;
    if (const auto start = bytes_.find(kFrameStart); start != std::string::npos) {
        bytes_.erase(0, start + kFrameStart.size());
        started_ = true;
    } else if (bytes_.size() > kMostBeforeStart) throw Error("does not answer like aotscope");
}

std::optional<json> FrameReader::next() {
    if (!started_ || bytes_.size() - taken_ < kSizeBytes) return std::nullopt;
    const std::string_view rest = std::string_view(bytes_).substr(taken_);
    const std::size_t size = sizeAt(rest);
    if (size > limits_.bytes)
        throw Error("announces a message of " + formatBytes(static_cast<std::int64_t>(size)) + ", which is too large");
    if (rest.size() - kSizeBytes < size) return std::nullopt;
    taken_ += kSizeBytes + size;
    return messageInCbor(rest.substr(kSizeBytes, size), limits_.memory ? limits_.memory : usualMemory(size));
}

bool writeAll(int descriptor, std::string_view bytes, std::chrono::milliseconds patience) {
    const WithoutPipeSignal quiet;
    while (!bytes.empty()) {
        pollfd wanted{descriptor, POLLOUT, 0};
        const int ready = ::poll(&wanted, 1, static_cast<int>(patience.count()));
        if (ready < 0 && errno == EINTR) continue;
        if (ready == 0) errno = ETIMEDOUT;
        if (ready <= 0) return false;
        const auto count = ::write(descriptor, bytes.data(), bytes.size());
        if (count >= 0) bytes.remove_prefix(static_cast<std::size_t>(count));
        else if (errno != EINTR && errno != EAGAIN) return false;
    }
    return true;
}

}  // namespace aotscope
