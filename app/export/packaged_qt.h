#pragma once

namespace aotscope {

/// If this program came in a package with a Qt of its own, to which a qt.conf leads: uses that one only, and on systems
/// without fonts, such as bare containers, those of the package. To be called before there is an application.
void usePackagedQt();

}  // namespace aotscope
