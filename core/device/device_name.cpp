#include "device/device_name.h"

#include "support/error.h"

namespace aotscope {

std::string deviceFromName(const std::string& name) {
    const bool indexed = name.starts_with("cuda:") && name.size() > 5 && name.size() < 8 &&
                         name.find_first_not_of("0123456789", 5) == std::string::npos;
    if (name == "cpu" || indexed) return name;
    if (name == "cuda") return "cuda:0";
    throw UsageError("--device " + name + ": expected cpu, cuda or cuda:N");
}

}  // namespace aotscope
