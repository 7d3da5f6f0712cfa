#include "ops/dialect.h"

namespace aotscope {

std::string_view name(Dialect dialect) { return dialect == Dialect::python ? "python" : "libtorch"; }

}  // namespace aotscope
