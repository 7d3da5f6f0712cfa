#pragma once

#include "app/window_driver.h"
#include "support/rows.h"

/// What-if in the window: explanations, overrides with undo, variants, memory against time.
class TestWindowWhatIf : public QObject {
    Q_OBJECT

    aotscope::test::Isolation isolation_;

private Q_SLOTS:
    void initTestCase();
    void init();
    void whyFollowsTheSelection();
    void linksOfWhyMoveTheSelection();
    void anOverrideChangesThePictureAndIsUndone();
    void severalValuesAtOnce();
    void severalRowsAtOnce();
    void theBudgetSliderSavesLess();
    void theBudgetSliderStaysUnderThePointer();
    void theBudgetSliderIsReachedByTab();
    void theResultSaysWhosePartitionItIs();
    void valuesOfAWhatIfAreShownAsSuch();
    void theShownPartitionIsCopiedAsPython();
    void aRunIsCopiedAsPython();
    void answersComeQuickly();
    void inferenceHasNoWhatIf();

    // times.cpp
    void measuredTimesReplaceEstimatesAtOnce();
    void theTimeOfAGraphIsTheSameEverywhere();
    void theMachineIsCalibratedAgain();
    void operationsAreMeasuredAlone();
    void unreliableEstimatesAreNotNumbers();

    // variants.cpp
    void trainingFillsTheCurves();
    void trainingStops();
    void modelsThatCannotBeTrainedSayWhy();
    void graphsForAGpuThatIsNotThere();
    void variantsAreKeptComparedMeasuredAndCompiled();
    void aWhatIfIsAppliedAndReset();
    void variantsStayWhenOnlyThePartitionChanges();
    void appliedOverridesAreChips();
    void overridesOfEarlierSessionsAreChips();
    void budgetsMakeAChartWhosePointsAreVariants();
    void aPlanHoldsTheLimitOfTheSlider();
    void theNetworkIsATab();

    // fit.cpp
    void stepsAreAskedAbout();
    void withoutABackwardThereIsNothingToFit();

    // collectives.cpp
    void collectivesAreTried();
    void parametersAreResharded();
    void withoutCollectivesThereIsNothingToTry();

    // ranks.cpp
    void ranksAreSteppedTogether();
    void ranksAreEditedAndFound();
    void stagesOfAPipelineAreSteppedTogether();
    void ranksThatDoNotFitSayWhy();
    void ranksAreCompared();
    void logsOfRanksAreCompared();

    // side_by_side.cpp
    void decompositionsAreChosen();
    void aCustomTable();
    void levelsAreShownSideBySide();
    void bothPicturesMoveTogether();
    void picturesOfOtherModelsMoveTogether();
    void lowerLevelsAreMadeWhenAskedFor();
    void anotherModelIsShownNextToIt();
    void aKeptRunIsComparedWithLaterOnes();
    void twoRunsAreTimedInterleaved();
    void unreadableModelsAreNotCompared();
};
