#pragma once

#include <string>
#include <string_view>

namespace aotscope {

inline bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// The prefix that PyTorch's loggers put in front of a line.
struct LogPrefix {
    std::size_t length = 0;      ///< 0: the line has none
    std::string_view key;        ///< equal for all lines of one message: process, source location, tags
    std::string_view compileId;  ///< "0/0" of "[0/0]"; empty: none
};

/// Reads "V1121 17:12:46.592000 8955 torch/x.py:1780] [0/0] [__aot_graphs] ", the same behind "[rank0]:", and the
/// older "[2023-11-21 17:12:46,592] [0/0] torch.x.__aot_graphs: [INFO] ".
LogPrefix readLogPrefix(std::string_view line);

/// `text` without the escape sequences that colour a terminal. `buffer` is used if there are any.
class ColourFilter {
public:
    std::string_view operator()(std::string_view text);

private:
    std::string buffer_;
};

}  // namespace aotscope
