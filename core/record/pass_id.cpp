#include "record/pass_id.h"

#include "support/enumerators.h"

namespace aotscope {

std::string_view name(PassId pass) { return kPassNames.at(static_cast<std::size_t>(pass)); }

std::optional<PassId> passFromName(std::string_view name) { return enumeratorNamed<PassId>(name); }

}  // namespace aotscope
