#include "models/log_model.h"

#include "models/headings.h"
#include "models/words/to_qstring.h"
#include "support/quoted.h"

namespace aotscope {

void LogModel::add(const std::vector<LogEntry>& entries) {
    if (entries.empty()) return;
    const std::size_t taken = std::min(entries.size(), kMost), kept = std::min(lines_.size(), kMost - taken),
                      dropped = lines_.size() - kept;
    if (dropped > 0) {
        beginRemoveRows({}, 0, static_cast<int>(dropped) - 1);
        lines_.erase(lines_.begin(), lines_.begin() + static_cast<std::ptrdiff_t>(dropped));
        endRemoveRows();
    }
    const QTime now = QTime::currentTime();
    beginInsertRows({}, rowCount(), rowCount() + static_cast<int>(taken) - 1);
    for (auto entry = entries.end() - static_cast<std::ptrdiff_t>(taken); entry != entries.end(); ++entry)
        lines_.push_back({now, entry->level, toQString(entry->part), toQString(oneLine(entry->text))});
    endInsertRows();
}

void LogModel::clear() {
    beginResetModel();
    lines_.clear();
    endResetModel();
}

int LogModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(lines_.size());
}

int LogModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QVariant LogModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const Line& line = lines_[static_cast<std::size_t>(index.row())];
    if (role == LevelRole) return static_cast<int>(line.level);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
    switch (index.column()) {
        case Time: return line.time.toString(QStringLiteral("hh:mm:ss"));
        case Level: return toQString(name(line.level));
        case Part: return line.part;
        default: return line.text;
    }
}

QVariant LogModel::headerData(int section, Qt::Orientation orientation, int role) const {
    return columnHeading({{tr("Time"), tr("when it was noted")},
                          {tr("Level"), tr("how grave it is: error, warning, info or debug")},
                          {tr("Part"), tr("the pass that has noted it, or another part of the program")},
                          {tr("Message"), tr("what was noted")}},
                         section, orientation, role);
}

}  // namespace aotscope
