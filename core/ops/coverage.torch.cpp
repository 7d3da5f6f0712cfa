#include "ops/coverage.h"

#include "aten/convert.h"
#include "ops/defined_operators.h"
#include "ops/shapes/rules.h"
#include "ops/trace_method.h"

#include <algorithm>

namespace aotscope {

namespace {

using c10::DispatchKey;

bool writesToOut(const c10::FunctionSchema& schema) {
    return std::any_of(schema.arguments().begin(), schema.arguments().end(),
                       [](const c10::Argument& argument) { return argument.is_out(); });
}

}  // namespace

bool dependsOnData(const c10::OperatorHandle& op) {
    const std::string& name = op.operator_name().name;
    if (name == "aten::_local_scalar_dense") return true;
    if (name == "aten::index") return false;  // only with masks
    if (definedToDependOnData(op.operator_name())) return true;
    const auto tags = op.getTags();
    return std::any_of(tags.begin(), tags.end(), [](at::Tag tag) {
        return tag == at::Tag::data_dependent_output || tag == at::Tag::dynamic_output_shape;
    });
}

TraceMethod traceMethod(const c10::OperatorHandle& op) {
    if (findShapeRule(op.operator_name())) return TraceMethod::shapeRule;
    if (op.hasKernelForDispatchKey(DispatchKey::CompositeImplicitAutograd)) return TraceMethod::decomposed;
    if (dependsOnData(op)) return TraceMethod::dataDependent;
    if (op.hasKernelForDispatchKey(DispatchKey::Meta)) return TraceMethod::metaKernel;
    for (const auto composite :
         {DispatchKey::CompositeExplicitAutograd, DispatchKey::CompositeExplicitAutogradNonFunctional})
        if (op.hasKernelForDispatchKey(composite)) return TraceMethod::composite;
    return op.hasKernelForDispatchKey(DispatchKey::CPU) ? TraceMethod::realKernel : TraceMethod::noKernel;
}

std::vector<OperatorCoverage> operatorCoverage() {
    std::vector<OperatorCoverage> operators;
    auto& dispatcher = c10::Dispatcher::singleton();
    for (const auto& name : dispatcher.getAllOpNames()) {
        if (!name.name.starts_with("aten::")) continue;
        const auto op = dispatcher.findSchema(name);
        if (!op || writesToOut(op->schema())) continue;
        const std::string dotted = graphName(name);
        operators.push_back({dotted, opFamily(dotted), opTags(dotted), traceMethod(*op)});
    }
    std::sort(operators.begin(), operators.end(), [](const auto& a, const auto& b) { return a.op < b.op; });
    return operators;
}

}  // namespace aotscope
