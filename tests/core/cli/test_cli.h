#pragma once

#include "support/refusals.h"

namespace aotscope::test {

inline QStringList words(const char* text) { return QString::fromUtf8(text).split(u' ', Qt::SkipEmptyParts); }

}  // namespace aotscope::test

/// The command line from outside: a child process, its exit code, and its output and files.
class TestCli : public QObject {
    Q_OBJECT

    aotscope::test::Scratch scratch_;

    QString at(const QString& name) const;
    QStringList resolved(const QString& arguments) const;

    /// The row is refused, and no file is left behind.
    void isRefusedWithoutTraces() const;

private Q_SLOTS:
    void initTestCase();
    void helpHasAnExample_data();
    void helpHasAnExample();
    void helpFitsATerminal();
    void version();
    void limits();
    void samples();
    void exportsSpellOutWhatCannotBeSeen();
    void printedGraphs();
    void trainWritesItsCurves();
    void graphsForAGpuThatIsNotThere();
    void otherMethodsThanForward();
    void recompilationsAreListed();
    void compileTimesCountTheBackward();
    void allSizesAreDynamic();
    void whatRunsTheModelRefusesItAlike();
    void pathsThatAreNoUtf8();
    void dictsOfIntegers();
    void codeThatIsNone();
    void filesOnTheStandardOutput();
    void everythingAsJson_data();
    void everythingAsJson();
    void errorsWithTheirStack();
    void debuggedRuns_data();
    void debuggedRuns();
    void debuggedRunsAsJson();

    // refusals.cpp
    void usageErrors_data();
    void usageErrors();
    void optionsThatNothingUses_data();
    void optionsThatNothingUses();
    void modelErrors_data();
    void modelErrors();
    void inputErrors_data();
    void inputErrors();
    void sizeErrors_data();
    void sizeErrors();
    void pipelineErrors_data();
    void pipelineErrors();
    void debugErrors_data();
    void debugErrors();
    void writeErrors_data();
    void writeErrors();

    // programs.cpp
    void everyCommandIsReached();
    void theEngineDrawsNothing();
    void aMissingEngineIsNamed();
    void aMissingLibraryIsNamed();
    void printedGraphsAreDrawnWithoutAnEngine();
    void theEngineOfAnotherTorch();

    // operators.cpp
    void operators();
    void operatorsAsJson();
    void uncoveredOperators();
    void operatorsThatDoNotExist();
    void decompositions();
    void decomposedGraphs();
    void compilers();
    void kernelsOfSeveralNodes();
    void compilerThatFails();
    void graphsForTorchScript();

    // reports.cpp
    void failedRunsStillReport();
    void reportKeepsItsContract();
    void checksThatCouldNotCompare();
    void everyInputHasAType();
    void timesOfTwoVariants();
    void sizesThatVary();
    void savedSizesAreNumbers();
    void optionsReachThePipeline_data();
    void optionsReachThePipeline();
    void staticParametersAreSavedForFree();
    void sameOptionsSameGraphs();

    // partitions.cpp
    void partitionIsExplained();
    void partitionAsJson();
    void badPartitions_data();
    void badPartitions();
    void plansSaveWhatTheyName();
    void badPlans_data();
    void badPlans();
    void partitionFunctionsOfPlugins();
    void operationsAreTimedForTheBudget();
    void plansOfAnySize();
    void budgetsAreCostedAndMeasured();
    void paretoRefusals();
    void calibrationsAreKeptAndRepeated();

    // fits.cpp
    void fitsOnADevice();
    void fitsIntoAGivenMemory();
    void fitsAreThoseOfReports();
    void fitsAreMeasured_data();
    void fitsAreMeasured();
    void fitsOfOneSize();
    void fitsWithinTheRangeOfASize();
    void fitsOfARank();
    void badFits_data();
    void badFits();

    // tables.cpp
    void tablesHaveTheirKeys_data();
    void tablesHaveTheirKeys();
    void measuredOperationsAreKept();
    void budgetsAsTables();
    void valuesAsTables();
    void reportsHaveTheKeysOfTables();
    void csvHasTheKeysOfTables_data();
    void csvHasTheKeysOfTables();
    void manualDescribesTables();

    // sweeps.cpp
    void runsOfASweep();
    void sweepsInOneTable();
    void sweepsOfStrangers();
    void badSweeps_data();
    void badSweeps();

    // minify.cpp
    void plantedFaults_data();
    void plantedFaults();
    void chosenCompilersRun();
    void faultsThatNothingShows();
    void codeOnTheCommandLine();
    void codeIsAModelOfEveryCommand_data();
    void codeIsAModelOfEveryCommand();

    // graphs.cpp
    void differencesOfReports();
    void differencesWithinNodes();
    void differencesOfPasses();
    void differencesOfPassesAsJson();
    void passesTable();
    void passesLog();
    void exports_data();
    void exports();
    void exportsOfPasses();
    void exportsReplaceWholeFiles();
};
