#include "passes/sizes/traced_program.h"

#include "passes/sizes/generalize.h"
#include "passes/step_partition.h"

#include <ATen/ops/equal.h>

namespace aotscope {

namespace {

/// Operations on constants alone are computed during tracing: their results must not depend on sizes.
std::optional<std::string> difference(const ConstantTable& a, const ConstantTable& b) {
    if (a.size() != b.size()) return "the number of constants changes";
    for (const auto& [name, tensor] : a) {
        const auto it = b.find(name);
        if (it == b.end() || it->second.scalar_type() != tensor.scalar_type() || it->second.sizes() != tensor.sizes() ||
            (!isSizeNumber(tensor) && !at::equal(it->second, tensor)))
            return "the constant '" + name + "' changes";
    }
    return std::nullopt;
}

}  // namespace

bool isSizeNumber(const at::Tensor& constant) {
    return constant.dim() == 0 && at::isIntegralType(constant.scalar_type(), /*includeBool=*/false);
}

std::string differenceOf(const TracedProgram& example, const TracedProgram& other) {
    auto found = structuralDifference(example.metadata, other.metadata);
    if (!found) found = structuralDifference(*example.functional, *other.functional);
    if (!found && example.joint) found = structuralDifference(*example.joint, *other.joint);
    if (!found) found = structuralDifference(*example.preFunctionalization, *other.preFunctionalization);
    if (!found) found = difference(example.constants, other.constants);
    return found ? *found : "";
}

SizedTrace::SizedTrace(FlatFunction function, const TraceOptions& options)
    : function_(std::move(function)),
      options_(options),
      dataValues_(function_, options.gradMode, options.dialect),
      forward_(traceForward(function_, dataValues_)),
      asWritten_(std::move(forward_.graph)) {}

TracedProgram SizedTrace::complete() {
    TracedProgram traced;
    traced.preFunctionalization = asWritten_;
    MetadataTrace metadata = traceMetadata(function_, dataValues_, options_, forward_);
    if (metadata.takesOtherInputs()) traceWithGraphInputs(function_, dataValues_, options_, metadata);
    if (metadata.metadata.needsAutograd) {
        Trace joint = traceJoint(function_, dataValues_, options_, metadata, StepPartitioner(options_.dialect));
        traced.joint = std::move(joint.graph);
        traced.constants = std::move(joint.constants);
    } else if (options_.decompositions) {
        Trace decomposed = traceInference(function_, dataValues_, options_, metadata);
        traced.joint = std::move(decomposed.graph);
        traced.constants = std::move(decomposed.constants);
    } else {
        traced.constants = std::move(metadata.functional.constants);
    }
    traced.functional = std::move(metadata.functional.graph);
    noteLayouts(metadata, traced.joint ? *traced.joint : *traced.functional);
    traced.metadata = std::move(metadata.metadata);
    traced.graphMetadata = std::move(metadata.graphMetadata);
    return traced;
}

}  // namespace aotscope
