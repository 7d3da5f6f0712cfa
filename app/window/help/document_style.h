#pragma once

#include <QTextDocument>

namespace aotscope {

/// Adds room around the text, and rules between the rows of tables.
void styleDocument(QTextDocument& document);

}  // namespace aotscope
