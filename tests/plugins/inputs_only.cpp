// A partition function as a plug-in, the example of the manual's page on compilers: it saves what the function is
// called with, and has the backward compute all else again.

#include "compile/partition_plugin.h"
#include "ops/classify.h"

using namespace aotscope;

namespace {

std::vector<std::string> inputsOf(const Graph& joint) {
    std::vector<std::string> names;
    for (const Node* input : joint.placeholders())
        if (isPrimal(*input)) names.push_back(input->name());
    return names;
}

const PartitionPlugin kPlugin = {"inputs-only", "saves the inputs and recomputes the rest", inputsOf};

}  // namespace

AOTSCOPE_PARTITION_PLUGIN(kPlugin)
