#include "panels/tables/whole_rows.h"

#include <QEvent>
#include <QHeaderView>

namespace aotscope {

namespace {

class RowHeight : public QObject {
public:
    RowHeight(QTableView& view, int margins) : QObject(&view), view_(view), margins_(margins) { set(); }
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::FontChange) set();
        return QObject::eventFilter(watched, event);
    }

private:
    void set() { view_.verticalHeader()->setDefaultSectionSize(view_.fontMetrics().height() + margins_); }

    QTableView& view_;
    int margins_;
};

}  // namespace

void keepRowsHigh(QTableView& view, int margins) { view.installEventFilter(new RowHeight(view, margins)); }

void showWholeRows(QTableView& view) {
    constexpr int margins = 6;
    view.setSelectionBehavior(QAbstractItemView::SelectRows);
    view.setEditTriggers(QAbstractItemView::NoEditTriggers);
    view.setTabKeyNavigation(false);
    view.setWordWrap(false);
    view.verticalHeader()->hide();
    view.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    keepRowsHigh(view, margins);
    view.horizontalHeader()->setHighlightSections(false);
}

}  // namespace aotscope
