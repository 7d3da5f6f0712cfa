#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace aotscope {

/// Text cut out of a file, with the line of the file for each of its lines.
struct PrintedText {
    std::string file;  ///< named in errors
    std::string text;
    std::vector<std::size_t> lines;

    std::size_t lineAt(std::size_t offset) const;
};

}  // namespace aotscope
