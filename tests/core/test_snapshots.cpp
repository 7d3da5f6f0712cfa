// Snapshots of GPU memory: the training of tests/data/snapshots/make.py, whose every allocation is known.

#include "cost/snapshot/memory_story.h"
#include "io/tables/snapshot_tables.h"
#include "io/tables/table_text.h"
#include "load/snapshot/snapshot_reader.h"
#include "support/error.h"
#include "support/scratch.h"
#include "support/test_program.h"
#include "support/text.h"

#include <map>
#include <memory>

namespace aotscope::test::snapshots_test {
namespace {

constexpr std::int64_t MB = 1 << 20;
constexpr std::int64_t kWorkspace = 8'519'680, kLoss = 4;

using Sums = std::map<std::string, std::int64_t>;

std::shared_ptr<const MemorySnapshot> snapshotIn(const char* name) {
    return readMemorySnapshot(std::filesystem::path(AOTSCOPE_SOURCE_DIR "/tests/data/snapshots") / name, {});
}

MemoryStory storyOf(const char* name, std::optional<MemoryMoment> moment = {}) {
    return tellMemory(snapshotIn(name), 0, moment);
}

Sums categoriesOf(const MemoryStory& story) {
    Sums sums;
    for (const HeldMemory& held : story.held) sums[std::string(name(held.category))] += held.allocation.size;
    return sums;
}

QString textOf(const Sums& sums) {
    QStringList texts;
    for (const auto& [category, bytes] : sums) texts << q(category) + u' ' + QString::number(bytes);
    return texts.join(u", "_s);
}

/// With these parts besides parameters.
Sums withParameters(Sums sums) {
    sums["parameter"] = 12 * MB;
    return sums;
}

Sums peakOfAStep() {
    return withParameters({{"optimizer state", 24 * MB},
                           {"activation", 36 * MB},
                           {"temporary", 6 * MB},
                           {"workspace", kWorkspace},
                           {"unknown", kLoss}});
}

MemoryEvent eventOf(MemoryAction action, std::uint64_t address, std::int64_t size) {
    MemoryEvent event;
    event.action = action;
    event.address = address;
    event.size = size;
    return event;
}

/// A history without frames, and what the allocator holds at its end.
std::shared_ptr<MemorySnapshot> madeOf(std::vector<MemoryEvent> events, std::vector<SnapshotSegment> segments) {
    auto snapshot = std::make_shared<MemorySnapshot>();
    snapshot->texts = {""};
    snapshot->stacks = {0, 0};
    snapshot->streams = {0};
    snapshot->traces = {{0, events.size()}};
    snapshot->events = std::move(events);
    snapshot->segments = std::move(segments);
    return snapshot;
}

}  // namespace

class TestSnapshots : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void peaks() {
        for (const char* name : {"training.pickle", "ring.pickle"}) {
            const MemoryStory story = storyOf(name);
            QCOMPARE(story.moment, MemoryMoment::peak);
            QCOMPARE(textOf(categoriesOf(story)), textOf(peakOfAStep()));
            QCOMPARE(story.allocated(), 78 * MB + kWorkspace + kLoss);
            QCOMPARE(story.reserved(), 5 * 20 * MB + 2 * MB);
            QCOMPARE(story.largestFree, 4 * MB);
        }
    }
    /// Stacks without C++ frames: those of autograd's threads are empty.
    void pythonStacks() {
        Sums expected = peakOfAStep();
        expected.erase("workspace");
        QCOMPARE(textOf(categoriesOf(storyOf("python_stacks.pickle"))), textOf(expected));
    }
    void gradientsAreWhatTheBackwardLeaves() {
        for (const char* name : {"training.pickle", "python_stacks.pickle"}) {
            auto story = storyOf(name);
            std::int64_t gradients = 0;
            const MemoryCategories categories(*story.snapshot, story.replay, story.stacks, story.phases, false);
            for (const Allocation& each : story.replay.allocations)
                if (categories.of(each) == MemoryCategory::gradient) gradients += each.size;
            QCOMPARE(gradients, 6 * 12 * MB);
        }
    }
    void outOfMemory() {
        const MemoryStory story = storyOf("out_of_memory.pickle");
        QVERIFY(story.failure());
        QCOMPARE(story.failure()->size, 30 * MB);
        QCOMPARE(textOf(categoriesOf(story)),
                 textOf(withParameters({{"optimizer state", 24 * MB}, {"workspace", kWorkspace}})));
        QCOMPARE(story.largestFree, 20 * MB);
        const QString text = q(memoryMomentText(story));
        QVERIFY2(text.startsWith(u"device 0: out of memory: 31.5 MB were requested"_s), qPrintable(text));
        QVERIFY2(text.contains(u"but not in one piece (fragmentation)"_s), qPrintable(text));
        QVERIFY2(text.contains(u"\nallocator settings: max_split_size_mb:64\n"_s), qPrintable(text));
        QVERIFY2(errorOf([] { storyOf("training.pickle", MemoryMoment::oom); }).contains(u"did not run out"_s), "");
    }
    /// Where the first backward fails, no step has shown yet what is freed when.
    void outOfMemoryInTheFirstStep() {
        auto cut = std::make_shared<MemorySnapshot>(*snapshotIn("training.pickle"));
        const auto stacks = stackEvidence(*cut);
        const auto first = std::ranges::find_if(cut->events, [&](const MemoryEvent& event) {
            return event.action == MemoryAction::alloc && stacks[event.stack].phase == MemoryPhase::backward;
        });
        first->action = MemoryAction::outOfMemory;
        cut->traces[0].end = static_cast<std::size_t>(first - cut->events.begin()) + 1;
        cut->segments.clear();
        const MemoryStory story = tellMemory(cut, 0);
        QVERIFY(story.failure());
        QCOMPARE(textOf(categoriesOf(story)),
                 textOf(withParameters({{"activation", 36 * MB}, {"workspace", kWorkspace}, {"unknown", kLoss}})));
    }
    void leaks() {
        const MemoryStory story = storyOf("leaking.pickle", MemoryMoment::end);
        QCOMPARE(story.leaks.size(), std::size_t{1});
        QCOMPARE(story.leaks[0].bytes, 8 * MB);
        QCOMPARE(story.leaks[0].steps, std::size_t{4});
        const SnapshotFrame& frame = story.snapshot->frames[story.leaks[0].line];
        QCOMPARE(story.snapshot->texts[frame.file], "/home/me/train.py");
        QCOMPARE(frame.line, 50);
        QVERIFY(storyOf("training.pickle").leaks.empty());
    }
    void withoutHistory() {
        for (const char* name : {"without_history.pickle", "segments.pickle"}) {
            const MemoryStory story = storyOf(name);
            QVERIFY(!story.hasHistory());
            QCOMPARE(textOf(categoriesOf(story)),
                     textOf(withParameters(
                         {{"optimizer state", 24 * MB}, {"workspace", kWorkspace}, {"unknown", 12 * MB}})));
            QVERIFY(memoryMomentText(story).find("_record_memory_history()") != std::string::npos);
        }
    }
    void linesAreThoseOutsideOfPyTorch() {
        const Table lines = memoryLineTable(storyOf("training.pickle"));
        const auto place = [&](std::size_t row) { return q(std::get<std::string>(lines.rows.at(row).cells[1].value)); };
        QCOMPARE(place(0), u"me/train.py:45 in train_step"_s);
        QCOMPARE(place(1), u"me/model.py:31 in forward"_s);
        QCOMPARE(place(2), u"me/model.py:32 in forward"_s);
    }
    /// What _dump_snapshot(augment_with_fx_traces=True) adds.
    void nodesOfGeneratedCode() {
        auto snapshot = madeOf({eventOf(MemoryAction::alloc, 512, 100)}, {});
        snapshot->texts = {"", "<eval_with_key>.1", "forward", "relu_1"};
        snapshot->frames = {{1, 2, 7, 3}};
        snapshot->stacks = {0, 0, 1};
        snapshot->stackFrames = {0};
        snapshot->events[0].stack = 1;
        const Table lines = memoryLineTable(tellMemory(snapshot, 0));
        QCOMPARE(std::get<std::string>(lines.rows.at(0).cells[1].value), "<eval_with_key>.1:7 in forward, node relu_1");
    }
    void changes() {
        const Table changes = memoryChangeTable(storyOf("training.pickle", MemoryMoment::end),
                                                storyOf("leaking.pickle", MemoryMoment::end));
        QCOMPARE(changes.rows.size(), std::size_t{1});
        QCOMPARE(std::get<std::int64_t>(changes.rows[0].cells.back().value), 12 * MB);
        QVERIFY(memoryChangeTable(storyOf("ring.pickle"), storyOf("training.pickle")).rows.empty());
        QVERIFY(memoryChangeTable(storyOf("training.pickle"), storyOf("training.pickle")).rows.empty());
    }

