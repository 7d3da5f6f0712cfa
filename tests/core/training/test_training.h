#pragma once

#include "support/rows.h"
#include "trained_models.h"

/// Compiled functions in a training loop, step by step against the same loop in eager: losses, parameters, buffers,
/// random numbers, memory.
class TestTraining : public QObject {
    Q_OBJECT

    static void models(bool withPartitions);
    static const aotscope::test::TrainedModel& modelOf(int index);

private Q_SLOTS:
    void initTestCase();
    void freedMemoryStaysForTheNextStep();
    void stepsLikeEager_data();
    void stepsLikeEager();
    void tiedWeightIsOneParameter();
    void dropoutFollowsTheGenerator_data();
    void dropoutFollowsTheGenerator();
    void nothingLeaksOverTheSteps_data();
    void nothingLeaksOverTheSteps();
    void trainingRunFollowsEager_data();
    void trainingRunFollowsEager();
    void nothingStaysOfAThousandSteps_data();
    void nothingStaysOfAThousandSteps();
    void growthIsMeasuredAtTheSmallestSizes();
    void trainingRunsAreRepeatable();
    void lossIsTheScalarOutput();
    void trainsOnBatchesOfAFile();
    void cancelledBetweenSteps();
    void nothingToTrain();
    void lossesThatAreNotFinite();
    void adamIsPytorchs();
    void savedValuesAreFreed();
    void peakIsBelowEager_data();
    void peakIsBelowEager();
};
