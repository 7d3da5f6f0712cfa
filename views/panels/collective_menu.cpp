#include "panels/collective_menu.h"

#include "models/words/to_qstring.h"
#include "ops/collectives.h"

#include <algorithm>

namespace aotscope {

namespace {

/// If a menu would be too long, parameters are regathered all at once, or by name on the page of communication.
constexpr std::size_t kMostEntries = 40;

/// `options` with the all-gathers of these parameters repeated in the backward, or, if not `again`, left to the
/// partitioner.
PartitionOptions withReshard(PartitionOptions options, const std::vector<Unshard>& unshards, bool again) {
    for (const Unshard& unshard : unshards)
        for (const NodeId id : unshard.chain()) {
            options.cut.mustRecompute.erase(id);
            if (!again) continue;
            options.cut.mustSave.erase(id);
            options.cut.mustRecompute.insert(id);
        }
    return options;
}

bool isResharded(const PartitionOptions& options, const Unshard& unshard) {
    return options.cut.mustRecompute.contains(unshard.gather) && options.cut.mustRecompute.contains(unshard.wait);
}

}  // namespace

CollectiveMenu::CollectiveMenu(QWidget* parent) : QMenu(tr("Collectives"), parent) { setToolTipsVisible(true); }

void CollectiveMenu::offer(const PartitionOptions& options, const Graph* joint) {
    options_ = options;
    // Deferred: one of them may have requested this.
    for (QAction* action : actions()) {
        removeAction(action);
        if (!action->menu()) action->deleteLater();
    }
    for (QMenu* menu : findChildren<QMenu*>(Qt::FindDirectChildrenOnly)) menu->deleteLater();
    const auto isCall = [](const Node* node) { return collectiveOf(*node).has_value(); };
    communicates_ = joint && std::ranges::any_of(joint->nodes(), isCall);
    unshards_ = communicates_ ? unshardsOf(*joint) : std::vector<Unshard>();
    if (!communicates_) return;
    addMoves();
    addBuckets();
    addUnshards();
}

void CollectiveMenu::addChoice(QMenu* menu, const Choice& choice) {
    QAction* action = menu->addAction(choice.text);
    action->setObjectName(QLatin1String(choice.name));
    action->setCheckable(true);
    action->setChecked(choice.checked);
    action->setToolTip(choice.tip);
    connect(action, &QAction::triggered, this,
            [this, next = choice.next, what = choice.what] { Q_EMIT changed(next, what, false); });
}

void CollectiveMenu::addMoves() {
    PartitionOptions early = options_, late = options_, all = options_;
    early.moves.issueEarly = !options_.moves.issueEarly;
    late.moves.waitLate = !options_.moves.waitLate;
    const bool both = options_.moves.issueEarly && options_.moves.waitLate;
    all.moves.issueEarly = all.moves.waitLate = !both;
    addChoice(this, {"collectivesEarly", tr("Issue Early"), options_.moves.issueEarly,
                     tr("As soon as operands are there, as far as the peak of memory stays what it is"),
                     tr("issue collectives early"), early});
    addChoice(this,
              {"collectivesLate", tr("Wait Late"), options_.moves.waitLate,
               tr("Directly before the first operation that needs the result"), tr("wait for collectives late"), late});
    addChoice(this, {"collectivesBoth", tr("Issue Early and Wait Late"), both, tr("Both of these"),
                     tr("issue collectives early and wait late"), all});
}

void CollectiveMenu::addBuckets() {
    QMenu* menu = addMenu(tr("Bucket"));
    menu->setObjectName(QStringLiteral("collectivesBucket"));
    menu->setToolTipsVisible(true);
    for (const char* size : {"", "1MB", "5MB", "25MB", "100MB"}) {
        PartitionOptions next = options_;
        next.moves.bucket = size;
        const QString shown = QString::fromLatin1(size).replace(QStringLiteral("MB"), QStringLiteral(" MB"));
        addChoice(menu, {*size ? size : "none", *size ? tr("Up to %1").arg(shown) : tr("None"),
                         options_.moves.bucket == size, tr("Merges collectives of the same kind, group and dtype"),
                         *size ? tr("buckets of %1").arg(shown) : tr("no buckets"), next});
    }
}

void CollectiveMenu::addUnshards() {
    if (unshards_.empty()) return;
    QMenu* menu = addMenu(tr("Reshard After Forward"));
    menu->setObjectName(QStringLiteral("collectivesReshard"));
    menu->setToolTipsVisible(true);
    const bool all = std::ranges::all_of(unshards_, [&](const Unshard& u) { return isResharded(options_, u); });
    const QString tip = tr("Gathers it again in the backward instead of saving the result");
    addChoice(menu,
              {"reshardAll", tr("All Parameters"), all, tip,
               all ? tr("reshard nothing") : tr("reshard all after forward"), withReshard(options_, unshards_, !all)});
    menu->addSeparator();
    for (std::size_t i = 0; i < std::min(unshards_.size(), kMostEntries); ++i) {
        const Unshard& unshard = unshards_[i];
        const bool again = isResharded(options_, unshard);
        const QString name = toQString(unshard.parameter);
        addChoice(menu, {"reshardOne", name, again, tip,
                         again ? tr("leave %1 to the partitioner").arg(name) : tr("reshard %1 after forward").arg(name),
                         withReshard(options_, {unshard}, !again)});
    }
    if (unshards_.size() > kMostEntries)
        menu->addAction(tr("and %1 more").arg(unshards_.size() - kMostEntries))->setEnabled(false);
}

}  // namespace aotscope
