// Collectives of a distributed program: the page, and experiments with them.

#include "test_window_what_if.h"
#include "what_if_driver.h"

#include "ops/collectives.h"

using namespace aotscope;
using namespace aotscope::test;

namespace {

const QString kSharded = QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/distributed/mlp_fsdp.pt2");

/// The action with this text in a menu or its submenus; null: none.
QAction* entry(const QMenu& menu, const QString& text) {
    for (QAction* action : menu.actions()) {
        if (action->text() == text) return action;
        if (action->menu())
            if (QAction* found = entry(*action->menu(), text)) return found;
    }
    return nullptr;
}

}  // namespace

void TestWindowWhatIf::collectivesAreTried() {
    WhatIf d;
    QVERIFY(d.open(kSharded));
    CommunicationPanel& page = *d.controller().communication();
    d.window.pages().opening(&page)->trigger();
    QVERIFY(d.settle());
    QCOMPARE(page.collectives()->content().rows.size(), std::size_t{4});
    QVERIFY(page.figures().contains(u"exposed of"_s));
    QVERIFY(!page.lanes()->picture().bars.empty());
    const double before = d.controller().shown().figures.exposedMs;
    entry(*page.menu(), u"Up to 25 MB"_s)->trigger();
    QVERIFY(d.settle());
    QVERIFY(d.controller().shown().figures.exposedMs < before);
    QVERIFY(d.controller().notCompiled() != nullptr);
    QCOMPARE(page.collectives()->content().rows.size(), std::size_t{2});
    QVERIFY2(page.figures().startsWith(u"What if: "_s), qPrintable(page.figures()));
    QVERIFY(entry(*page.menu(), u"Up to 25 MB"_s)->isChecked());
    QVERIFY2(d.answer().contains(u"Collectives: "_s), qPrintable(d.answer()));
    QVERIFY2(d.answer().contains(u"buckets of 25MB"_s), qPrintable(d.answer()));
    d.controller().undoStack()->undo();
    QVERIFY(d.settle());
    QVERIFY(d.controller().notCompiled() == nullptr);
    // Changing only the order gives another partition, too.
    entry(*page.menu(), u"Wait Late"_s)->trigger();
    QVERIFY(d.settle());
    QVERIFY(d.controller().notCompiled() != nullptr);
    d.trigger("actionApply");
    QVERIFY(d.settle());
    QVERIFY(d.window.session()->options().partition.moves.waitLate);
    QVERIFY(std::ranges::count(d.record()->passes, PassId::collectives, &PassRecord::id) == 1);
    QVERIFY(d.controller().notCompiled() == nullptr);
}

void TestWindowWhatIf::parametersAreResharded() {
    WhatIf d;
    QVERIFY(d.open(kSharded));
    CommunicationPanel& page = *d.controller().communication();
    d.window.pages().opening(&page)->trigger();
    d.selectNode("wait_tensor_1");
    QVERIFY(d.settle());
    QVERIFY2(d.why().contains(u"Unshard of down"_s), qPrintable(d.why()));
    const std::int64_t saved = d.controller().shown().figures.savedBytes;
    entry(*page.menu(), u"down"_s)->trigger();
    QVERIFY(d.settle());
    QCOMPARE(saved - d.controller().shown().figures.savedBytes, std::int64_t{512});
    QCOMPARE(page.totals()->content().rows[1].cells[1].text, u"gathered again in the backward"_s);
    QVERIFY2(d.why().contains(u"gathered again in the backward"_s), qPrintable(d.why()));
    QVERIFY(entry(*page.menu(), u"down"_s)->isChecked());
    QVERIFY(!entry(*page.menu(), u"All Parameters"_s)->isChecked());
    entry(*page.menu(), u"down"_s)->trigger();
    QVERIFY(d.settle());
    QVERIFY(d.controller().notCompiled() == nullptr);
}

void TestWindowWhatIf::withoutCollectivesThereIsNothingToTry() {
    WhatIf d;
    QVERIFY(d.openSample("mlp"));
    d.window.pages().opening(d.controller().communication())->trigger();
    QVERIFY(d.settle());
    QVERIFY(!d.find<QToolButton>("tryCollectives")->isVisible());
    QVERIFY(!d.controller().communication()->lanes()->isVisible());
    d.window.pages().opening(d.controller().panel())->trigger();
    QVERIFY(!d.find<QToolButton>("whatIfCollectives")->isVisible());
}
