#pragma once

#include "models/log_model.h"

#include <QComboBox>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QTableView>

namespace aotscope {

/// The log: up to a level, and with a text.
class LogPanel : public QWidget {
    Q_OBJECT

public:
    explicit LogPanel(QWidget* parent = nullptr);

    LogModel& model() { return model_; }
    QTableView* view() const { return view_; }
    QComboBox* level() const { return level_; }
    QLineEdit* filter() const { return filter_; }
    /// Adds lines at the end, which stays in view if it was.
    void add(const std::vector<LogEntry>& entries);
    /// The lines that pass the filters, separated by tabs.
    QString text() const;

Q_SIGNALS:
    void saveRequested();

private:
    class Lines;
    QLayout* makeTop();
    void makeTable();
    void copySelection() const;

    LogModel model_;
    Lines* lines_;  ///< those that pass
    QComboBox* level_;
    QLineEdit* filter_;
    QTableView* view_;
};

}  // namespace aotscope
