#include "panels/dialogs/checked_line_edit.h"

#include <QApplication>
#include <QEvent>
#include <QKeyEvent>

namespace aotscope {

CheckedLineEdit::CheckedLineEdit(const QString& accessibleName, QWidget* parent) : QLineEdit(parent) {
    setAccessibleName(accessibleName);
}

void CheckedLineEdit::setProblem(const QString& text) {
    if (text == problem_) return;
    problem_ = text;
    setToolTip(text);
    setAccessibleDescription(text);
    tint();
}

void CheckedLineEdit::tint() {
    tinting_ = true;
    QPalette palette;  // without a problem nothing is set, so that the window's colours apply
    if (!problem_.isEmpty()) {
        const QColor base = QApplication::palette(this).color(QPalette::Base);
        const bool dark = base.lightness() < 128;
        palette.setColor(QPalette::Base, dark ? QColor(0x5c, 0x26, 0x26) : QColor(0xfd, 0xe4, 0xe1));
    }
    setPalette(palette);
    tinting_ = false;
}

/// Enter may correct an error; it accepts the dialog only if there was none.
void CheckedLineEdit::keyPressEvent(QKeyEvent* event) {
    const bool wrong = !problem_.isEmpty();
    QLineEdit::keyPressEvent(event);
    if (wrong && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)) event->accept();
}

void CheckedLineEdit::changeEvent(QEvent* event) {
    QLineEdit::changeEvent(event);
    if (event->type() == QEvent::ApplicationPaletteChange && !tinting_ && !problem_.isEmpty()) tint();
}

}  // namespace aotscope
