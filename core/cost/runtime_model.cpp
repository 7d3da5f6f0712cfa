#include "cost/runtime_model.h"

#include <memory>
#include <mutex>

namespace aotscope {

namespace {

/// Asked for once; shared by copies, which several threads may call.
class KnownMachine {
public:
    explicit KnownMachine(MachineSource source) : source_(std::move(source)) {}

    const MachineModel& get() {
        std::call_once(asked_, [this] { model_ = source_(); });
        return model_;
    }

private:
    MachineSource source_;
    std::once_flag asked_;
    MachineModel model_;
};

}  // namespace

RuntimeModel rooflineTimes(MachineSource machine) {
    RuntimeModel model;
    model.roofline = [known = std::make_shared<KnownMachine>(std::move(machine))](const Node& node) {
        return estimatedMs(node, known->get());
    };
    return model;
}

}  // namespace aotscope
