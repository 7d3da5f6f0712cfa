#pragma once

#include "record/file_access.h"
#include "support/text_encoding.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// One line of a file without its line end; valid until the next one is read.
struct FileLine {
    std::string_view text;               ///< in UTF-8
    std::uint64_t offset = 0, next = 0;  ///< where this line and the next one begin
    std::size_t number = 0;              ///< from 1, relative to where reading started
    bool ended = false;                  ///< by a line end, not by the end of the input
    bool shortened = false;              ///< longer than the buffer: `text` is its beginning
};

TextEncoding encodingIn(const OpenFile& file);

/// Reads a file line by line through a fixed-size buffer.
class LineReader {
public:
    static constexpr std::size_t kBuffer = std::size_t{16} << 20;

    /// What ends a line. Progress bars and old computers use carriage returns without newlines.
    enum class Ends : std::uint8_t { newLines, returnsToo };

    /// Throws Error if the file cannot be read, Cancelled.
    explicit LineReader(std::unique_ptr<const OpenFile> file, std::uint64_t offset = 0,
                        std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max(), Ends ends = Ends::newLines);

    bool next(FileLine& line);
    std::uint64_t position() const { return position_; }

private:
    bool fill();
    char at(const char* place) const;
    const char* endOfLine(const char* begin, const char* end) const;
    std::string_view decoded(const char* begin, std::size_t length);

    std::unique_ptr<const OpenFile> file_;
    TextEncoding encoding_;
    std::size_t unit_;  ///< bytes per character of a line end
    Ends ends_;
    std::uint64_t readTo_ = 0;  ///< where the next bytes are read from
    std::vector<char> buffer_;
    std::string decoded_;
    std::size_t begin_ = 0, end_ = 0;  ///< the unread part of the buffer
    std::uint64_t position_ = 0, left_ = 0;
    std::size_t number_ = 0;
    bool inLongLine_ = false;
};

}  // namespace aotscope
