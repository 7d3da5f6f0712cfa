#pragma once

#include "window/controllers.h"

namespace aotscope {

class RunPresenter;

/// Connects the selection with everything that shows or sets it: canvas, inspector, tables, charts, passes.
class SelectionLinks : public QObject {
    Q_OBJECT

public:
    SelectionLinks(Workbench& bench, const Controllers& controllers, RunPresenter* presenter);

private:
    void show();
    void markRows();
    void overrideShown(const QString& action);
    void selectIn(NodeId node, GraphKind kind);
    void selectAllIn(const std::vector<NodeId>& nodes, GraphKind kind);
    void showPass(int row);
    void markPass();

    Workbench& bench_;
    const Controllers& all_;
    RunPresenter* presenter_;
};

}  // namespace aotscope
