#include "load/torchscript/returned_values.h"

#include <torch/csrc/jit/ir/constants.h>

namespace aotscope {

namespace {

namespace jit = torch::jit;

class Collector {
public:
    explicit Collector(ReturnedValues& into) : into_(into) {}

    Structure collect(const jit::Value* value) {
        Structure structure;
        if (!open(value, structure)) {
            into_.leaves.push_back(value);
            return structure;
        }
        structure.type = value->type();
        into_.containers.insert(value->node());
        const bool pairs = structure.kind == Structure::Kind::dict;
        for (std::size_t i = pairs ? 1 : 0; i < value->node()->inputs().size(); i += pairs ? 2 : 1)
            structure.children.push_back(collect(value->node()->inputs()[i]));
        return structure;
    }

private:
    /// A container with other users may have been changed since it was built.
    static bool open(const jit::Value* value, Structure& structure) {
        if (value->uses().size() != 1) return false;
        switch (value->node()->kind()) {
            case c10::prim::TupleConstruct: structure.kind = Structure::Kind::tuple; return true;
            case c10::prim::ListConstruct: structure.kind = Structure::Kind::list; return true;
            case c10::prim::DictConstruct: structure.kind = Structure::Kind::dict; return takeKeys(value, structure);
            default: return false;
        }
    }

    static bool takeKeys(const jit::Value* dict, Structure& structure) {
        for (std::size_t i = 0; i < dict->node()->inputs().size(); i += 2) {
            const auto key = jit::toIValue(dict->node()->inputs()[i]);
            if (!key) return false;
            structure.keys.push_back(*key);
        }
        return true;
    }

    ReturnedValues& into_;
};

}  // namespace

ReturnedValues returnedValues(const jit::Graph& graph) {
    ReturnedValues result;
    Collector collector(result);
    if (graph.outputs().size() == 1) {
        result.structure = collector.collect(graph.outputs()[0]);
        return result;
    }
    result.structure.kind = Structure::Kind::tuple;
    for (const jit::Value* output : graph.outputs()) result.structure.children.push_back(collector.collect(output));
    return result;
}

}  // namespace aotscope
