#pragma once

#include <QObject>

namespace aotscope {

/// Labels, tool tips and message boxes show plain text. Otherwise Qt interprets text that looks like HTML, and reads
/// the files of its pictures; but names of values, source lines and messages come from untrusted files. Labels with our
/// own mark-up say so (Qt::RichText).
class PlainTexts : public QObject {
    Q_OBJECT

public:
    /// For the whole application; call once.
    static void install();

    /// Labels ask for this before they first examine their text.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    using QObject::QObject;
};

}  // namespace aotscope
