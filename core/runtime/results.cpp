#include "runtime/results.h"

namespace aotscope {

double TimingResult::utilization() const {
    double busy = 0;
    for (const GraphTime& graph : graphs) busy += graph.stepsMs;
    return compiledStepMs.median > 0 ? busy / compiledStepMs.median : 0;
}

}  // namespace aotscope
