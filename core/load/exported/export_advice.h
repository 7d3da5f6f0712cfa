#pragma once

namespace aotscope {

/// Ends the error about a file of weights, or of another program.
inline constexpr const char* kExportModule =
    "; export the module in Python with torch.export.save(torch.export.export(module, inputs), 'model.pt2')";

}  // namespace aotscope
