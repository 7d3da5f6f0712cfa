#pragma once

#include "panels/table_panel.h"

namespace aotscope {

/// What distinguishes two partitions: their numbers and operations, and the values whose fate differs.
class DifferencePanel : public QWidget {
    Q_OBJECT

public:
    explicit DifferencePanel(QWidget* parent = nullptr);

    TablePanel* numbers() const { return numbers_; }
    TablePanel* values() const { return values_; }

private:
    TablePanel *numbers_, *values_;
};

}  // namespace aotscope
