#pragma once

#include "controllers/action_list.h"

namespace aotscope {

/// The manual's page of keys, as Markdown: those of `actions` by menu, then those of the views, which are not actions.
/// resources/manual/keys.md is this text; test_window_search updates it with UPDATE_GOLDEN=1.
QString keysPage(const std::vector<NamedAction>& actions);

}  // namespace aotscope
