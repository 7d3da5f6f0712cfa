#pragma once

#include "export/picture_style.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace aotscope {

/// --depth, of every command that draws. Null in a build that draws no pictures.
CLI::Option* addDepth(CLI::App& app, PictureStyle& picture);

/// --colour and --overlay, where there are pictures.
void addColours(CLI::App& app, PictureStyle& picture);

}  // namespace aotscope
