#pragma once

#include <QString>

namespace aotscope {

/// Synonyms of the command with this object name, for the command palette; may be empty.
QString commandWords(const QString& action);

}  // namespace aotscope
