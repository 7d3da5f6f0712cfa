#pragma once

#include <QFont>

namespace aotscope {

/// The font of code, as large as other text; a widget that has it follows the size of the application's font.
QFont fixedFont();

}  // namespace aotscope
