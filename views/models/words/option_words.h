#pragma once

#include "record/options/option_table.h"

#include <QString>

namespace aotscope {

/// "memory budget: 0.5", "CUDA graphs": the value of an option that is not at its default. Of files, only the name.
QString chosenOptionWords(const OptionEntry& entry, const Options& options);
/// The value that an option was changed to, its default included: "default memory budget". Empty for what only makes
/// up the name of the model.
QString changedOptionWords(const OptionEntry& entry, const Options& options);

}  // namespace aotscope
