#pragma once

namespace aotscope {

/// The zoom displayed as 100 %: canvas text has the size of the application's font. 1 for a font of the system of usual
/// size or smaller.
double usualZoom();

/// The smallest zoom at which everything is easy to read: the smallest text is 9 pixels high with fonts of usual size.
double readableZoom();

/// The smallest zoom at which everything can still be read: the smallest text is 6.5 pixels high.
double legibleZoom();

}  // namespace aotscope
