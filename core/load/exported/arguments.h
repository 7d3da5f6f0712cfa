#pragma once

#include "load/exported/plan.h"

#include <functional>

namespace aotscope {

/// Converts the arguments of a node to the types of the operator's schema. Throws Error (without the node's name).
class ArgumentPlanner {
public:
    /// `lookUp` finds the operand with a name; `device` is where the program is to run.
    ArgumentPlanner(std::function<Operand(const std::string&)> lookUp, c10::Device device)
        : lookUp_(std::move(lookUp)), device_(device) {}

    /// `count` is the length of a list that is given as a single value.
    ArgumentPlan plan(const exported::Argument& argument, const c10::TypePtr& type, std::int64_t count = 1);
    /// A value outside of any schema: a number, None, or a name.
    Operand operand(const exported::Argument& argument);

    /// Where the program has something that was on `device` when it was exported.
    c10::Device device(const Device& device) const;

private:
    c10::IValue constant(const exported::Argument& argument, const c10::Type& type);
    ArgumentPlan planList(const exported::Argument::List& list, const c10::Type& type);

    std::function<Operand(const std::string&)> lookUp_;
    c10::Device device_;
};

}  // namespace aotscope
