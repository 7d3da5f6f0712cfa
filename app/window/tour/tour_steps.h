#pragma once

#include "window/controllers.h"
#include "window/tour/tour.h"

namespace aotscope {

std::vector<Tour::Step> tourSteps(Workbench& bench, const Controllers& all);

}  // namespace aotscope
