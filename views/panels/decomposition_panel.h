#pragma once

#include "panels/table_panel.h"

namespace aotscope {

/// Which operations are replaced by which rule, and every single rewrite.
class DecompositionPanel : public QWidget {
    Q_OBJECT

public:
    explicit DecompositionPanel(QWidget* parent = nullptr);

    TablePanel* rules() const { return rules_; }
    TablePanel* rewrites() const { return rewrites_; }

private:
    TablePanel *rules_, *rewrites_;
};

}  // namespace aotscope
