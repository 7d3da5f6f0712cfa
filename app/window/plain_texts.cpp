#include "window/plain_texts.h"

#include <QCoreApplication>
#include <QEvent>
#include <QLabel>

namespace aotscope {

void PlainTexts::install() {
    if (!qApp->findChild<PlainTexts*>()) qApp->installEventFilter(new PlainTexts(qApp));
}

bool PlainTexts::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Polish)
        if (auto* label = qobject_cast<QLabel*>(watched); label && label->textFormat() == Qt::AutoText)
            label->setTextFormat(Qt::PlainText);
    return QObject::eventFilter(watched, event);
}

}  // namespace aotscope
