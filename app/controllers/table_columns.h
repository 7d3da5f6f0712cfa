#pragma once

#include "controllers/settings.h"
#include "panels/tables/table_panel.h"

namespace aotscope {

/// Hides the columns of a table that its user has hidden before, and remembers those that are hidden from now on, by
/// the name of the table. `settings` must outlive it.
void rememberColumns(TablePanel* table, Settings* settings);

}  // namespace aotscope
