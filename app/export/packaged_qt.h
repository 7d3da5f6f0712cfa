#pragma once

namespace aotscope {

/// If this program came in a package with its own Qt, found through qt.conf: uses only that one and, on systems without
/// fonts, such as bare containers, the package's fonts. Call it before an application is created.
void usePackagedQt();

}  // namespace aotscope
