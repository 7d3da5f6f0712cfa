#include "cost/runtime_model.h"

namespace aotscope {

RuntimeModel rooflineTimes(MachineSource machine) {
    RuntimeModel model;
    model.roofline = [machine = std::move(machine), known = std::optional<MachineModel>()](const Node& node) mutable {
        if (!known) known = machine();
        return estimatedMs(node, *known);
    };
    return model;
}

}  // namespace aotscope
