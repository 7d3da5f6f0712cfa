#pragma once

#include "canvas/visible.h"

#include <QUndoCommand>
#include <functional>

namespace aotscope {

/// One step of opening or closing groups, hiding or showing boxes.
class ViewStep : public QUndoCommand {
public:
    using Apply = std::function<void(const ViewState&)>;
    ViewStep(const QString& what, ViewState before, ViewState after, Apply apply)
        : QUndoCommand(what), before_(std::move(before)), after_(std::move(after)), apply_(std::move(apply)) {}
    void undo() override { apply_(before_); }
    void redo() override { apply_(after_); }

private:
    ViewState before_, after_;
    Apply apply_;
};

}  // namespace aotscope
