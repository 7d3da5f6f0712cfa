#pragma once

#include "program/program.h"
#include "record/compile_record.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <string>
#include <unordered_map>
#include <vector>

namespace aotscope {

/// Follows a trace with real data: every operation that runs on fakes also runs its real kernel, and the results are
/// compared: sizes, strides, dtype, offset, device, and what they share with arguments. Inputs are the example's;
/// values that are not known (tangents, what was left out) are ones, and zeros for integers.
class CrossCheck {
public:
    explicit CrossCheck(const FlatFunction& function) : function_(function) {}

    /// Forgets the data of the trace before.
    void beginTrace();
    /// `fake` stands for the input `name`, if there is one of that name.
    void bindInput(const at::Tensor& fake, const std::string& name);

    /// An operation as it was before its fake evaluation, which may change its arguments.
    struct Call {
        std::vector<c10::IValue> fakes;
        std::vector<c10::IValue> reals;
        std::string skipped;  ///< why the real kernel shall not run
    };
    Call begin(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> args);
    /// Runs the real kernel and compares with `results`, the fake ones.
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
    CrossCheckReport report_;
    std::unordered_map<const c10::TensorImpl*, Known> known_;  ///< by the meta tensor of a fake
    std::unordered_map<const c10::StorageImpl*, c10::Storage> copies_;
    std::size_t bytes_ = 0;  ///< of what known_ holds
};

}  // namespace aotscope
