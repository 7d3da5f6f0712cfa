#pragma once

#include <QLineEdit>

namespace aotscope {

/// A line edit that shows what is wrong with its text.
class CheckedLineEdit : public QLineEdit {
    Q_OBJECT

public:
    explicit CheckedLineEdit(const QString& accessibleName, QWidget* parent = nullptr);

    /// Tints the field and explains the problem in its tooltip; an empty text clears both.
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
