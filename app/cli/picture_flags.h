#pragma once

#include "export/picture_style.h"

#include <CLI/App.hpp>

namespace aotscope {

/// --depth, for every command that draws. Null in a build without pictures.
CLI::Option* addDepth(CLI::App& app, PictureStyle& picture);

/// --colour-blind, for every command that draws. Null in a build without pictures.
CLI::Option* addPalette(CLI::App& app, PictureStyle& picture);

/// --colour and --overlay, in builds with pictures.
void addColours(CLI::App& app, PictureStyle& picture);

}  // namespace aotscope
