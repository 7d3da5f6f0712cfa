#pragma once

#include "cost/machine_model.h"
#include "record/compile_record.h"
#include "record/results/results.h"

#include <string>
#include <vector>

namespace aotscope {

/// What a timed step executes: the work of its operation. No node if the graph has none of its id; no work if the step
/// is, or may be, a kernel of several operations, whose work is not that of the one it is named after.
struct TimedNode {
    const Node* node = nullptr;  ///< of the record
    NodeCost cost;
};

/// For each step of `timing`.
std::vector<TimedNode> timedNodes(const TimingResult& timing, const CompileRecord& record);

/// A timed operation beside what the machine can do. Arithmetic counts as in NodeCost::flops; operations that are no
/// products count one for each element.
struct RooflinePoint {
    std::size_t step = 0;  ///< in TimingResult::steps
    double operations = 0;
    double bytes = 0;    ///< read and written
    double seconds = 0;  ///< measured
    double reached = 0;  ///< of what is possible for these operations and bytes, 1: all; 0: not known

    double intensity() const { return operations / bytes; }  ///< operations per byte
    double rate() const { return operations / seconds; }     ///< operations per second
};

/// The limit of one kind of work.
struct RooflineCeiling {
    std::string name;      ///< "convolution"
    double perSecond = 0;  ///< operations
};

/// Measured rates against arithmetic intensity, and the limits of the machine: bandwidth times intensity, up to the
/// ceiling of the kind of work (Williams, Waterman and Patterson, 2009).
struct Roofline {
    std::vector<RooflinePoint> points;
    std::vector<RooflineCeiling> ceilings;  ///< of the kinds of work among the points
    double cached = 0, memory = 0;          ///< bytes per second: of data in caches, and of large data; 0: not known
    std::size_t without = 0;                ///< timed operations without arithmetic, or whose work is not known
};

/// `machine`: null, or disturbed: without limits.
Roofline rooflineOf(const TimingResult& timing, const CompileRecord& record, const MachineModel* machine);

}  // namespace aotscope
