#pragma once

#include <QString>

namespace aotscope {

/// What else people call the command with this object name, for the command palette; empty: nothing else.
QString commandWords(const QString& action);

}  // namespace aotscope
