#include "panels/tables/whole_rows.h"

#include <QHeaderView>

namespace aotscope {

void showWholeRows(QTableView& view) {
    constexpr int margins = 6;
    view.setSelectionBehavior(QAbstractItemView::SelectRows);
    view.setEditTriggers(QAbstractItemView::NoEditTriggers);
    view.setTabKeyNavigation(false);
    view.setWordWrap(false);
    view.verticalHeader()->hide();
    view.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    view.verticalHeader()->setDefaultSectionSize(view.fontMetrics().height() + margins);
    view.horizontalHeader()->setHighlightSections(false);
}

}  // namespace aotscope
