#include "controllers/controller.h"

namespace aotscope {

bool Controller::busy() const { return false; }
void Controller::setSession(const std::shared_ptr<const Session>& /*session*/) {}

}  // namespace aotscope
