#pragma once

#include <QLineEdit>

namespace aotscope {

/// A line to type into that shows what is wrong with its text.
class CheckedLineEdit : public QLineEdit {
    Q_OBJECT

public:
    explicit CheckedLineEdit(const QString& accessibleName, QWidget* parent = nullptr);

    /// Tints the field and tells why as its tooltip; an empty text takes that back.
    void setProblem(const QString& text);
    const QString& problem() const { return problem_; }

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void tint();

    QString problem_;
    bool tinting_ = false;
};

}  // namespace aotscope
