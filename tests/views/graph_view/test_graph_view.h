#pragma once

#include "support/rows.h"

/// The canvas: showing, clicking, keyboard navigation, zooming; and the legend.
class TestGraphView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void showsEveryBox_data();
    void showsEveryBox();
    void aClickChoosesTheBoxUnderIt();
    void aClickOnNothingClears();
    void draggingChoosesNothing();
    void selectingFromOutsideDoesNotEmit();
    void selectingBringsIntoView();
    void selectingAnElementMarksItsTuple();
    void arrowKeysWalkAlongEdges();
    void arrowKeysKeepASelection();
    void theSelectionStaysWithTheNextPicture();
    void aClickOnAStubJumpsToTheOtherEnd();
    void theMinimapMovesTheView();
    void theMinimapCoversNothing_data();
    void theMinimapCoversNothing();
    void tooltipsSayWhatABoxIs();

    // groups.cpp
    void aDoubleClickOpensAndClosesAGroup();
    void keysOpenAndCloseGroups();
    void theGroupUnderThePointerStandsStill_data();
    void theGroupUnderThePointerStandsStill();
    void aGroupThatIsClosedFromWithinStaysInView();
    void aNodeInAClosedGroupMarksItsBox();

    // camera.cpp
    void zooms();
    void zoomingStaysWhereItIs();
    void theWheelZoomsWithCtrlOnly();
    void theWheelScrollsSidewaysWithShift();
    void fits();
    void whatWasFittedIsFittedAgain();
    void whatTheUserHasMovedStays();
    void aShiftedPictureIsPaintedAtItsEdgesOnly();
    void aPictureIsShiftedByWholePixelsOfTheScreen();
    void aScaledPictureIsPaintedAroundItsEdges();
    void farFromTheLastFrameAllIsPainted();
    void aMovedCanvasIsPaintedAtItsEdgesAndAtRestAsAWhole();
    void theFirstFrameOfATurnedWheelIsCheap();

    // appearance.cpp
    void changesOfThePictureAreSeenAtOnce();
    void aMessageClearsThePicture();
    void aNoteOfTheLayoutIsShown();
    void anEmptyGraphIsShown();
    void themesAndColoursAreFollowed();
    void theLegendFoldsIntoAButton();
    void hitsHaveAColourOfTheirOwn();
    void theLegendNamesTheColours();
};
