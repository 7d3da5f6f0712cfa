#pragma once

#include <QAbstractItemView>

namespace aotscope {

/// An item view that chooses nothing when it gets the focus. Qt's own make their first row current when Tab reaches
/// them, and current rows are shown everywhere.
template <typename View>
class QuietFocus : public View {
public:
    using View::View;

protected:
    void focusInEvent(QFocusEvent* event) override {
        QAbstractScrollArea::focusInEvent(event);  // NOLINT(bugprone-parent-virtual-call): not that of the view
        View::viewport()->update();
    }
};

}  // namespace aotscope
