#pragma once

#include <QTextBrowser>

namespace aotscope {

/// Shows a Markdown file of the repository that is compiled into the program. Links to the web open in the browser;
/// links to local files are plain text.
QTextBrowser* documentBrowser(const QString& resource, const QString& accessibleName, QWidget* parent);

}  // namespace aotscope
