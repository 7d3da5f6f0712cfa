#pragma once

#include "cli/command_line.h"

namespace aotscope {

/// Shows the window with the command's model, if any. Where there is no display: prints the report tables of the
/// model, writes its graphs as SVG into a folder that it names, and says why there is no window.
int showWindow(const Command& command, int argc, char** argv);

}  // namespace aotscope
