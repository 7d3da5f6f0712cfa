#pragma once

#include <QObject>

namespace aotscope {

/// Labels, tool tips and message boxes show text as it is. Without this, Qt takes text that looks like HTML for HTML,
/// and reads the files that its pictures name; but names of values, source lines and messages come from files of
/// strangers. Labels with mark-up of our own say so themselves (Qt::RichText).
class PlainTexts : public QObject {
    Q_OBJECT

public:
    /// For the whole application; once is enough.
    static void install();

    /// Labels ask for this before they look at their text for the first time.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    using QObject::QObject;
};

}  // namespace aotscope
