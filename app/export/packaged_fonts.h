#pragma once

namespace aotscope {

/// On systems without fonts, such as bare containers: takes those of the package that this program came in, if its
/// qt.conf leads to some. To be called before there is an application.
void usePackagedFonts();

}  // namespace aotscope
