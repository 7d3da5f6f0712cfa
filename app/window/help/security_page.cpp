#include "window/help/security_page.h"

#include "support/confinement.h"
#include "window/help/document_browser.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QVBoxLayout>

namespace aotscope {

SecurityPage::SecurityPage(QWidget* parent) : QDialog(parent) {
    setObjectName(QStringLiteral("securityPage"));
    setWindowTitle(tr("What Files May Do"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* browser = documentBrowser(QStringLiteral(":/SECURITY.md"), windowTitle(), this);
    auto* here = new QLabel(tr("Here, %1.").arg(QString::fromStdString(confinementText())), this);
    here->setWordWrap(true);
    here->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(browser, 1);
    layout->addWidget(here);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    resize(820, 680);
}

}  // namespace aotscope
