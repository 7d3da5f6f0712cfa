#pragma once

#include "load/exported/program.h"
#include "load/model.h"
#include "support/exported_files.h"
#include "support/rows.h"
#include "support/scratch.h"

#include <ATen/TensorOperators.h>

/// Files of torch.export: reading them, running them, and refusing broken ones.
class TestExported : public QObject {
    Q_OBJECT

    aotscope::test::Scratch scratch_;

    std::string write(const aotscope::test::ExportedFile& file, const char* name = "file.pt2");
    at::Tensor run(const aotscope::test::ExportedFile& file, const at::Tensor& x,
                   const aotscope::LoadSettings& settings = {});
    QString loadError(const aotscope::test::ExportedFile& file);

private Q_SLOTS:
    void stateAndInputs();
    void dynamicDimensions();
    void sourcesHaveTheSizesOfTheRun();
    void expressionsOfFiles();
    void tiedWeightsAreOneTensor();
    void containersComeBack();
    void provenanceAndSource();
    void literalsAreConstants();
    void operationsOnLiteralsStay();
    void viewsOfLiteralsPassTheCrossCheck();
    void otherConstantsAreInputs();
    void batchNormUpdatesItsStatistics();
    void missingBackwardIsReported();
    void checkedAgainstEager_data();
    void checkedAgainstEager();
    void missingInputsAreSuggested();
    void fileIsNeverChanged();
    void missingWeightsAreRandomAndTheSame();
    void missingWeightsNeedNoMemory();
    void givenWeightsReplaceThoseOfTheFile();

    // calls.cpp
    void regionsRunUnderTheirState();
    void autocastIsForItsDevice_data();
    void autocastIsForItsDevice();
    void checkpointedRegions();
    void assertionsOnValuesStay();
    void drawsThatNothingUsesAreMade();
    void numbersAreComputed();
    void infinityIsANumber();
    void arithmetic_data();
    void arithmetic();
    void undefinedArithmetic();
    void vmapRunsOnAllOfTheBatch();
    void vmapOfNothing();
    void vmapMovesAndRepeats();
    void vmapInVmap();
    void refusedVmaps_data();
    void refusedVmaps();

    // overwrites.cpp
    void lostCheckpointsAreSaid();
    void copiesOntoThemselves_data();
    void copiesOntoThemselves();
    void copiesThatCutTheGradientStay();
    void overwrittenValuesAreNamed();

    // functionalized.cpp
    void functionalizedCalls();
    void functionalizedCallsOfDefinedOperators();
    void functionalizedCallsOfUnknownOperators();
    void functionalizedCallsAreDifferentiated();
    void unknownWritesAreRefused_data();
    void unknownWritesAreRefused();
    void definitionsOfCallsThatWrite();
    void damagedFunctionalizedCalls_data();
    void damagedFunctionalizedCalls();

    // layouts.cpp
    void containersOfAllKinds_data();
    void containersOfAllKinds();
    void recordedContainers();
    void weightsSavedTogether();
    void edgeDialect();
    void dtypesOfTheSchema();
    void unusableInputsSayWhy();
    void deflatedArchives();
    void primsOfPython();

    // refusals.cpp
    void refused_data();
    void refused();
    void severalModels();
    void newerMinorVersionIsReported();
    void recognisedByContent();
    void truncated_data();
    void truncated();
    void damaged_data();
    void damaged();
};
