#pragma once

#include "ir/node_attributes.h"
#include "load/exported/export_schema.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace aotscope {

/// The origin of an exported operation in the user's model: the innermost module, and the innermost line outside of
/// PyTorch. Null if the file has none.
std::shared_ptr<const SourceInfo> provenanceOf(const exported::Node& node);

/// What was lost in the export, according to the stack traces of operations: custom autograd functions, and calls of
/// torch.utils.checkpoint.
class LostInExport {
public:
    void look(const exported::Node& node);
    /// Sentences. Calls are lost if the program has no regions for them.
    std::vector<std::string> warnings(bool hasCheckpointRegions) const;

private:
    std::set<std::string> functions_, checkpointCalls_;
};

}  // namespace aotscope
