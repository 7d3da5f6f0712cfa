#pragma once

#include "models/pass_list_model.h"

#include <QCheckBox>
#include <QTableView>
#include <QWidget>

namespace aotscope {

/// The list of passes; arrow keys step through it.
class PassPanel : public QWidget {
    Q_OBJECT

public:
    explicit PassPanel(QWidget* parent = nullptr);

    void setRecord(std::shared_ptr<const CompileRecord> record);
    QTableView* view() const { return view_; }
    QCheckBox* hideIdle() const { return hideIdle_; }
    int currentPass() const;
    void setCurrentPass(int row);
    /// Marks the pass whose graph is shown, without emitting passSelected.
    void mark(int row);
    /// The next (direction 1) or previous (-1) pass that changed something; -1: none.
    int next(int direction) const;
    /// Moves to it.
    void step(int direction);

Q_SIGNALS:
    void passSelected(int row);
    /// Another pass was marked, by the user or by code; emitted before passSelected.
    void passMarked(int row);

private:
    void fold();

    PassListModel model_;
    QTableView* view_;
    QCheckBox* hideIdle_;  ///< passes that changed nothing
    bool marking_ = false;
};

}  // namespace aotscope
