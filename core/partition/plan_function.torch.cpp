#include "partition/plan_function.h"

#include "compile/as_plugin.h"
#include "compile/partition_plugin.h"
#include "support/error.h"

namespace aotscope {

std::vector<std::string> planByFunction(const std::filesystem::path& file, const Graph& joint) {
    return asPlugin([&] {
        const PartitionPlugin& plugin = loadPartitionPlugin(file);
        const auto copy = joint.clone();  // the function may keep it, and cast const away
        try {
            return plugin.save(*copy);
        } catch (const std::exception& e) {
            throw Error("the partition function '" + plugin.name + "' failed: " + e.what());
        }
    });
}

void checkPartitionFunction(const std::filesystem::path& file) {
    if (!file.empty()) unconfined([&] { return loadPartitionPlugin(file).name; });
}

}  // namespace aotscope
