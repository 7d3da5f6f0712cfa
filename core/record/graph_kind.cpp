#include "record/graph_kind.h"

#include "support/enumerators.h"

#include <array>

namespace aotscope {

namespace {

struct GraphRow {
    std::string_view name;
    PassId maker;
};
constexpr std::array<GraphRow, kGraphKinds> kGraphs = {{{"source", PassId::source},
                                                        {"forward-traced", PassId::preFunctionalization},
                                                        {"functional", PassId::functional},
                                                        {"joint", PassId::joint},
                                                        {"forward", PassId::partition},
                                                        {"backward", PassId::partition},
                                                        {"inference", PassId::inference}}};
const GraphRow& rowOf(GraphKind kind) { return kGraphs.at(static_cast<std::size_t>(kind)); }

}  // namespace

std::string_view name(GraphKind kind) { return rowOf(kind).name; }
std::optional<GraphKind> graphKindFromName(std::string_view name) { return enumeratorNamed<GraphKind>(name); }
PassId makerOf(GraphKind kind) { return rowOf(kind).maker; }

}  // namespace aotscope
