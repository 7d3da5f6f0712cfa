#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace aotscope {

inline bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// What stands in front of a line of PyTorch's loggers: their own prefix, and whatever others put before it.
struct LogPrefix {
    std::size_t length = 0;      ///< 0: the line has none
    std::string_view key;        ///< equal for all lines of one message: process, source location, tags
    std::string_view process;    ///< who wrote it; empty: the prefix does not say
    std::string_view compileId;  ///< "0/0" of "[0/0]"; empty: none
};

/// Finds "V1121 17:12:46.592000 8955 torch/x.py:1780] [0/0] [__aot_graphs] ", the older "[2023-11-21 17:12:46,592]
/// [0/0] torch.x.__aot_graphs: [INFO] ", or what is left of the first where its beginning was cut off. What launchers,
/// containers and quotations put in front of these does not matter.
LogPrefix readLogPrefix(std::string_view line);

/// What others put in front of every line of a text that has no prefix of PyTorch: "(RayWorker pid=12) ", "worker-0  |
/// ", "> ", a time. Times differ from line to line.
class LineHead {
public:
    LineHead() = default;
    /// `head`: as it stands in front of one of the lines, without the blanks at its end, of which there are `blanks`.
    LineHead(std::string_view head, std::size_t blanks);

    bool empty() const { return pattern_.empty(); }
    /// Where the text begins in `line`; nothing: the line has another head. Blanks at the end of a line may be missing.
    std::optional<std::size_t> lengthIn(std::string_view line) const;

private:
    std::string pattern_;  ///< '\0' stands for the digits of a time
    std::size_t blanks_ = 0;
};

}  // namespace aotscope
