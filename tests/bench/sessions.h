#pragma once

#include "session/session.h"

#include <array>
#include <memory>
#include <string>

namespace aotscope {

/// The measured samples; peer_models.py has the same ones for Python.
inline constexpr std::array kBenchModels = {"resnet18", "resnet50", "gpt2"};

/// A model whose joint graph is partitioned again and again.
struct PartitionedModel {
    const char* sample;
    const char* decompositions;  ///< "none" or the name of a table

    std::string where() const { return "sample:" + std::string(sample); }
    Options options() const;
};

/// A real model, and one with a joint graph of about 10,000 operations.
inline constexpr std::array kPartitionedModels = {PartitionedModel{"gpt2", "none"},
                                                  PartitionedModel{"gpt2-deep", "core-aten"}};

/// A compiled session of a path or "sample:NAME". Throws Error if the pipeline failed. The latest one is kept:
/// benchmarks run model by model, and loading takes longer than the measurement.
std::shared_ptr<const Session> sessionOf(const std::string& where, bool inference = false);

/// Likewise for any options; not kept. Throws Error if the pipeline failed.
std::shared_ptr<const Session> openSound(const Options& options, const std::shared_ptr<const Session>& previous = {});

/// A value saved for backward that a user might ask about.
NodeId savedActivation(const CompileRecord& record);

/// Compiles the model of `session` again, without loading it.
std::shared_ptr<const Session> compileAgain(const std::shared_ptr<const Session>& session);

}  // namespace aotscope
