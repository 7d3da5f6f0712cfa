#pragma once

#include "cli/command_line.h"

#include <CLI/App.hpp>

namespace aotscope {

/// The options of 'aotscope train' that no other command has.
void addTrainFlags(CLI::App& train, Command& command);

/// 'aotscope train': loss curves of eager and compiled, steps per second, memory.
int trainModel(const Command& command);

}  // namespace aotscope
