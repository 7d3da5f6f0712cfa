#pragma once

#include "panels/table_panel.h"

namespace aotscope {

/// Two runs side by side: what distinguishes them as a whole, and the selected operation with its counterpart.
class ComparePanel : public QWidget {
    Q_OBJECT

public:
    explicit ComparePanel(QWidget* parent = nullptr);

    TablePanel* runs() const { return runs_; }
    TablePanel* nodes() const { return nodes_; }

private:
    TablePanel *runs_, *nodes_;
};

}  // namespace aotscope
