#pragma once

#include "support/rows.h"
#include "support/scratch.h"

#include <ATen/TensorOperators.h>
#include <torch/csrc/jit/serialization/import.h>

/// Compilers: which one runs which graph, what happens if one fails, plug-ins, and TorchScript.
class TestCompilers : public QObject {
    Q_OBJECT

    aotscope::test::Scratch scratch_;

private Q_SLOTS:
    void initTestCase();
    void unknownNames_data();
    void unknownNames();
    void everySettingAcceptsItsDefault();
    void otherFilesAreNotPlugins_data();
    void otherFilesAreNotPlugins();
    void namesAreUnique();
    void pluginRunsTheGraphs();
    void groupsAreThoseOfTheCompiler();

    // fallback.cpp
    void interpreterIsTheFallback_data();
    void interpreterIsTheFallback();
    void fallbackStartsAfresh();
    void errorsOfTheModelAreNotTheCompilers();
    void firstRunMayBeObserved();
    void notesReachTheResults();
    void workspacesMayHaveAnySize();
    void wrongValuesAreTracedToTheCompiler();

    // strict.cpp
    void fallbacksAreWarningsOrErrors();
    void strictRunsAreAsOthers();
    void verdictsNameWhatRan();

    // indexed_programs.cpp
    void interpolationsAreFused_data();
    void interpolationsAreFused();
    void indexedProgramsAreLikeEager_data();
    void indexedProgramsAreLikeEager();
    void indicesOutOfRangeAreErrors_data();
    void indicesOutOfRangeAreErrors();

    // torchscript.cpp
    void torchScriptCalls_data();
    void torchScriptCalls();
    void torchScriptRefuses_data();
    void torchScriptRefuses();
    void torchScriptIsObservedByNode();
    void valuesAreFreedAfterTheirLastUse();
    void constantsAreFolded();
    void savedGraphsRunAgain();

    // test_compilers.cpp
    void samplesAreLikeEager_data();
    void samplesAreLikeEager();
    void programsAreLikeEager_data();
    void programsAreLikeEager();
};
