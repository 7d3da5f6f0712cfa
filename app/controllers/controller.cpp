#include "controllers/controller.h"

namespace aotscope {

bool Controller::busy() const { return false; }
void Controller::setTheme(const Theme& /*theme*/) {}

}  // namespace aotscope
