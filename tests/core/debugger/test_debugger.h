#pragma once

#include "session/session.h"
#include "support/programs.h"
#include "support/rows.h"

/// The step debugger: values of a run that is stepped through, going back, conditions, edits, comparisons, and
/// statistics of values.
class TestDebugger : public QObject {
    Q_OBJECT

    static void addPrograms();

    /// Null if the program cannot be compiled or runs without graphs.
    static std::optional<aotscope::test::Compiled> compiledProgram(const QString& name, bool keepMutations = false);

private Q_SLOTS:
    void steppingComputesWhatTheInterpreterDoes_data();
    void steppingComputesWhatTheInterpreterDoes();
    void goingBackAndForthGivesTheSameValues_data();
    void goingBackAndForthGivesTheSameValues();
    void randomNumbersAreDrawnAgain();
    void theRngStateIsUnaffected();
    void mutatedInputsKeepWhatTheyWere();
    void modulesAreSteppedOver();
    void aRunCanBeCancelled();
    void itOutlivesItsSession();

    // edits.cpp
    void conditions_data();
    void conditions();
    void badConditionsAreRefused();
    void editsChangeWhatFollowsAsInEager();
    void editedValues_data();
    void editedValues();
    void editedValuesKeepTheirStrides();
    void nodesWithoutAValueCannotBeEdited();
    void aFailingKernelIsAStop();

    // wrong_values.cpp
    void theFirstNaNIsFound();
    void aNaNIsFoundAtItsOrigin();
    void anInfinityIsFoundAtItsOrigin();
    void aFindingAsPython();
    void valuesAreThoseOfEager_data();
    void valuesAreThoseOfEager();
    void aWrongOperationIsFound();
    void aPlantedValueDiffersFromEager();
    void partitionsAreCompared();
    void decomposedGraphsAreCompared();
    void printedGraphsCannotBeRun();

    // compiled.cpp
    void graphsOfOtherCompilers_data();
    void graphsOfOtherCompilers();
    void kernelsAreOneStep();
    void faultsOfCompilersAreFound_data();
    void faultsOfCompilersAreFound();
    void editsOfOtherCompilers_data();
    void editsOfOtherCompilers();
    void interpretersInPlaceOfCompilersAreNamed();
    void breakpointsThatCannotStopAreNamed();

    // minified.cpp
    void smallestGraphs_data();
    void smallestGraphs();
    void faultsOfSeveralOperations();
    void whatNoGraphShows();

    // facts.cpp
    void facts_data();
    void facts();
    void factsOfRandomTensorsAreThoseOfTorch();
    void imagesAreTheLastTwoDimensions();
};
