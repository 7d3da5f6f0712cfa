#include "controllers/table_columns.h"

namespace aotscope {

void rememberColumns(TablePanel* table, Settings* settings) {
    table->setHiddenColumns(settings->hiddenColumns(table->objectName()));
    QObject::connect(table, &TablePanel::columnsChosen, table, [table, settings](const QStringList& hidden) {
        settings->setHiddenColumns(table->objectName(), hidden);
    });
}

}  // namespace aotscope
