#pragma once

#include "ir/graph.h"

#include <string>
#include <vector>

namespace aotscope {

/// The modules that people checkpoint: those that a model repeats, such as the layers of a transformer or the blocks of
/// a ResNet, in order of execution. Of several such families, the one with most of the forward's operations; if there
/// are equal ones, the one with the most modules. Empty if the model repeats none.
std::vector<std::string> repeatedModules(const Graph& joint);

/// What activation checkpointing keeps within a module.
enum class CheckpointedPart : std::uint8_t {
    whole,     ///< nothing: all of it runs again
    selective  ///< the results of matrix products, convolutions and attention
};

/// Whether the modules have an operation whose results a selective policy keeps.
bool hasProducts(const Graph& joint, const std::vector<std::string>& modules);

/// Policies (PartitionOptions::policies) that decide as if torch.utils.checkpoint called each of these modules.
std::vector<std::string> checkpointPolicies(const std::vector<std::string>& modules, CheckpointedPart part);

/// How many modules such policies checkpoint, among others.
int checkpointedBy(const std::vector<std::string>& policies);

}  // namespace aotscope
