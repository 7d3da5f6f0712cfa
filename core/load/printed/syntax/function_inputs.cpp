#include "load/printed/syntax/function_inputs.h"

#include <algorithm>
#include <utility>

namespace aotscope {

void FunctionInputs::readSignature() {
    scan_.expect("(");
    for (;;) {
        scan_.skipSpace();
        if (!parameters_.empty()) parameters_.back().note = scan_.takeNote();
        if (scan_.accept(")")) break;
        while (scan_.accept("*")) {}
        Parameter parameter;
        parameter.name = scan_.identifier("a parameter's name");
        if (scan_.accept(":")) parameter.annotation = scan_.annotation(",)=");
        if (scan_.accept("=")) scan_.skipTo(",)");
        if (parameter.name != "self") parameters_.push_back(std::move(parameter));
        scan_.skipSpace();
        if (!scan_.accept(",") && !scan_.looksAt(")")) scan_.fail("',' or ')'");
    }
    if (scan_.accept("->")) scan_.skipTo(":");
    scan_.expect(":");
    scan_.takeNote();
    scan_.nextLine();
}

bool FunctionInputs::isJoint() const {
    return parameters_.size() == 2 && parameters_[0].name == "primals" && parameters_[1].name == "tangents";
}

void FunctionInputs::unpack(const std::string& first) {
    std::vector<Parameter> parameters{{first, {}, {}}};
    while (!scan_.accept("=")) {
        parameters.push_back({scan_.identifier("a name to unpack into"), {}, {}});
        if (!scan_.accept(",")) scan_.skipBlanks();
    }
    if (closed_) scan_.fail("the flattened inputs in front of the first operation");
    parameters_ = std::move(parameters);
    scan_.nextLine();
}

void FunctionInputs::declare(const std::string& name, const std::string& annotation) {
    if (closed_) scan_.fail("'=' after '" + name + "'");
    scan_.takeNote();
    if (scan_.accept(";")) {
        declared_[name] = {name, annotation, {}};
        scan_.skipBlanks();
        if (scan_.atLineEnd()) scan_.nextLine();
        return;
    }
    scan_.skipBlanks();
    std::string note;
    if (scan_.looksAt("#")) note = Scanner::noteOf(scan_.restOfLine());
    else if (!scan_.atLineEnd()) scan_.fail("'=', ';' or the end of the line");
    declared_[name] = {name, annotation, note};
    scan_.nextLine();
}

bool FunctionInputs::rename(const std::string& name) {
    const auto start = scan_.position();
    scan_.skipBlanks();
    const std::string target = scan_.tryIdentifier();
    scan_.skipBlanks();
    const auto parameter =
        std::find_if(parameters_.begin(), parameters_.end(), [&](const Parameter& p) { return p.name == target; });
    if (parameter == parameters_.end() || !scan_.atLineEnd()) {
        scan_.moveTo(start);
        return false;
    }
    if (const auto known = declared_.find(target); known != declared_.end()) *parameter = known->second;
    parameter->name = name;
    if (parameter->note.empty()) parameter->note = "name=" + target;
    return true;
}

std::vector<Parameter> FunctionInputs::close() {
    closed_ = true;
    std::vector<Parameter> last;
    for (const Parameter& parameter : parameters_) {
        const auto known = declared_.find(parameter.name);
        last.push_back(known == declared_.end() ? parameter : known->second);
    }
    return last;
}

}  // namespace aotscope
