#pragma once

#include "ir/node_attributes.h"
#include "load/exported/export_schema.h"

#include <memory>
#include <optional>
#include <set>
#include <string>

namespace aotscope {

/// Where in the user's model an exported operation comes from: the innermost module, and the innermost line that is
/// not PyTorch's own. Null if the file does not say.
std::shared_ptr<const SourceInfo> provenanceOf(const exported::Node& node);

/// "SquareFn.apply at models.py:757" if the operation was written inside of a custom autograd function, as far as the
/// stack of the export shows it.
std::optional<std::string> customFunctionOf(const exported::Node& node);

/// "models.py:12" if the operation ran within a call of torch.utils.checkpoint there, as far as the stack of the export
/// shows it.
std::optional<std::string> checkpointCallOf(const exported::Node& node);
/// The warning of a program that has such calls, at these places, and no region for them.
std::string lostCheckpoints(const std::set<std::string>& places);

}  // namespace aotscope
