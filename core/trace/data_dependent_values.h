#pragma once

#include "aten/autocast.h"
#include "ir/node_attributes.h"
#include "ops/dialect.h"
#include "trace/layout_copies.h"
#include "trace/memory_watch.h"
#include "trace/views/written_windows.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace aotscope {

class CrossCheck;
class FlatFunction;

/// Whether the result of `op`, or its shape, depends on the values of its arguments.
bool dependsOnData(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> args);

/// The masks by which `op` writes to some elements of a tensor. The shape of its result does not depend on how many
/// they select, but its gradient does.
std::vector<at::Tensor> masksOfWrite(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> args);

/// One result of a data-dependent operation: a number, or the shape of a tensor.
struct DataResult {
    c10::IValue number;  ///< None for a tensor
    bool isTensor = false;
    std::vector<std::int64_t> sizes, strides;
    at::ScalarType dtype = at::kFloat;
};

/// What one operation revealed about data. For a write by masks: the positions that each selects, as returned by
/// aten::nonzero.
struct DataReading {
    std::string op;  ///< its name in graphs; kMaskedWrite
    std::vector<DataResult> results;
};
inline constexpr const char* kMaskedWrite = "write by masks";

/// A reading used by a trace: the node is the operation, which is recorded like any other.
struct TracedReading {
    NodeId node = kNoNode;
    std::vector<DataResult> results;
    bool ofMask = false;  ///< the node is a mask, the result has the positions that it selects
};

/// Provides the data that the program reads, in order, which is unknown in a trace on fake tensors. Runs the program
/// once, eagerly, on copies of the example inputs, on first request. Also records where the program copies because of
/// strides, which is unknown in a functional trace.
class DataDependentValues {
public:
    DataDependentValues(const FlatFunction& function, bool gradMode, Dialect dialect)
        : function_(function), gradMode_(gradMode), dialect_(dialect) {}

    /// The reading number `index`, at an operation called `op` in the trace. Throws Error if the eager run has no such
    /// reading.
    const DataReading& reading(std::size_t index, const std::string& op);

    /// How many operations the eager run has computed with real kernels: 0 if no data was requested.
    std::size_t kernels() const { return kernels_; }

    /// For all traces of the program.
    Dialect dialect() const { return dialect_; }
    /// Where traces move constants, which are on the CPU; nothing: they are not moved.
    const std::optional<c10::Device>& assumedDevice() const;
    MemoryWatch& memory() { return memory_; }
    LayoutCopies& layoutCopies() { return layoutCopies_; }
    WrittenWindows& writtenWindows() { return writtenWindows_; }

    /// Repeats the traces with real data; may be null.
    CrossCheck* crossCheck() const { return crossCheck_.get(); }
    void setCrossCheck(std::shared_ptr<CrossCheck> crossCheck) { crossCheck_ = std::move(crossCheck); }

private:
    void runEagerly();

    const FlatFunction& function_;
    AutocastState autocast_ = AutocastState::current();  ///< hidden during a trace that asks
    bool gradMode_;
    Dialect dialect_;
    std::optional<std::vector<DataReading>> readings_;
    std::size_t kernels_ = 0;
    MemoryWatch memory_;
    LayoutCopies layoutCopies_;
    WrittenWindows writtenWindows_;
    std::shared_ptr<CrossCheck> crossCheck_;
};

}  // namespace aotscope
