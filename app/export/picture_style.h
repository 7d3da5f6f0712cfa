#pragma once

#include <filesystem>
#include <string>

namespace aotscope {

/// How the command line draws a picture.
struct PictureStyle {
    std::string
        colour;  ///< what the fill of a box tells: "part", "family", "mutation", "fate", "bytes", ...; empty: part
    std::filesystem::path overlay;  ///< colour by these values of nodes; empty: by `colour`
    bool colourBlind = false;       ///< with the palette for colour-blind people
    int depth = 0;                  ///< modules at this depth are closed boxes; 0: all are open
};

}  // namespace aotscope
