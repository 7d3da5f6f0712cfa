#include "cost/runtime_model.h"

#include "cost/machine_model.h"

namespace aotscope {

RuntimeModel rooflineTimes(const std::string& device) {
    RuntimeModel model;
    model.roofline = [device](const Node& node) { return estimatedMs(node, machineModel(device)); };
    return model;
}

}  // namespace aotscope
