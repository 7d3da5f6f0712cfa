#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace aotscope {

inline bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// The prefix of a line of PyTorch's loggers: their own, and whatever precedes it.
struct LogPrefix {
    std::size_t length = 0;      ///< 0: no prefix
    std::string_view key;        ///< equal for all lines of one message: process, source location, tags
    std::string_view process;    ///< that wrote it; empty: not in the prefix
    std::string_view compileId;  ///< "0/0" for "[0/0]", or empty
};

/// Finds "V1121 17:12:46.592000 8955 torch/x.py:1780] [0/0] [__aot_graphs] ", the older "[2023-11-21 17:12:46,592]
/// [0/0] torch.x.__aot_graphs: [INFO] ", or the rest of the first if its beginning was cut off. Anything that
/// launchers, containers and quotations put before these is skipped.
LogPrefix readLogPrefix(std::string_view line);

/// The prefix that others put before every line of a text without a PyTorch prefix: "(RayWorker pid=12) ", "worker-0  |
/// ", "> ", a timestamp, which differs from line to line.
class LineHead {
public:
    LineHead() = default;
    /// `head`: the prefix of one line, without its trailing blanks, of which there are `blanks`.
    LineHead(std::string_view head, std::size_t blanks);

    bool empty() const { return pattern_.empty(); }
    /// Where the text begins in `line`; nothing if the line has another prefix. Trailing blanks may be missing.
    std::optional<std::size_t> lengthIn(std::string_view line) const;

private:
    std::string pattern_;  ///< '\0' matches the digits of a timestamp
    std::size_t blanks_ = 0;
};

}  // namespace aotscope
