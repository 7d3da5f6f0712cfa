#pragma once

#include "models/tables/table_content.h"

namespace aotscope {

/// What the forward graph returns, in the order of its groups: updated inputs, outputs, intermediate bases, saved
/// tensors, saved symints. Of an inference graph the first two.
TableContent returnsTable(const CompileRecord& record);

/// What a call of the compiled function passes through, outermost first, down to the graph: name, and what it adds or
/// removes.
struct RuntimeLayer {
    QString name, text;
};
std::vector<RuntimeLayer> runtimeLayers(const CompileRecord& record);

}  // namespace aotscope
