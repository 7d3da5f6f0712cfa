#pragma once

namespace aotscope {

/// Gives the copied content to the clipboard manager of the desktop, as programs on X11 must before they end, and waits
/// for it a moment. On other platforms the clipboard keeps its content.
void handOverClipboard();

}  // namespace aotscope
