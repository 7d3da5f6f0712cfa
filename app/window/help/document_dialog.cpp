#include "window/help/document_dialog.h"

#include "window/help/document_style.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QFile>
#include <QLabel>
#include <QRegularExpression>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace aotscope {

void openDocument(const BuiltInDocument& document, const QString& note, const QString& objectName, const QString& title,
                  QWidget* parent) {
    static const QRegularExpression beside(QStringLiteral("\\[([^\\]]*)\\]\\((?!https?:|#)[^)]*\\)"));
    auto* dialog = new QDialog(parent);
    dialog->setObjectName(objectName);
    dialog->setWindowTitle(title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    auto* text = new QLabel(note, dialog);
    text->setWordWrap(true);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* browser = new QTextBrowser(dialog);
    browser->setAccessibleName(document.name);
    browser->setOpenExternalLinks(true);
    QFile file(document.resource);
    if (file.open(QIODevice::ReadOnly))
        browser->setMarkdown(QString::fromUtf8(file.readAll()).replace(beside, QStringLiteral("\\1")));
    styleDocument(*browser->document());
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    auto* layout = new QVBoxLayout(dialog);
    layout->addWidget(text);
    layout->addWidget(browser, 1);
    layout->addWidget(buttons);
    dialog->resize(820, 680);
    dialog->open();
}

}  // namespace aotscope
