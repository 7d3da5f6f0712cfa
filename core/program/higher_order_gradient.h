#pragma once

#include "program/higher_order.h"

#include <memory>

namespace aotscope {

/// How one call of a higher-order operator is differentiated: what replaces the call, and its backward.
class HigherOrderGradient {
public:
    struct Forward {
        TensorVector results;  ///< those of the call
        TensorVector kept;     ///< values for the backward besides the operands; without histories
    };

    virtual ~HigherOrderGradient() = default;
    /// Runs below autograd.
    virtual Forward forward(const HigherOrderCall& call) = 0;
    /// `tangents`: one for each result, undefined where the result has an integral dtype. Returns a gradient for every
    /// tensor in the groups of `call`, in order; some may be undefined.
    virtual TensorVector backward(const HigherOrderCall& call, const TensorVector& kept,
                                  const TensorVector& tangents) const = 0;
};

// CondAutogradOp and MapAutogradOp of torch/_higher_order_ops/cond.py and map.py: only the operands are saved, and the
// backward calls the same operator with the joint graphs of the subgraphs.
std::unique_ptr<HigherOrderGradient> gradientOfCond(const HigherOrderCall& call);
std::unique_ptr<HigherOrderGradient> gradientOfMap(const HigherOrderCall& call);

/// ScanAutogradImpl of torch/_higher_order_ops/scan.py: the forward stacks what each step saves, and the backward is a
/// scan over it in reverse.
std::unique_ptr<HigherOrderGradient> gradientOfScan(const HigherOrderCall& call);

/// WhileLoopAutogradOp of torch/_higher_order_ops/while_loop.py: the forward saves the carried values after each step,
/// and the backward is a loop over them in reverse. Differs where PyTorch 2.13 is wrong: gradients pass through carried
/// tensors that do not require grad, and a loop without steps is the identity.
std::unique_ptr<HigherOrderGradient> gradientOfWhileLoop(const HigherOrderCall& call);

/// The backward is a scan in reverse, correct for any associative function. AssociativeScanAutogradOp of
/// torch/_higher_order_ops/associative_scan.py has a formula for functions whose results depend on one argument each.
std::unique_ptr<HigherOrderGradient> gradientOfAssociativeScan(const HigherOrderCall& call);

}  // namespace aotscope
