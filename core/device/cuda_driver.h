#pragma once

#include <string>
#include <vector>

namespace aotscope {

/// The GPUs that the NVIDIA driver reports, or the reason for having none.
struct CudaDriver {
    std::vector<std::string> gpus;      ///< names
    std::string missing;                ///< one clause; empty if there are any
    std::vector<std::string> ids = {};  ///< unique to each GPU
};

/// Queries the driver at the first call, through its library alone; no CUDA toolkit is needed.
const CudaDriver& cudaDriver();

}  // namespace aotscope
