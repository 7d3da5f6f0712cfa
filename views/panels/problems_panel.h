#pragma once

#include <QListWidget>
#include <QWidget>

namespace aotscope {

/// Errors, warnings and notable results, the newest last.
class ProblemsPanel : public QWidget {
    Q_OBJECT

public:
    enum class Kind { information, warning, error };

    explicit ProblemsPanel(QWidget* parent = nullptr);
    void add(Kind kind, const QString& text);
    void clear();
    int count() const { return list_->count(); }
    QString lastText() const;

Q_SIGNALS:
    /// Something was added that deserves attention.
    void raised();

private:
    void copyAll();

    QListWidget* list_;
};

}  // namespace aotscope
