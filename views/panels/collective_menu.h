#pragma once

#include "cost/unshards.h"
#include "record/options/partition_options.h"

#include <QMenu>

namespace aotscope {

/// Experiments with the collectives of a joint graph: bucket and move them, and regather parameters in the backward.
class CollectiveMenu : public QMenu {
    Q_OBJECT

public:
    explicit CollectiveMenu(QWidget* parent = nullptr);

    /// `joint`: null, or one without collectives: the menu is empty.
    void offer(const PartitionOptions& options, const Graph* joint);
    bool offersSomething() const { return communicates_; }

Q_SIGNALS:
    void changed(const aotscope::PartitionOptions& options, const QString& what, bool merge);

private:
    void addBuckets();
    void addMoves();
    void addUnshards();
    struct Choice {
        const char* name;
        QString text;
        bool checked;
        QString tip, what;
        PartitionOptions next;
    };
    void addChoice(QMenu* menu, const Choice& choice);

    PartitionOptions options_;
    std::vector<Unshard> unshards_;
    bool communicates_ = false;
};

}  // namespace aotscope
