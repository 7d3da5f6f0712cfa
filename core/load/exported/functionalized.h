#pragma once

#include "load/exported/export_schema.h"

#include <functional>

namespace aotscope::exported {

/// The program without calls of auto_functionalized_v2 (torch/_higher_order_ops/auto_functionalize.py), which represent
/// operators that write into their arguments: they run on copies of the bases of these, and return the results of the
/// operator, then the copies. They are replaced by
///
/// * for an operator that `isKnown` by its target ("torch.ops.shop.scale_.default"): copies, views and the call;
/// * for any other: a call of "torch.ops.shop.scale_.functional", which mutates nothing and returns the new values of
///   the arguments after the results, and operators that write new values of views into their tensors.
///
/// Throws Error for calls of another form, and for an unknown operator that writes to one tensor through two arguments.
Document withoutFunctionalizedCalls(Document document, const std::function<bool(const std::string&)>& isKnown);

}  // namespace aotscope::exported
