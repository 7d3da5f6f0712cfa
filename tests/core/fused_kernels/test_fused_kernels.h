#pragma once

#include "support/rows.h"

/// Fused kernels on the CPU: each operation against LibTorch's, random kernels, reductions, shapes, strides, threads.
class TestFusedKernels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void operations_data();
    void operations();
    void conversions();
    void narrowAndStore();
    void integersAreExact();
    void divisionByZeroIsAnError();
    void signsOfZero();

    // random_kernels.cpp
    void randomKernels();
    void outputsMayOverwriteInputs();
    void outputsOfAnyStrides();

    // indexed.cpp
    void positions();
    void gathers_data();
    void gathers();
    void accumulates_data();
    void accumulates();
    void ascendingIndices_data();
    void ascendingIndices();
    void shortLoops_data();
    void shortLoops();
    void accumulationsShareAnOutput();
    void accumulationsAreRepeatable();
    void indicesOutOfRange_data();
    void indicesOutOfRange();
    void nothingIsIndexed();

    // reductions.cpp
    void reductions_data();
    void reductions();
    void notANumber();
    void softmax();
    void layerNorm();
    void sumsOfManyAreExact();
    void concurrentCalls();
};
