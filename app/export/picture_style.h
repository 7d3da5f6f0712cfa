#pragma once

#include <filesystem>
#include <string>

namespace aotscope {

/// How the command line draws a picture.
struct PictureStyle {
    std::string
        colour;  ///< what the fill of a box tells: "part", "family", "mutation", "fate", "bytes", ...; empty: part
    std::filesystem::path overlay;  ///< values of nodes to colour by instead; empty: none
    bool colourBlind = false;       ///< with the palette for colour-blind people
    int depth = 0;                  ///< modules of this depth and below are closed boxes; 0: all are open
};

}  // namespace aotscope
