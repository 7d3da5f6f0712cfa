#include "window/help/about_dialog.h"

#include "support/confinement.h"
#include "window/help/document_browser.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QVBoxLayout>

namespace aotscope {

AboutDialog::AboutDialog(const QString& torchVersion, QWidget* parent) : QDialog(parent) {
    setObjectName(QStringLiteral("aboutDialog"));
    setWindowTitle(tr("About aotscope"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* text = new QLabel(
        tr("aotscope %1\n\nPyTorch's AOTAutograd pipeline in C++, with every step visible.\n\nLibTorch %2, Qt %3\n%4")
            .arg(QStringLiteral(AOTSCOPE_VERSION), torchVersion, QString::fromLatin1(qVersion()),
                 QString::fromStdString(confinementText())),
        this);
    text->setWordWrap(true);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(text);
    layout->addWidget(documentBrowser(QStringLiteral(":/THIRD_PARTY.md"), tr("Third-party software"), this), 1);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    resize(820, 680);
}

}  // namespace aotscope
