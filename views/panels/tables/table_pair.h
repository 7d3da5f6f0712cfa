#pragma once

#include "panels/tables/table_panel.h"

namespace aotscope {

/// Two tables side by side, with a movable divider.
class TablePair : public QWidget {
    Q_OBJECT

public:
    struct Titled {
        QString name;   ///< the object's
        QString title;  ///< for screen readers
    };
    /// `leftShare`: of the width, in per cent.
    TablePair(const Titled& left, const Titled& right, int leftShare, QWidget* parent = nullptr);

    TablePanel* left() const { return left_; }
    TablePanel* right() const { return right_; }

private:
    TablePanel *left_, *right_;
};

}  // namespace aotscope
