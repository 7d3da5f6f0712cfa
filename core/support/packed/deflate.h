#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

/// Deflate (RFC 1951), as zip archives use it.
namespace aotscope {

std::string deflated(std::string_view content);

/// The `size` bytes that were packed; nothing if `packed` is damaged, or stands for more or fewer. Takes no more memory
/// than those bytes, whatever `packed` says.
std::optional<std::string> inflated(std::string_view packed, std::size_t size);

/// Unpacks piece by piece, in little memory. `packed` must outlive it.
class InflateStream {
public:
    explicit InflateStream(std::string_view packed);
    InflateStream(const InflateStream&) = delete;
    InflateStream& operator=(const InflateStream&) = delete;
    ~InflateStream();

    /// The next bytes, valid until the next call; empty at the end. Nothing if `packed` is damaged.
    std::optional<std::string_view> next();
    /// How many bytes of `packed` the stream has: after the end, where what follows it begins.
    std::size_t taken() const;

private:
    class Unpacking;
    std::unique_ptr<Unpacking> unpacking_;
};

}  // namespace aotscope
