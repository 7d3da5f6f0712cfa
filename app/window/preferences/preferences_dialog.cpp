#include "window/preferences/preferences_dialog.h"

#include <QAbstractButton>
#include <QDialogButtonBox>
#include <QEvent>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>

namespace aotscope {

namespace {

constexpr int kLettersPerLine = 62;

QLabel* helpLabel(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setWordWrap(true);
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

}  // namespace

PreferencesDialog::PreferencesDialog(const std::vector<Preference>& preferences, QWidget* parent)
    : QDialog(parent), sections_(new QTabWidget(this)) {
    setObjectName(QStringLiteral("preferencesDialog"));
    setWindowTitle(tr("Preferences"));
    sections_->setObjectName(QStringLiteral("preferenceSections"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);  // Enter takes a number over
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(sections_, 1);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    for (const Preference& first : preferences) addSection(first.section, preferences);
    fit();
}

void PreferencesDialog::addSection(const QString& title, const std::vector<Preference>& preferences) {
    for (int page = 0; page < sections_->count(); ++page)
        if (sections_->tabText(page) == title) return;
    auto* content = new QWidget;
    auto* form = new QFormLayout(content);
    form->setFieldGrowthPolicy(QFormLayout::FieldsStayAtSizeHint);
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    for (const Preference& each : preferences) {
        if (each.section != title) continue;
        QWidget* editor = each.edit(content);
        editor->setObjectName(each.name);
        editor->setAccessibleDescription(each.help);
        // The text of buttons is their title.
        if (qobject_cast<QAbstractButton*>(editor)) {
            form->addRow(editor);
        } else {
            editor->setAccessibleName(each.title);
            form->addRow(each.title + u':', editor);
        }
        form->addRow(helpLabel(each.help, content));
    }
    auto* area = new QScrollArea(sections_);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidget(content);
    sections_->addTab(area, title);
}

void PreferencesDialog::openAt(const QString& name) {
    auto* editor = findChild<QWidget*>(name);
    if (!editor) return;
    for (int page = 0; page < sections_->count(); ++page)
        if (sections_->widget(page)->isAncestorOf(editor)) sections_->setCurrentIndex(page);
    editor->setFocus(Qt::OtherFocusReason);
    static_cast<QScrollArea*>(sections_->currentWidget())->ensureWidgetVisible(editor);
}

/// As large as the text needs, and no larger than the screen.
void PreferencesDialog::fit() {
    const int width = kLettersPerLine * fontMetrics().averageCharWidth() + 4 * fontMetrics().height();
    int height = 0;
    for (int page = 0; page < sections_->count(); ++page) {
        const QWidget* content = static_cast<QScrollArea*>(sections_->widget(page))->widget();
        height = std::max(height, content->layout()->totalHeightForWidth(width));
    }
    constexpr int bars = 7;  // of tabs and buttons, in lines
    constexpr double most = 0.9;
    resize(QSize(width, height + bars * fontMetrics().height()).boundedTo(screen()->availableSize() * most));
}

void PreferencesDialog::changeEvent(QEvent* event) {
    QDialog::changeEvent(event);
    if (event->type() == QEvent::FontChange) QTimer::singleShot(0, this, &PreferencesDialog::fit);
}

}  // namespace aotscope
