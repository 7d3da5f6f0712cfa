#pragma once

#include "cost/machine_model.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// A GPU as its data sheet describes it, for estimates on machines without it.
struct DataSheet {
    std::string_view name;   ///< on the command line: "h100"
    std::string_view title;  ///< as its driver calls it, or how that name begins: "NVIDIA H100"
    double memory = 0;       ///< bytes
    double bandwidth = 0;    ///< of the memory, bytes per second
    double single = 0;       ///< operations per second in float32
    double tensorFloat = 0;  ///< of matrix products with tensor cores in TF32; 0: it has none
    double half = 0;         ///< of dense matrix products in 16-bit floating point
};

/// The one table of devices that are known without being measured.
std::span<const DataSheet> dataSheets();
/// Null if there is none.
const DataSheet* dataSheetNamed(std::string_view name);
/// That of a GPU by the name that its driver gives; null if there is none.
const DataSheet* dataSheetOf(std::string_view gpu);
/// All names, for errors and help.
std::vector<std::string> dataSheetNames();

/// How fast it does each kind of work: of its figures, the shares that common kernels reach.
MachineModel machineBy(const DataSheet& sheet);

}  // namespace aotscope
