#include "cost/runtime_model.h"

#include "cost/node_figures.h"

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

RuntimeModel rooflineTimes(MachineSource machine, std::shared_ptr<const OperatorCosts> costs) {
    if (!costs) costs = std::make_shared<const OperatorCosts>();
    RuntimeModel model;
    model.roofline = [known = std::make_shared<KnownMachine>(std::move(machine)), costs](const Node& node) {
        return timeOf(node, known->get(), *costs).value;
    };
    model.known = [costs](const Graph&) { return costs; };
    return model;
}

}  // namespace aotscope
