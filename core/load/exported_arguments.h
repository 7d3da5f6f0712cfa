#pragma once

#include "load/exported_plan.h"

#include <functional>
#include <set>

namespace aotscope {

/// Turns the arguments of a node into what the operator's schema asks for. Throws Error (without the node's name).
class ArgumentPlanner {
public:
    /// `lookUp` gives the operand that a name stands for; `device` is where the program is to run.
    ArgumentPlanner(std::function<Operand(const std::string&)> lookUp, c10::Device device)
        : lookUp_(std::move(lookUp)), device_(device) {}

    /// `count` is the length of a list that a single value stands for.
    ArgumentPlan plan(const exported::Argument& argument, const c10::TypePtr& type, std::int64_t count = 1);
    /// A value outside of any schema: a number, None, or the name of something.
    Operand operand(const exported::Argument& argument);

    /// Devices other than the CPU that the file names, and that the program is not to run on.
    const std::set<std::string>& replacedDevices() const { return replacedDevices_; }
    c10::Device device(const Device& device);

private:
    c10::IValue constant(const exported::Argument& argument, const c10::Type& type);
    ArgumentPlan planList(const exported::Argument::List& list, const c10::Type& type);

    std::function<Operand(const std::string&)> lookUp_;
    c10::Device device_;
    std::set<std::string> replacedDevices_;
};

}  // namespace aotscope
