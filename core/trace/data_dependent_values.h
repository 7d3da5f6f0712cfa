#pragma once

#include "ir/graph.h"
#include "trace/layout_copies.h"
#include "trace/written_windows.h"

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

/// Whether the result of `op`, or the shape of its result, depends on the values in its arguments.
bool dependsOnData(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> args);

/// The masks by which `op` writes into some elements of a tensor. Its own result does not depend on how many they
/// choose, but its gradient does.
std::vector<at::Tensor> masksOfWrite(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> args);

/// One result of an operation that depends on data: a number, or the shape of a tensor.
struct DataResult {
    c10::IValue number;  ///< None for a tensor
    bool isTensor = false;
    std::vector<std::int64_t> sizes, strides;
    at::ScalarType dtype = at::kFloat;
};

/// What one operation told the program about data. The results of a write by masks are the places that each chooses,
/// as aten::nonzero gives them.
struct DataReading {
    std::string op;  ///< as graphs name it; kMaskedWrite
    std::vector<DataResult> results;
};
inline constexpr const char* kMaskedWrite = "write by masks";

/// A reading that a trace has used: the node stands for the operation, which is recorded like any other.
struct TracedReading {
    NodeId node = kNoNode;
    std::vector<DataResult> results;
    bool ofMask = false;  ///< the node is a mask, the result the places that it chooses
};

/// Knows what a trace on fakes cannot: the data that the program reads, in the order in which it reads it. It runs the
/// program once, eagerly, on copies of the example inputs, when it is asked for the first time. And what a functional
/// trace cannot: where the program copies because of strides.
class DataDependentValues {
public:
    DataDependentValues(const FlatFunction& function, bool gradMode) : function_(function), gradMode_(gradMode) {}

    /// The reading number `index`, which a trace meets at an operation called `op`. Throws Error when the eager run
    /// has none there.
    const DataReading& reading(std::size_t index, const std::string& op);

    LayoutCopies& layoutCopies() { return layoutCopies_; }
    WrittenWindows& writtenWindows() { return writtenWindows_; }

    /// Who follows the traces with real data; null: nobody.
    CrossCheck* crossCheck() const { return crossCheck_.get(); }
    void setCrossCheck(std::shared_ptr<CrossCheck> crossCheck) { crossCheck_ = std::move(crossCheck); }

private:
    void runEagerly();

    const FlatFunction& function_;
    bool gradMode_;
    std::optional<std::vector<DataReading>> readings_;
    LayoutCopies layoutCopies_;
    WrittenWindows writtenWindows_;
    std::shared_ptr<CrossCheck> crossCheck_;
};

}  // namespace aotscope
