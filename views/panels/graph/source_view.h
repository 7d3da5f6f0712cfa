#pragma once

#include <QDialog>
#include <QPlainTextEdit>

namespace aotscope {

/// Whether the source file can be shown: it exists on this machine or belongs to a built-in sample.
bool haveSource(const QString& file);

/// A source file, read only, with one line marked.
class SourceView : public QDialog {
    Q_OBJECT

public:
    SourceView(const QString& file, int line, QWidget* parent = nullptr);

private:
    void mark(int line);

    QPlainTextEdit* text_;
};

}  // namespace aotscope
