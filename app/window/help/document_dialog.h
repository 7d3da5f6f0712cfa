#pragma once

#include <QString>

class QWidget;

namespace aotscope {

/// A Markdown file of the repository, compiled into the program.
struct BuiltInDocument {
    QString resource, name;
};

/// Shows `note`, and the document below it, in a dialog of this object name. Links to the web open in the browser;
/// links to local files are plain text.
void openDocument(const BuiltInDocument& document, const QString& note, const QString& objectName, const QString& title,
                  QWidget* parent);

}  // namespace aotscope
