#pragma once

#include "load/exported/export_schema.h"

#include <functional>

namespace aotscope::exported {

/// The program without calls of auto_functionalized_v2 (torch/_higher_order_ops/auto_functionalize.py), which stand for
/// operators that write into their arguments: they run on copies of the tensors that these are views of, and return the
/// results of the operator, then the copies. In their place stand
///
/// * for an operator that `isKnown` by its target ("torch.ops.shop.scale_.default"): the copies, the views and the
/// call;
/// * for any other: a call of "torch.ops.shop.scale_.functional", which writes nothing and returns the new values of
///   the arguments after the results, and what puts new values of views into their tensors.
///
/// Throws Error for calls that are not of this form, and for an operator that is not known and writes to one tensor
/// through two arguments.
Document withoutFunctionalizedCalls(Document document, const std::function<bool(const std::string&)>& isKnown);

}  // namespace aotscope::exported
