#include "ops/coverage.h"

#include "support/enumerators.h"

namespace aotscope {

std::string_view name(TraceMethod method) {
    using enum TraceMethod;
    return textFor(method, {{shapeRule, "shape rule"},
                            {metaKernel, "meta kernel"},
                            {composite, "composite"},
                            {decomposed, "decomposed"},
                            {realKernel, "real kernel on zeros"},
                            {dataDependent, "example data"},
                            {noKernel, "no kernel"}});
}

}  // namespace aotscope
