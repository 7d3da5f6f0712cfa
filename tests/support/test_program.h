// Several classes of tests in one program, so that headers are read, and LibTorch and Qt are loaded, once for all of
// them. initializeTorch() has run before the first. Includes what every class of tests uses: data, literals, Qt Test
// and QtCore.
#pragma once

#include "support/literals.h"
#include "support/rows.h"

#include <memory>

namespace aotscope::test {

/// A class of tests that its program can run.
struct TestClass {
    QString name;  ///< of its file, as in "test_partition"
    std::unique_ptr<QObject> (*make)();
};

/// Adds a class to those of this program. @return true, to be called where a constant is initialized
bool addTestClass(const char* file, std::unique_ptr<QObject> (*make)());

}  // namespace aotscope::test

/// Adds CLASS, whose name is without its namespaces, to the tests of the program it is linked into: it runs all of
/// them, or those named first on its command line (`build/tests/core/test_graphs test_partition`); the rest goes to Qt
/// Test.
#define AOTSCOPE_TEST(CLASS)                                        \
    static const bool kAdded##CLASS = aotscope::test::addTestClass( \
        __FILE__, []() -> std::unique_ptr<QObject> { return std::make_unique<CLASS>(); });
