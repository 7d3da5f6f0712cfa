#pragma once

#include "support/rows.h"
#include "support/scratch.h"

#include <ATen/core/ivalue.h>

namespace aotscope::test {

inline const c10::Device kCpu(c10::kCPU);

}  // namespace aotscope::test

/// Example inputs: specs, nested values, saved tensors.
class TestInputs : public QObject {
    Q_OBJECT

    aotscope::test::Scratch scratch_;

    QString saved(const QString& name, const c10::IValue& value);

private Q_SLOTS:
    void describedInputs_data();
    void describedInputs();
    void blankInputsFitTheDeclarations();
    void nestedInputsTakeTheDeclaredTypes();
    void wrongInputs_data();
    void wrongInputs();
    void placesInResults();
    void flattenAndUnflatten();

    // specs.cpp
    void brokenSpecs_data();
    void brokenSpecs();
    void impossibleValues_data();
    void impossibleValues();
    void fills_data();
    void fills();
    void randomFillsFollowTheSeedAlone_data();
    void randomFillsFollowTheSeedAlone();
    void derivations_data();
    void derivations();
    void channelsLast();
    void specsPrintAsTheyRead_data();
    void specsPrintAsTheyRead();
    void informativeKeysAreIgnored();
    void namedDimensionsHaveTheirHints();
    void gradientAndDeviceOfALeaf();
    void examplesWithoutMemory();

    // short_inputs.cpp
    void shortInputs_data();
    void shortInputs();
    void brokenShortInputs_data();
    void brokenShortInputs();

    // input_files.cpp
    void savedInputs();
    void argumentsAndKeywords();
    void pairsOfInputsAreNoCalls();
    void brokenSavedInputs();
    void tensorsFromFilesOfTheSpec();
    void inputsFromTensorFiles();
};
