#include "load/profile/profile_bytes.h"

#include "support/error.h"
#include "support/formatted.h"

#include <algorithm>

namespace aotscope {

namespace {

constexpr std::size_t kPiece = 1 << 16;
constexpr std::uint64_t kLongestValue = std::uint64_t{16} << 20;
/// Profiles are packed to a tenth of their size, or a thirtieth; what is packed better is made for it.
constexpr std::uint64_t kUnpackedPerByte = 100, kAlwaysUnpacked = std::uint64_t{64} << 20;

}  // namespace

ProfileBytes::ProfileBytes(std::string_view file)
    : rest_(file), most_(kAlwaysUnpacked + kUnpackedPerByte * file.size()) {
    if (looksLikeGzip(file)) packed_.emplace(file);
    refill();
}

void ProfileBytes::refill() {
    at_ = 0;
    if (packed_) {
        piece_ = packed_->next();
    } else {
        piece_ = rest_.substr(0, kPiece);
        rest_.remove_prefix(piece_.size());
    }
    total_ += piece_.size();
    sinceValue_ += piece_.size();
    if (packed_ && total_ > most_)
        throw Error("unpacks to more than " + formatBytes(static_cast<std::int64_t>(most_)) +
                    ", too much for its size; profiles are at most 100 times as large as their files");
    if (sinceValue_ > kLongestValue)
        throw Error("has a value of more than " + formatBytes(kLongestValue) + ", which no profile has");
}

}  // namespace aotscope
