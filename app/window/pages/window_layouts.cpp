#include "window/pages/window_layouts.h"

#include <QInputDialog>

namespace aotscope {

WindowLayouts::WindowLayouts(QMainWindow* window, Perspectives* perspectives, Settings& settings)
    : QObject(window),
      window_(window),
      perspectives_(perspectives),
      settings_(settings),
      menu_(new QMenu(tr("Window &Layout"), window)) {
    menu_->setObjectName(QStringLiteral("layoutsMenu"));
    refresh();
}

void WindowLayouts::refresh() {
    menu_->clear();
    menu_->addAction(tr("&Default"), QKeySequence(tr("Ctrl+Alt+0")), this, [this] { apply({}); })
        ->setObjectName(QStringLiteral("actionDefaultLayout"));
    const QStringList names = settings_.layoutNames();
    for (const QString& name : names) menu_->addAction(name, this, [this, name] { apply(name); });
    menu_->addSeparator();
    menu_->addAction(tr("&Save Layout…"), this, &WindowLayouts::askForName)
        ->setObjectName(QStringLiteral("actionSaveLayout"));
    QMenu* removals = menu_->addMenu(tr("&Remove"));
    removals->setEnabled(!names.isEmpty());
    for (const QString& name : names) removals->addAction(name, this, [this, name] { remove(name); });
}

void WindowLayouts::save(const QString& name) {
    settings_.setLayout(name, perspectives_->arrangement());
    refresh();
}

void WindowLayouts::remove(const QString& name) {
    settings_.removeLayout(name);
    refresh();
}

void WindowLayouts::apply(const QString& name) {
    if (name.isEmpty()) perspectives_->reset();
    else perspectives_->setArrangement(settings_.layout(name));
}

void WindowLayouts::askForName() {
    auto* dialog = new QInputDialog(window_);
    dialog->setObjectName(QStringLiteral("layoutNameDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Save Layout"));
    dialog->setLabelText(tr("Layout name (replaces an existing layout with this name):"));
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& name) {
        if (!name.trimmed().isEmpty()) save(name.trimmed());
    });
    dialog->open();
}

}  // namespace aotscope
