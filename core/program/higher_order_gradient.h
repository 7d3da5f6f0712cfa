#pragma once

#include "program/higher_order.h"

#include <memory>

namespace aotscope {

/// How one call of a higher-order operator is differentiated: what runs in place of the call, and its backward.
class HigherOrderGradient {
public:
    struct Forward {
        TensorVector results;  ///< those of the call
        TensorVector kept;     ///< what the backward gets besides the operands; without histories
    };

    virtual ~HigherOrderGradient() = default;
    /// Runs below autograd.
    virtual Forward forward(const HigherOrderCall& call) = 0;
    /// `tangents`: one for each result, undefined where the result has an integral dtype. Returns a gradient for every
    /// tensor of the groups of `call`, in order; undefined ones among them.
    virtual TensorVector backward(const HigherOrderCall& call, const TensorVector& kept,
                                  const TensorVector& tangents) const = 0;
};

// CondAutogradOp and MapAutogradOp of torch/_higher_order_ops/cond.py and map.py: nothing is saved but the operands,
// and the backward is a call of the same operator with the joint graphs of the subgraphs.
std::unique_ptr<HigherOrderGradient> gradientOfCond(const HigherOrderCall& call);
std::unique_ptr<HigherOrderGradient> gradientOfMap(const HigherOrderCall& call);

/// ScanAutogradImpl of torch/_higher_order_ops/scan.py: the forward stacks what each step saves, and the backward is a
/// scan over it in reverse.
std::unique_ptr<HigherOrderGradient> gradientOfScan(const HigherOrderCall& call);

/// WhileLoopAutogradOp of torch/_higher_order_ops/while_loop.py: the forward keeps what is carried after each step, and
/// the backward is a loop over it in reverse. Differs where PyTorch 2.13 is wrong: gradients pass through carried
/// tensors that need none themselves, and a loop without steps is the identity.
std::unique_ptr<HigherOrderGradient> gradientOfWhileLoop(const HigherOrderCall& call);

/// The backward is a scan in reverse, right for any associative function. AssociativeScanAutogradOp of
/// torch/_higher_order_ops/associative_scan.py has a formula for functions whose results depend on one argument each.
std::unique_ptr<HigherOrderGradient> gradientOfAssociativeScan(const HigherOrderCall& call);

}  // namespace aotscope
