#include "support/packed/gzip.h"

#include "support/error.h"
#include "support/packed/deflate.h"

#include <boost/crc.hpp>

#include <cstdint>

namespace aotscope {

namespace {

constexpr std::string_view kMagic = "\x1f\x8b\x08";
constexpr std::size_t kHeader = 10, kTrailer = 8;
enum Flag : std::uint8_t { kHeaderSum = 2, kExtra = 4, kName = 8, kComment = 16 };

[[noreturn]] void failDamaged() {
    throw Error("is compressed by gzip, but damaged or incomplete; copy or write it again");
}

std::uint8_t byteAt(std::string_view text, std::size_t at) { return static_cast<std::uint8_t>(text[at]); }

std::uint32_t number(std::string_view text) {
    std::uint32_t value = 0;
    for (std::size_t i = 4; i-- > 0;) value = value << 8 | byteAt(text, i);
    return value;
}

std::string_view without(std::string_view text, std::size_t count) {
    if (count > text.size()) failDamaged();
    return text.substr(count);
}

std::string_view withoutText(std::string_view text) {
    const auto end = text.find('\0');
    return end == std::string_view::npos ? without(text, text.size() + 1) : text.substr(end + 1);
}

}  // namespace

struct GzipStream::Member {
    explicit Member(std::string_view packed) : stream(packed) {}

    InflateStream stream;
    boost::crc_32_type sum;  ///< of what was unpacked, like its size
    std::uint32_t size = 0;
};

GzipStream::GzipStream(std::string_view file) : rest_(file) {}
GzipStream::~GzipStream() = default;

bool looksLikeGzip(std::string_view beginning) { return beginning.starts_with(kMagic); }

void GzipStream::begin() {
    if (!looksLikeGzip(rest_) || rest_.size() < kHeader) failDamaged();
    const std::uint8_t flags = byteAt(rest_, 3);
    rest_ = rest_.substr(kHeader);
    if (flags & kExtra) {
        if (rest_.size() < 2) failDamaged();
        rest_ = without(rest_, 2 + byteAt(rest_, 0) + (std::size_t{byteAt(rest_, 1)} << 8));
    }
    if (flags & kName) rest_ = withoutText(rest_);
    if (flags & kComment) rest_ = withoutText(rest_);
    if (flags & kHeaderSum) rest_ = without(rest_, 2);
    member_ = std::make_unique<Member>(rest_);
}

void GzipStream::finish() {
    rest_ = without(rest_, member_->stream.taken());
    if (rest_.size() < kTrailer || number(rest_) != member_->sum.checksum() || number(rest_.substr(4)) != member_->size)
        failDamaged();
    rest_ = rest_.substr(kTrailer);
    member_ = nullptr;
}

std::string_view GzipStream::next() {
    while (member_ || !rest_.empty()) {
        if (!member_) begin();
        const auto piece = member_->stream.next();
        if (!piece) failDamaged();
        member_->sum.process_bytes(piece->data(), piece->size());
        member_->size += static_cast<std::uint32_t>(piece->size());
        if (!piece->empty()) return *piece;
        finish();
    }
    return {};
}

}  // namespace aotscope
