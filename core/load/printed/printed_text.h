#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace aotscope {

/// Text extracted from a file, with the line number in the file for each line.
struct PrintedText {
    std::string file;  ///< for errors
    std::string text;
    std::vector<std::size_t> lines;

    std::size_t lineAt(std::size_t offset) const;
};

}  // namespace aotscope
