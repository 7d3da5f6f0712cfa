#pragma once

#include "io/trace/compile_log.h"

#include <QAbstractTableModel>
#include <QTime>
#include <deque>

namespace aotscope {

/// Events of the window and of its pipelines, the newest last. Keeps only the newest lines.
class LogModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Time, Level, Part, Text, kColumns };
    enum Role { LevelRole = Qt::UserRole };

    using QAbstractTableModel::QAbstractTableModel;

    void add(const std::vector<LogEntry>& entries);
    void clear();

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    static constexpr std::size_t kMost = 100'000;
    struct Line {
        QTime time;
        LogLevel level;
        QString part, text;
    };
    std::deque<Line> lines_;
};

}  // namespace aotscope