    /// Wherever the ring buffer has cut off the history, the rest of the curve is the same.
    void historiesWithoutABeginning() {
        const auto whole = snapshotIn("leaking.pickle");
        const MemoryReplay all = replayMemory(*whole, 0);
        for (MemoryPosition cut = 1; cut < all.end(); ++cut) {
            MemorySnapshot rest = *whole;
            rest.traces[0].begin += cut;
            const MemoryReplay replay = replayMemory(rest, 0);
            for (MemoryPosition i = 0; i <= replay.end(); ++i) {
                // A block whose "free_requested" is the last event before the cut is freed by the first event after it.
                QCOMPARE(replay.allocated[i], all.allocated[i + cut]);
                QCOMPARE(replay.reserved[i], all.reserved[i + cut]);
            }
        }
    }
    /// Segments that grow and shrink: what is mapped at the time counts.
    void expandableSegments() {
        using Action = MemoryAction;
        SnapshotSegment segment{0x1000'0000, 4 * MB, 0, 0, true, {}};
        segment.blocks = {{0x1000'0000, MB, MB, 0, 0, BlockState::allocated}, {0x1010'0000, 3 * MB, 0, 0, 0}};
        const auto snapshot = madeOf(
            {eventOf(Action::segmentMap, 0x1000'0000, 2 * MB), eventOf(Action::alloc, 0x1000'0000, MB),
             eventOf(Action::segmentMap, 0x1020'0000, 4 * MB), eventOf(Action::segmentUnmap, 0x1040'0000, 2 * MB)},
            {segment});
        const MemoryReplay replay = replayMemory(*snapshot, 0);
        const std::vector<std::int64_t> reserved = {0, 2 * MB, 2 * MB, 6 * MB, 4 * MB}, free = {0, 2, 1, 5, 3};
        QCOMPARE(replay.reserved, reserved);
        for (MemoryPosition i = 0; i <= replay.end(); ++i)
            QCOMPARE(largestFreeBlock(*snapshot, 0, replay, i, 0), free[i] * MB);
    }
    void metadataDecides() {
        auto snapshot = madeOf({eventOf(MemoryAction::alloc, 512, 100)}, {});
        snapshot->texts = {"", "optimizer_state"};
        snapshot->events[0].metadata = 1;
        QCOMPARE(tellMemory(snapshot, 0).held.at(0).category, MemoryCategory::optimizerState);
    }
    void longCurvesKeepTheirPeaks() {
        std::vector<MemoryEvent> events;
        for (std::uint64_t i = 0; i < 30'000; ++i)
            events.push_back(eventOf(i % 2 == 0 ? MemoryAction::alloc : MemoryAction::freeCompleted, 512,
                                     i / 2 == 7'777 ? 3 * MB : MB));
        const MemoryStory story = tellMemory(madeOf(std::move(events), {}), 0);
        const Table curve = memoryCurveTable(story);
        QVERIFY(curve.rows.size() <= 10'000);
        std::int64_t highest = 0;
        for (const Table::Row& row : curve.rows)
            highest = std::max(highest, std::get<std::int64_t>(row.cells[2].value));
        QCOMPARE(highest, 3 * MB);
    }

    void foreignFiles_data() {
        const auto row = columns<QByteArray, QString>("content", "sentence");
        row("a text", "segments", u"is not a memory snapshot: expected the pickle that torch.cuda.memory."_s);
        row("another dict", "\x80\x04}.", u"is not a memory snapshot: expected a dict with 'segments'"_s);
        row("an object",
            "\x80\x02"
            "ctorch._utils\n_rebuild_tensor_v2\n.",
            u"is not a memory snapshot: it makes a Python object, 'torch._utils._rebuild_tensor_v2'"_s);
        row("cut off", "\x80\x04}(X", u"is cut off"_s);
        row("a negative size",
            "\x80\x04}(X\x06" + QByteArray(3, '\0') + "actionX\x05" + QByteArray(3, '\0') + "allocX\x04" +
                QByteArray(3, '\0') + "sizeJ\xff\xff\xff\xffu.",
            u"has sizes that no device has: a 'size' of -1"_s);
    }
    void foreignFiles() {
        QFETCH(QByteArray, content);
        QFETCH(QString, sentence);
        const Scratch scratch;
        const QString path = scratch.write(u"x.pickle"_s, content);
        const QString error = errorOf([&] { readMemorySnapshot(std::filesystem::path(path.toStdString()), {}); });
        QVERIFY2(error.startsWith(u"'%1' %2"_s.arg(path, sentence)), qPrintable(error));
    }
    void isRecognized() {
        for (const char* name : {"training.pickle", "python_stacks.pickle", "ring.pickle"}) {
            const QByteArray content =
                contentOf(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/snapshots/") + QLatin1String(name));
            QVERIFY(looksLikeMemorySnapshot({content.constData(), 64}));
        }
    }
};

AOTSCOPE_TEST(TestSnapshots)

}  // namespace aotscope::test::snapshots_test

#include "test_snapshots.moc"
