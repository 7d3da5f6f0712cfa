#pragma once

#include "record/options/remote_model.h"
#include "session/session.h"
#include "support/rows.h"
#include "support/scratch.h"
#include "support/text.h"

/// Sessions on another machine, which is this one: the connection is a command like any other.
class TestRemote : public QObject {
    Q_OBJECT

    aotscope::test::Scratch scratch_;

private Q_SLOTS:
    // addresses.cpp
    void addresses_data();
    void addresses();
    void refusesAddresses_data();
    void refusesAddresses();
    void commandsInPlaceOfSsh();
    void framesInPieces();
    void framesOfStrangers();
    void givesUpDrops();
    void refusesFrames_data();
    void refusesFrames();

    // broken.cpp
    void refusesStarts_data();
    void refusesStarts();
    void refusesAnswers_data();
    void refusesAnswers();
    void refusesAnswersOfAnEngine_data() { refusesAnswers_data(); }
    void refusesAnswersOfAnEngine();
    void refusesRequests();
    void saysWhatSshNeeds_data();
    void saysWhatSshNeeds();
    void cutEverywhere();
    void connectsAgain();
    void leavesNothingBehind();
    void takesNoDescriptors();
    void endsWithItsInput();
    void endsWithTheProgram();
    void filesNameNoCommand();

    // here.cpp
    void engineAnswersLikeThisProcess_data();
    void engineAnswersLikeThisProcess();
    void engineIsAsked();
    void engineLoadsPlugins();
    void rebuiltPluginsNeedAnotherEngine();
    void engineIsReplaced_data();
    void engineIsReplaced();
    void saysWhyNoEngine_data();
    void saysWhyNoEngine();
    void readsWithoutAnEngine_data();
    void readsWithoutAnEngine();

    // logs_and_ranks.cpp
    void readsLogsLikeHere();
    void readsFoldersOfRanks();
    void sendsWhatIsInLogs();
    void comparesRanksThere();
    void listsCompilationsThere();
    void runsRanksThere();

    // rights.cpp
    void enginesAreConfined();
    void confinedEnginesWriteNothingElse();
    void enginesWriteWhatPeopleAskFor();
    void allowedOperatorsWrite();
    void enginesAreTimedTogether();

    // stepped_ranks.cpp
    void stepsRanksLikeHere_data();
    void stepsRanksLikeHere();
    void goesOnAfterACut();
    void commandsOfRanks_data();
    void commandsOfRanks();
    void refusesAnswersAboutRanks_data();
    void refusesAnswersAboutRanks();
    void refusesRequestsAboutRanks();

    // wild.cpp
    void filesDoHarm_data();
    void filesDoHarm();
    void plugInsDoHarm_data();
    void plugInsDoHarm();
    void plugInsEndTheEngineWhenLoaded();
    void plugInsHangWhenLoaded();
    void jobsNeverStop_data();
    void jobsNeverStop();
    void othersWaitForAJobThatNeverStops();
    void nobodyReadsAnAnswer();
    void cancelledJobsWaitForOthers();
    void engineStandsStill();
    void engineHasTooLittleMemory();
    void factsAreKnown();
    void engineTalksForever_data();
    void engineTalksForever();
    void whoeverWaitsSleeps();

    // torches.cpp
    void versionsOfTorch_data();
    void versionsOfTorch();
    void findsTorch();
    void findsEngines();
    void findsTheEngineForTheInstalledTorch();
    void enginesSideBySide();
    void differencesNameTheTorch();

    // test_remote.cpp
    void answersLikeTheModel();
    void runsLikeTheModel();
    void errorsComeThrough_data();
    void errorsComeThrough();
    void trainsStepByStep();
    void cancels();
    void partitionsHere();
    void comparesVariants();
    void stepsLikeTheModel();
    void stopsBetweenPasses();
    void opensSessionFiles();
    void takesTablesAlong();
    void listsFolders();
    void commandLine();
};

namespace aotscope::test {

/// The options for `model` behind `command`, "%p" in which stands for the program.
Options optionsThrough(QString command, const QString& model);
/// The options for `model` on "another" machine.
Options optionsFor(const QString& model);
/// A command in a shell that starts the program, for which "%p" stands; the program's own arguments follow.
QString inShell(const QString& script);

}  // namespace aotscope::test
