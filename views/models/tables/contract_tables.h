#pragma once

#include "models/tables/table_content.h"

namespace aotscope {

/// The values returned by the forward graph, in the order of its groups: updated inputs, outputs, intermediate bases,
/// saved tensors, saved symints. For an inference graph, the first two.
TableContent returnsTable(const CompileRecord& record);

/// The layers of a call of the compiled function, outermost first, down to the graph: name, and what each adds or
/// removes.
struct RuntimeLayer {
    QString name, text;
};
std::vector<RuntimeLayer> runtimeLayers(const CompileRecord& record);

}  // namespace aotscope
