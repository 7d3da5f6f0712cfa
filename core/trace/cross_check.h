#pragma once

#include "program/program.h"
#include "record/compile_record.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <string>
#include <unordered_map>
#include <vector>

namespace aotscope {

/// Repeats a trace with real data: also runs the real kernel of every traced operation, and compares the results:
/// sizes, strides, dtype, offset, device, and memory shared with arguments. Inputs are the example's; unknown values
/// (tangents, skipped results) are ones, or zeros for integers.
class CrossCheck {
public:
    explicit CrossCheck(const FlatFunction& function) : function_(function), values_(function.exampleValues()) {}

    /// Discards the data of the previous trace.
    void beginTrace();
    /// `fake` represents the input `name`, if it exists.
    void bindInput(const at::Tensor& fake, const std::string& name);

    /// An operation before its fake evaluation, which may change its arguments.
    struct Call {
        std::vector<c10::IValue> fakes;
        std::vector<c10::IValue> reals;
        std::string skipped;  ///< why the real kernel must not run
    };
    Call begin(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> args);
    /// Runs the real kernel and compares its results with the fake `results`.
    void finish(const c10::OperatorHandle& op, Call call, c10::ArrayRef<c10::IValue> results);

    const CrossCheckReport& report() const { return report_; }

private:
    struct Known {
        at::Tensor fake, real;
    };

    at::Tensor realOf(const at::Tensor& tensor, bool written);
    void remember(const at::Tensor& fake, const at::Tensor& real);
    void forget(const c10::IValue& value);
    void compare(const c10::OperatorHandle& op, const Call& call, const std::vector<at::Tensor>& fakes,
                 const std::vector<at::Tensor>& reals);
    void mismatch(std::string op, std::string expected, std::string found);

    const FlatFunction& function_;
    std::vector<c10::IValue> values_;  ///< of the example
    CrossCheckReport report_;
    std::unordered_map<const c10::TensorImpl*, Known> known_;  ///< by the meta tensor of a fake
    std::unordered_map<const c10::StorageImpl*, c10::Storage> copies_;
    std::size_t bytes_ = 0;  ///< of the values in known_
};

}  // namespace aotscope
