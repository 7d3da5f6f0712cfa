#pragma once

#include "session/session.h"
#include "support/programs.h"
#include "support/rows.h"

#include <ATen/ops/empty_strided.h>
#include <torch/library.h>

/// Faults put into the pipeline on purpose: a check must notice each one, and a bisection must name pass and node.
/// Also: how a check explains a difference, and fake results against real kernels.
class TestBisect : public QObject {
    Q_OBJECT

    void verifyNamed(const aotscope::test::Compiled& compiled, const char* pass, const char* node, const char* op);

private Q_SLOTS:
    void aWrongOperation_data();
    void aWrongOperation();
    void aWrongDecomposition();
    void aDroppedCopy();
    void aMutationThatIsNotReturned();
    void aWriteLostFromTheProgramAsWritten();
    void aWrongStride_data();
    void aWrongStride();
    void aFlippedSignInTheBackward();
    void aWrongNumberInTheBackward();
    void aWrongSavedValue();
    void anOperationThatFails();
    void everyProgramIsRight_data();
    void everyProgramIsRight();
    void decomposedRandomNumbersAreRight();

    // agreement.cpp
    void plantedFaults_data();
    void plantedFaults();
    void nothingIsFoundWhereACheckFindsNothing_data();
    void nothingIsFoundWhereACheckFindsNothing();
    void verdictsOnWhatRan();
    void randomNumbersInOrder();

    // explanations.cpp
    void noiseIsNoDifference();
    void aSmallError();
    void valuesAreExplained();
    void outputsAreNamed();
    void gradientsAreExplained();
    void infinitiesAndNans();
    void stridesOfOutputs();
    void offsetsOfAliases();
    void versionCounters();
    void writesBehindAutograd();
    void inputsThatComeToRequireAGradient();
    void memoryBehindViews();
    void aWrongMetaKernelIsReported();
    void wrongFakeResults();
};
