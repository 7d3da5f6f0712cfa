#pragma once

#include "support/rows.h"

/// Every possible difference of two runs is found and named, whatever kind of file a run comes from; and nothing else.
class TestDifferences : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void plantedInFacts_data();
    void plantedInFacts();
    void plantedInPrintedGraphs_data();
    void plantedInPrintedGraphs();
    void plantedInBodies();

    // graphs.cpp
    void plantedInGraphs_data();
    void plantedInGraphs();
    void enoughWasPlanted();

    // unchanged.cpp
    void unchangedPairs_data();
    void unchangedPairs();
    void renamedValues();
    void whatIsBehindAChangeIsFoundAgain();
    void olderReports();
    void otherSizes();

private:
    int planted_ = 0;
};
