#pragma once

namespace aotscope {

/// The zoom that people know as 100 %: text of the canvas is as large as the system's font asks for. 1 with fonts of
/// usual size.
double usualZoom();

/// The smallest zoom at which everything is easy to read: the smallest text is 9 pixels high with fonts of usual size.
double readableZoom();

}  // namespace aotscope
