#include "window/help/document_browser.h"

#include "window/help/document_style.h"

#include <QFile>
#include <QRegularExpression>

namespace aotscope {

QTextBrowser* documentBrowser(const QString& resource, const QString& accessibleName, QWidget* parent) {
    static const QRegularExpression beside(QStringLiteral("\\[([^\\]]*)\\]\\((?!https?:|#)[^)]*\\)"));
    auto* browser = new QTextBrowser(parent);
    browser->setAccessibleName(accessibleName);
    browser->setOpenExternalLinks(true);
    QFile file(resource);
    if (file.open(QIODevice::ReadOnly))
        browser->setMarkdown(QString::fromUtf8(file.readAll()).replace(beside, QStringLiteral("\\1")));
    styleDocument(*browser->document());
    return browser;
}

}  // namespace aotscope
