#include "record/results/operator_costs.h"

#include "support/enumerators.h"

namespace aotscope {

std::string_view name(CostBasis basis) { return spelled(basis); }

}  // namespace aotscope
