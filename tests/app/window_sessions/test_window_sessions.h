#pragma once

#include "app/session_steps.h"
#include "support/rows.h"

/// The main window and session files: restored content, and questions to the user.
class TestWindowSessions : public QObject {
    Q_OBJECT

    aotscope::test::Isolation isolation_;
    aotscope::test::Scratch scratch_;

    QString at(const char* name) const;
    QString copyOf(const char* library, const char* name) const;

    /// A session that needs the compiler "counting" from `plugin`.
    QString sessionThatNames(const char* name, const QString& plugin) const;

private Q_SLOTS:
    void init();
    void everythingComesBack();
    void marksComeBack();
    void sweptBudgetsTakeLittleRoom();
    void closedModulesAndColoursComeBack();
    void savedRightAfterOpening();
    void breakpointsThatCannotBeReadAreNamed();
    void breakpointsAtPrintedPassesAreKept();
    void damagedViewsAreRead();
    void anEarlierSessionOpens();

    // saving.cpp
    void titleShowsWhatIsNotSaved();
    void droppedSessionOpens();
    void otherOptionsGoIntoTheSameFile();
    void typedOptionsApplyToAFile();
    void twoWindowsDoNotLoseEachOthersChanges();
    void aChangeIsNoticedAfterOtherOptions();
    void twoWindowsAreClosed();
    void aReadOnlyFolderKeepsWhatIsThere();
    void unwritableFilesAreReported();
    void damagedSessionLeavesTheShownOne();

    // consent.cpp
    void plugInIsLoadedWithConsentOnly();
    void consentHoldsForTheFileAsItIs();
    void plugInOfASessionIsNotRemembered();
    void aMissingPlugInIsReported();
    void libraryIsLoadedWithConsentOnly();
    void operatorsAreCalledWithConsentOnly();
    void hostileSessionsAreHarmless();
};
