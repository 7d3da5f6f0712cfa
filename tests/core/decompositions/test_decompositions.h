#pragma once

#include "support/rows.h"

#include <torch/csrc/autograd/autograd.h>

/// Every decomposition against the kernel of the operation that it replaces, on random arguments; tables; graphs that
/// are decomposed after tracing.
class TestDecompositions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void values_data();
    void values();
    void complexNumbers_data();
    void complexNumbers();
    void oneElement_data();
    void oneElement();

    // derivatives.cpp
    void derivatives_data();
    void derivatives();
    void attentionGradients();

    // tables.cpp
    void operations_data();
    void operations();
    void notebookExample();
    void notebookMlp();
    void graphs_data();
    void graphs();
    void levels();
    void printedGraphs();
    void userTables();
    void tablesAreReadWithoutRules();
    void writtenTables();
    void wrongTables_data();
    void wrongTables();
    void inferenceCopiesAsDecomposed();
};
