#pragma once

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTimer>

namespace aotscope {

/// The scratch pad: a few lines of TorchScript and their inputs, examples to start from, and messages of the compiler.
class ScratchPanel : public QWidget {
    Q_OBJECT

public:
    explicit ScratchPanel(QWidget* parent = nullptr);

    QPlainTextEdit* code() const { return code_; }
    QLineEdit* inputs() const { return inputs_; }
    QComboBox* presets() const { return presets_; }
    /// Replaces the program, as one step that Undo takes back. If it is an example, this is chosen and described.
    void setProgram(const QString& code, const QString& inputs);
    /// The message below the text.
    QString message() const { return message_->text(); }

    /// It was compiled: one sentence.
    void setResult(const QString& sentence);
    /// It cannot be compiled; `line` of the text is marked, counted from 1; 0: none.
    void setProblem(const QString& sentence, int line);
    int markedLine() const { return marked_; }
    /// Lights the line of what is selected elsewhere, counted from 1; 0: none.
    void setLitLine(int line);
    int litLine() const { return lit_; }

Q_SIGNALS:
    /// Code or inputs have changed, and nothing was typed for a moment.
    void edited();
    void saveRequested();
    /// The user has moved the cursor to another line, without typing.
    void lineEntered(int line);

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    QLayout* makeTop();
    void makeCode();
    void takePreset(int index);
    void noticeLine();
    void mark(int line);
    void showLines();

    QComboBox* presets_;
    QLabel* help_;
    QPlainTextEdit* code_;
    QLineEdit* inputs_;
    QLabel* message_;
    QTimer pause_;  ///< after the last key
    int marked_ = 0, lit_ = 0;
    int line_ = 0, revision_ = 0;  ///< of the cursor and of the text, when the cursor was last moved
};

}  // namespace aotscope
