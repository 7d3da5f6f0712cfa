#pragma once

#include "record/options/options.h"
#include "support/scratch.h"

#include <vector>

namespace aotscope::test {

/// An intact file to damage.
struct Seed {
    QByteArray content;
    Options options;  ///< for opening it; the file itself goes where its kind says
};

/// Files of torch.export, complete and with empty records in place of their tensors.
std::vector<Seed> exportedSeeds(const Scratch& scratch);
std::vector<Seed> weightlessSeeds(const Scratch& scratch);

/// Arrays for a model with one input.
std::vector<Seed> npySeeds(const Scratch& scratch);
/// Weights for files of torch.export; without a model where the file holds other tensors.
std::vector<Seed> safetensorsSeeds(const Scratch& scratch);
std::vector<Seed> torchSaveSeeds(const Scratch& scratch);

/// Graphs as printed by Python and by aotscope.
std::vector<Seed> printedCodeSeeds(const Scratch& scratch);
std::vector<Seed> logSeeds(const Scratch& scratch);
std::vector<Seed> traceSeeds(const Scratch& scratch);
std::vector<Seed> graphTextSeeds(const Scratch& scratch);

}  // namespace aotscope::test
