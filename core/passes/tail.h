#pragma once

#include "cost/runtime_model.h"
#include "partition/joint_to_split.h"
#include "record/compile_record.h"
#include "support/progress.h"

namespace aotscope {

/// The state of the last passes, which need a graph but no program: the pipeline, printed graphs and saved sessions all
/// end with them.
struct Tail {
    CompileRecord& record;
    const PartitionOptions& partition;
    RuntimeModel model;                            ///< operation times, for estimators that need them
    PlanSource plans;                              ///< for partition functions
    std::shared_ptr<const Graph> graph = nullptr;  ///< the current graph
    GraphKind kind = GraphKind::joint;             ///< of `graph`: joint or inference
    Progress progress = {};
};

struct TailPass {
    PassId id;
    const char* help;
    bool (*applies)(const Tail&);
    void (*run)(Tail&, PassRecord&);
};

namespace tail {
bool always(const Tail& tail);
bool mayMerge(const Tail& tail);
bool hasBackward(const Tail& tail);
void removeDeadCode(Tail& tail, PassRecord& pass);
void mergeCommonSubexpressions(Tail& tail, PassRecord& pass);
bool dropsCopies(const Tail& tail);
void dropCopies(Tail& tail, PassRecord& pass);
/// Throws UnboundedCut, and Error for impossible overrides.
void partition(Tail& tail, PassRecord& pass);
bool ordersOperations(const Tail& tail);
void orderOperations(Tail& tail, PassRecord& pass);
bool movesCollectives(const Tail& tail);
void moveCollectives(Tail& tail, PassRecord& pass);
}  // namespace tail

inline constexpr TailPass kDeadCode = {
    PassId::deadCode, "remove operations whose results nothing uses, and arguments that no kernel reads", tail::always,
    tail::removeDeadCode};
inline constexpr TailPass kCommonSubexpressions = {PassId::commonSubexpressions,
                                                   "merge operations that compute the same", tail::mayMerge,
                                                   tail::mergeCommonSubexpressions};
inline constexpr TailPass kDropCopies = {PassId::dropCopies, "drop copies that nobody writes into", tail::dropsCopies,
                                         tail::dropCopies};
inline constexpr TailPass kPartition = {PassId::partition,
                                        "split into forward and backward: what to save, what to recompute",
                                        tail::hasBackward, tail::partition};

inline constexpr TailPass kOrder = {PassId::order, "move operations such that the predicted peak of memory is lower",
                                    tail::ordersOperations, tail::orderOperations};

inline constexpr TailPass kCollectives = {PassId::collectives,
                                          "bucket collectives, issue them earlier, wait for them later",
                                          tail::movesCollectives, tail::moveCollectives};

/// Runs the tail's passes that apply and are not in the record yet, in order.
void runTail(Tail& tail, bool verify);
/// Only those before the partitioner.
void prepareSplit(Tail& tail, bool verify);
/// The input of the partitioner, after the preceding passes have run.
JointToSplit jointIn(const Tail& tail);

/// Adds a graph made by `pass` to it and to the record.
void keepGraph(CompileRecord& record, PassRecord& pass, GraphKind kind, std::shared_ptr<const Graph> graph);

/// Appends the finished `pass` to the record: counts operations, and records the time. With `verify`, throws
/// std::logic_error if a graph is not sound.
void addPass(CompileRecord& record, PassRecord pass, bool verify);

}  // namespace aotscope
