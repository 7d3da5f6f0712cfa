#include "load/printed/syntax/line_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace aotscope {

namespace {

constexpr std::size_t kFirstBuffer = std::size_t{1} << 20, kSmallestBuffer = 4096;

}  // namespace

TextEncoding encodingIn(const OpenFile& file) {
    std::string beginning(64, '\0');
    beginning.resize(file.readAt(0, beginning.data(), beginning.size()));
    return encodingOf(beginning);
}

LineReader::LineReader(std::unique_ptr<const OpenFile> file, std::uint64_t offset, std::uint64_t bytes, Ends ends)
    : file_(std::move(file)),
      encoding_(encodingIn(*file_)),
      unit_(encoding_ == TextEncoding::utf8 ? 1 : 2),
      ends_(ends),
      readTo_(offset),
      buffer_(static_cast<std::size_t>(std::clamp<std::uint64_t>(bytes, kSmallestBuffer, kFirstBuffer))),
      position_(offset),
      left_(bytes) {}

/// Appends to the buffer; false at the end of the file.
bool LineReader::fill() {
    if (begin_ > 0) {
        std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
        end_ -= begin_;
        begin_ = 0;
    }
    if (end_ == buffer_.size()) {
        if (buffer_.size() >= kBuffer) return false;
        buffer_.resize(buffer_.size() * 2);
    }
    const auto want = std::min<std::uint64_t>(buffer_.size() - end_, left_);
    if (want == 0) return false;
    const std::size_t got = file_->readAt(readTo_, buffer_.data() + end_, static_cast<std::size_t>(want));
    readTo_ += got;
    end_ += got;
    left_ -= got;
    return got > 0;
}

/// The character at `place` if it is ASCII, otherwise another one that does not end a line.
char LineReader::at(const char* place) const {
    if (encoding_ == TextEncoding::utf8) return *place;
    const bool little = encoding_ == TextEncoding::utf16Little;
    return place[little ? 1 : 0] == '\0' ? place[little ? 0 : 1] : '\x7f';
}

/// Null if no line ends there.
const char* LineReader::endOfLine(const char* begin, const char* end) const {
    if (ends_ == Ends::newLines && unit_ == 1)
        return static_cast<const char*>(std::memchr(begin, '\n', static_cast<std::size_t>(end - begin)));
    if (unit_ == 1) {
        const char* found = std::find_if(begin, end, [](char c) { return c == '\n' || c == '\r'; });
        return found == end ? nullptr : found;
    }
    for (; static_cast<std::size_t>(end - begin) >= unit_; begin += unit_)
        if (const char c = at(begin); c == '\n' || (c == '\r' && ends_ == Ends::returnsToo)) return begin;
    return nullptr;
}

std::string_view LineReader::decoded(const char* begin, std::size_t length) {
    if (unit_ == 1) return {begin, length};
    return decoded_ = toUtf8({begin, length}, encoding_);
}

bool LineReader::next(FileLine& line) {
    std::size_t searched = 0;
    for (;;) {
        const char* start = buffer_.data() + begin_;
        const std::size_t available = end_ - begin_;
        const char* found = endOfLine(start + searched, start + available);
        const bool last = found && at(found) == '\r' && found + 2 * unit_ > start + available;  // a newline may follow
        if ((!found || last) && available < kBuffer) {
            searched = found ? static_cast<std::size_t>(found - start) : available - available % unit_;
            if (fill()) continue;
        }
        if (!found && end_ == begin_) return false;
        const bool both =
            found && at(found) == '\r' && found + 2 * unit_ <= start + available && at(found + unit_) == '\n';
        if (found) searched = static_cast<std::size_t>(found - start);
        start = buffer_.data() + begin_;  // filling may have moved it
        if (found) found = start + searched;
        std::size_t length = found ? static_cast<std::size_t>(found - start) : end_ - begin_;
        const bool rest = std::exchange(inLongLine_, !found && length >= kBuffer);
        if (rest) {  // of a line whose beginning was already returned
            begin_ += length + (found ? unit_ : 0);
            position_ += length + (found ? unit_ : 0);
            inLongLine_ = !found;
            searched = 0;
            continue;
        }
        line.offset = position_;
        line.shortened = inLongLine_;
        line.number = ++number_;
        line.ended = found != nullptr;
        const std::size_t used = length + (found ? unit_ : 0) + (both ? unit_ : 0);
        if (length >= unit_ && at(start + length - unit_) == '\r') length -= unit_;
        line.text = decoded(start, length);
        begin_ += used;
        position_ += used;
        line.next = position_;
        return true;
    }
}

}  // namespace aotscope
