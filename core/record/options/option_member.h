#pragma once

#include "record/options/option_table.h"

namespace aotscope {

/// The member at the end of a path of members.
template <auto... path>
OptionField memberAt(Options& options) {
    return &(options.*....*path);
}

/// Parts of the table: options of the partition; of ranks and collectives.
std::vector<OptionEntry> partitionOptions();
std::vector<OptionEntry> rankOptions();

}  // namespace aotscope
