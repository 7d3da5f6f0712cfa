// One arena for all memory: the places are valid, and as small as they can be where that is known.

#include "cost/live_memory.h"
#include "cost/placement/placement.h"
#include "ir/parser.h"
#include "support/test_program.h"
#include "support/text.h"

#include <random>

namespace aotscope::test::placement_test {
namespace {

/// Why the placement is not valid; empty if it is.
QString fault(const std::vector<ArenaBlock>& blocks, const Placement& placement) {
    if (placement.offsets.size() != blocks.size()) return u"not every block has a place"_s;
    if (placement.arenaBytes < placement.boundBytes) return u"smaller than possible"_s;
    if (placement.boundBytes < placement.peakBytes) return u"the bound is below the peak"_s;
    for (std::size_t a = 0; a < blocks.size(); ++a) {
        const std::int64_t offset = placement.offsets[a], end = offset + blocks[a].bytes;
        if (offset < 0 || end > placement.arenaBytes) return u"outside of the arena"_s;
        if (offset % Placement::kAlignment != 0) return u"not aligned"_s;
        for (std::size_t b = 0; b < a; ++b)
            if (blocks[a].meets(blocks[b]) && offset < placement.offsets[b] + blocks[b].bytes &&
                placement.offsets[b] < end)
                return u"blocks %1 and %2 overlap"_s.arg(a).arg(b);
    }
    return {};
}

/// Blocks that fill a rectangle of this size and time without gaps: what is cut apart at random.
void addPieces(std::mt19937& random, std::size_t first, std::size_t last, std::int64_t units, int cuts,
               std::vector<ArenaBlock>& blocks) {
    const auto from = [&](auto least, auto most) {
        return std::uniform_int_distribution<std::int64_t>(static_cast<std::int64_t>(least),
                                                           static_cast<std::int64_t>(most))(random);
    };
    const bool inTime = from(0, 1) == 0;
    if (cuts == 0 || (inTime ? first == last : units == 1)) {
        blocks.push_back({first, last, units * Placement::kAlignment});
    } else if (inTime) {
        const auto middle = static_cast<std::size_t>(from(first, last - 1));
        addPieces(random, first, middle, units, cuts - 1, blocks);
        addPieces(random, middle + 1, last, units, cuts - 1, blocks);
    } else {
        const std::int64_t part = from(1, units - 1);
        addPieces(random, first, last, part, cuts - 1, blocks);
        addPieces(random, first, last, units - part, cuts - 1, blocks);
    }
}

}  // namespace

class TestPlacement : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingNeedsNoArena() {
        const Placement placement = placeBlocks({});
        QCOMPARE(placement.arenaBytes, 0);
        QCOMPARE(placement.fragmentation(), 1.0);
        QCOMPARE(arenaText(placement), std::string());
        QCOMPARE(placeBlocks(std::vector<ArenaBlock>{{0, 3, 0}}).arenaBytes, 0);
    }

    /// First fit leaves a hole here, by size, by lifetime and by begin; there is an arena of 12 units (MiniMalloc's
    /// example).
    void knownOptimum() {
        constexpr std::int64_t unit = 4 * Placement::kAlignment;
        const std::vector<ArenaBlock> blocks{{0, 2, unit}, {3, 8, unit}, {0, 8, unit}, {9, 20, unit}, {0, 20, unit}};
        const Placement placement = placeBlocks(blocks);
        QCOMPARE(fault(blocks, placement), QString());
        QCOMPARE(placement.arenaBytes, 3 * unit);
        QVERIFY(placement.isSmallest());
    }

    /// Where the bound cannot be reached, the search says so, and the next best is found.
    void boundThatNobodyReaches() {
        constexpr std::int64_t unit = Placement::kAlignment;
        // Never more than four units at once, but five are needed, whatever the places.
        const std::vector<ArenaBlock> blocks{{0, 3, unit}, {4, 6, 2 * unit}, {0, 1, 2 * unit}, {2, 5, 2 * unit},
                                             {0, 0, unit}, {1, 4, unit},     {6, 6, 2 * unit}, {3, 3, 0}};
        const Placement placement = placeBlocks(blocks);
        QCOMPARE(fault(blocks, placement), QString());
        QVERIFY(placement.arenaBytes <= placement.boundBytes + unit);
    }

    /// What was cut out of a rectangle fits into it again; nearly always, that is found.
    void cutRectangles() {
        std::mt19937 random(3);
        int smallest = 0;
        for (int i = 0; i < 40; ++i) {
            std::vector<ArenaBlock> blocks;
            addPieces(random, 0, 30, 64, 3 + i % 4, blocks);
            std::ranges::shuffle(blocks, random);
            const Placement placement = placeBlocks(blocks);
            QCOMPARE(fault(blocks, placement), QString());
            QCOMPARE(placement.boundBytes, 64 * Placement::kAlignment);
            smallest += placement.isSmallest();
        }
        QVERIFY2(smallest >= 36, qPrintable(QString::number(smallest)));
    }

    /// The same blocks get the same places, with little effort and with more, which never needs more memory.
    void randomBlocks() {
        std::mt19937 random(4);
        for (int i = 0; i < 20; ++i) {
            std::vector<ArenaBlock> blocks;
            for (int n = 5 + 9 * i; n > 0; --n) {
                const std::size_t first = random() % 60, length = random() % (1 + random() % 40);
                blocks.push_back({first, first + length, static_cast<std::int64_t>(random() % 5000)});
            }
            for (const std::int64_t effort : {std::int64_t{0}, std::int64_t{100'000}, std::int64_t{3'000'000}}) {
                const Placement placement = placeBlocks(blocks, effort);
                QCOMPARE(fault(blocks, placement), QString());
                QCOMPARE(placeBlocks(blocks, effort).offsets, placement.offsets);
                QVERIFY(placement.arenaBytes <= placeBlocks(blocks, 0).arenaBytes);
            }
        }
    }

    /// What the caller provides is in memory of its own.
    void memoryOfTheCaller() {
        const LiveMemory memory = liveMemory(*parseGraph(R"g(graph inference
  %x : f32[64]<0, 0, 256> = placeholder(input)
  %a : f32[64]<1, 0, 256> = aten.cumsum.default(%x, 0)
  %b : f32[64]<2, 0, 256> = aten.cumsum.default(%a, 0)
  %c : f32[64]<3, 0, 256> = aten.cumsum.default(%b, 0)
  return [%c : output]
)g"),
                                             FunctionMetadata());
        const Placement placement = placementOf(memory);
        QCOMPARE(placement.peakBytes, memory.peakBytes);
        QCOMPARE(placement.arenaBytes, 512);
        QCOMPARE(arenaText(placement), "in one arena 512 B, 1.00 × the peak");
    }
};

AOTSCOPE_TEST(TestPlacement)

}  // namespace aotscope::test::placement_test

#include "test_placement.moc"
