#pragma once

#include "session/session.h"
#include "support/rows.h"

/// Compiled functions against the programs that they were compiled from.
class TestRuntime : public QObject {
    Q_OBJECT

    static void programs(bool withOptions);
    static aotscope::Options optionsOf(bool inference, bool minCut);

private Q_SLOTS:
    void sameAsEager_data();
    void sameAsEager();
    void kernelsKeepWhatTheBackwardNeeds();
    void gradientsFlowThroughTheFunction();
    void chainedFunctions();
    void otherValuesOfTheSameShapes();
    void noGradientsWithoutRequest();
    void retainedGraphs();
    void doubleBackwardIsRefused();
    void overwrittenInputsAreNoticed_data();
    void overwrittenInputsAreNoticed();
    void overwrittenOutputsAreNoticed();
    void wrongNumberOfInputs();
    void dropoutFollowsTheGenerator();
    void backwardIsCompiledWhenNeeded();
    void functionOutlivesItsOwner();
    void severalThreadsAtOnce();

    // checks.cpp
    void checkFindsNothing_data();
    void checkFindsNothing();
    void checkFindsDifferences();
    void lazyConjugatesAreOtherInputs();
    void noiseIsNoDifference_data();
    void noiseIsNoDifference();
    void smallErrorsAreFound_data();
    void smallErrorsAreFound();
    void checkLeavesRngStateAndModelAlone();
    void sessionsCheckAndTime();
    void failedPipelinesRunNothing();

    // effects.cpp
    void errorsOfLinearAlgebraAreRaised_data();
    void errorsOfLinearAlgebraAreRaised();

    // memory.cpp
    void savedValuesAreFreed();
    void abandonedRunsAreFreed();
    void noLeakOverManyRuns_data();
    void noLeakOverManyRuns();
};
