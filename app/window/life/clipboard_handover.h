#pragma once

namespace aotscope {

/// Gives what was copied here to the clipboard manager of the desktop, as programs on X11 have to before they end, and
/// waits for it a moment. Elsewhere the clipboard does not need its program any more.
void handOverClipboard();

}  // namespace aotscope
