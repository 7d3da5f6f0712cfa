#pragma once

namespace aotscope {

/// Ends a sentence about a file of weights, or of another program's.
inline constexpr const char* kExportModule =
    "; export the module in Python with torch.export.save(torch.export.export(module, inputs), 'model.pt2')";

}  // namespace aotscope
