#pragma once

#include "session/open/read_printed.h"
#include "support/rows.h"
#include "support/scratch.h"

#include <ATen/ATen.h>
#include <torch/csrc/jit/serialization/pickle.h>

/// Graphs that Python printed: their text, TORCH_LOGS and TORCH_TRACE logs. The files in tests/data/printed come from
/// PyTorch; the JSON files next to them hold the numbers of nodes and edges of Python's graphs.
class TestPrintedGraphs : public QObject {
    Q_OBJECT

    aotscope::test::Scratch scratch_;

    std::shared_ptr<const aotscope::CompileRecord> recordOfText(const std::string& text) const;

private Q_SLOTS:
    void sameNodesAndEdgesAsPython_data();
    void sameNodesAndEdgesAsPython();
    void partitionsAsPythonDid_data();
    void partitionsAsPythonDid();
    void largerModels();
    void rolesStagesAndSlots();
    void sourceLinesLinkTheHalves();
    void mutationsAndAliasesFromTheMetadata();
    void argumentsKeepTheirKind();
    void symbolsTakeTheirTracedValues();
    void inputsThatAreNoneNeedNoType();
    void sizes_data();
    void sizes();
    void sizesKeepTheirExpressions();
    void controlFlowKeepsItsGraphs();
    void kernelsThatOnlyPythonHasStayOpaque();
    void printedGraphsMayMutate();
    void nothingIsExecuted();

    // logs.cpp
    void severalCompilations();
    void aSecondSessionUsesTheIndexAgain();
    void formsOfLogs_data();
    void formsOfLogs();
    void graphsWithoutHeadingsArePaired();
    void otherFilesAreRefused();
    void largeLogsAreStreamed();

    // texts.cpp
    void anyHeadGivesTheSameGraphs_data();
    void anyHeadGivesTheSameGraphs();
    void partsBetweenCommas();
    void listsAndTablesAreTheSameGraph();
    void scriptsForReportsHaveTypes();
    void valuesAreDefinedAbove();
    void statementsThatWrite();
    void textsTellOfCompilations();

    // kinds.cpp
    void inputsThatGetAGradientHaveRequiredOne();
    void aForwardAloneKeepsItsSavedValues();
    void graphsOfOtherOperatorsAreNoSource();
    void layersThatRepeatKeepTheirOrigins();
    void sizesWithoutValuesAreShownAsPrinted();
    void annotationsAreKept();
    void inductorsRewritingIsNamed();
    void differencesFromPythonHaveReasons();

    // runs.cpp
    void everyGraphWithTypesRuns();
    void inputsFitWhatUsesThem();
    void indicesFitTheirTables_data();
    void indicesFitTheirTables();
    void inputsThatDoNotFitAreNamed();
    void oneGraphRunsAlone_data();
    void oneGraphRunsAlone();
    void givenInputsAndTangents();
    void wrongInputsAreRefused();
    void wrongHalvesAreFound();
    void repartitionedHalvesRun();
    void everyCompilerRunsThem();
    void stepsAndTimesHaveTheNodes();
    void symbolsTakeGivenValues();
    void theFirstNotANumberIsFound();
    void valuesAreWritten();
    void operatorsOfPythonRun_data();
    void operatorsOfPythonRun();
    void formsOfOtherToolsRun_data();
    void formsOfOtherToolsRun();
    void inputsFitTheirBounds();
    void whatCannotRunSaysWhy_data();
    void whatCannotRunSaysWhy();
    void hostileGraphsEndInASentence_data();
    void hostileGraphsEndInASentence();

    // exported.cpp
    void exportedGraphsAreTheSameAgain_data();
    void exportedGraphsAreTheSameAgain();
    void exportedGraphsRunAndSplit();
    void brokenExportsAreRefused_data();
    void brokenExportsAreRefused();

    // traces.cpp
    void aTraceIsATreeOfCompilations();
    void reasonsOfRecompilations();
    void graphBreaksNameTheirPlace();
    void logsAreSummarized();
    void cachesSayWhyTheyMissed();
    void missesAreComparedWithTheirLike();
    void guardsSymbolsAndTimes();
    void listsNameCollectivesInOrder();
    void generatedCodeNamesItsNodes();
    void savedValuesHaveReasons();
    void budgetsAreReadAndFollowed();
    void tracesOfOlderVersions();
    void ranksAreCompared();
    void otherLogsAreLeftOut();
    void placementsOfDTensors();
    void redistributionsAreNamed();
    void subclassesThatAreNotUnderstood_data();
    void subclassesThatAreNotUnderstood();
    void graphsOfATraceAreOfTheLastAttempt();
    void inductorsPassesArePasses();
    void inductorsPassesOfHalves();

    // trace_errors.cpp
    void aGrowingTraceIsFollowed();
    void cutTracesAreReadUpToThere();
    void damagedTraces_data();
    void damagedTraces();
    void emptyLinesOfGraphs();
    void largeTracesAreIndexed();
    void logsWithoutGraphsTellOfCompilations();
    void foldersOfRanksOpen();

    // passes.cpp
    void namesOfPasses_data();
    void namesOfPasses();
    void aFolderIsARunWithPasses();
    void aStepIsToldApart_data();
    void aStepIsToldApart();
    void inductorsFoldersAreCompilations();
    void filesComeInTheOrderOfTheirNames();
    void numbersTellCompilationsApart();
    void aTextHoldsOneGraphSeveralTimes();
    void aTraceHoldsASequence();
    void aRetraceKeepsWhatIsTheSame();
    void breakpointsFindThePass();
    void foldersOfStrangers();

    // pass_runs.cpp
    void passesThatKeepTheValuesAreEqual();
    void thePassThatChangedTheValues_data();
    void thePassThatChangedTheValues();
    void passesThatCannotRunAreLeftOut();
    void passesRunWithTheOptions();
    void aForwardAndItsBackwardAreNoSequence();

    // unstrided.cpp
    void derivedStridesArePytorchs();
    void graphsWithoutStridesRun_data();
    void graphsWithoutStridesRun();
    void halvesWithoutStridesRun();
    void repeatedDrawsOfPython();
    void wrongTypesDecideNothing();

    // without_engine.cpp
    void graphsAreTheSameWithoutTheEngine();
    void jointGraphsAreSplitWithoutTheEngine();
    void oneWarningTellsWhatIsNotDerived();
    void modelsNeedTheEngine();

    // signatures.cpp
    void signaturesOfExportedPrograms_data();
    void signaturesOfExportedPrograms();
    void damagedSignatures_data();
    void damagedSignatures();
    void resultsOfAJointGraphGoByPosition();
    void savedInputsThatAreWrittenBack();
    void summariesCountTheGraphs();

    // errors.cpp
    void errors_data();
    void errors();
    void deepModulesAreRefused();
    void damagedFilesAreRefused();
    void tenThousandOperations();
    void manyOutputsStayLinear();
};
