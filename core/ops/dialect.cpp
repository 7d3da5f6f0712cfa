#include "ops/dialect.h"

#include "support/enumerators.h"

namespace aotscope {

std::string_view name(Dialect dialect) { return spelled(dialect); }

}  // namespace aotscope
