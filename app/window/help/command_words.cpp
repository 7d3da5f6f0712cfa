#include "window/help/command_words.h"

#include <QHash>

namespace aotscope {

/// Terms of PyTorch, of other tools, and of newcomers.
QString commandWords(const QString& action) {
    static const QHash<QString, QString> words{
        {QStringLiteral("actionRun"), QStringLiteral("rebuild retrace recompile start refresh")},
        {QStringLiteral("actionCheck"), QStringLiteral("verify compare correctness accuracy allclose equal numerics")},
        {QStringLiteral("actionBisect"), QStringLiteral("minifier mismatch wrong accuracy debug bug")},
        {QStringLiteral("actionMinify"),
         QStringLiteral("reduce bisect repro smallest delta debugging minifier after_aot")},
        {QStringLiteral("actionTime"), QStringLiteral("profile benchmark measure speed slow slowest latency duration")},
        {QStringLiteral("actionTrain"), QStringLiteral("loss optimizer loop epochs sgd adam")},
        {QStringLiteral("actionDebug"), QStringLiteral("interpreter step values execute single")},
        {QStringLiteral("actionDebugNaN"), QStringLiteral("inf infinity overflow anomaly detect not finite")},
        {QStringLiteral("actionBreakpoints"), QStringLiteral("stop pause halt watch")},
        {QStringLiteral("actionHistory"), QStringLiteral("provenance origin evolution trace lineage passes")},
        {QStringLiteral("actionDifference"), QStringLiteral("diff compare changes before after pass")},
        {QStringLiteral("actionNextChange"), QStringLiteral("step edit rewrite diff")},
        {QStringLiteral("actionColourBlind"),
         QStringLiteral("accessibility daltonism red green protanopia deuteranopia tritanopia theme colors")},
        {QStringLiteral("actionContract"), QStringLiteral("inputs outputs guards runtime wrapper signature metadata")},
        {QStringLiteral("actionOpen"), QStringLiteral("load file model pt2 export torchscript log session")},
        {QStringLiteral("actionScratch"), QStringLiteral("script code type function playground editor torchscript")},
        {QStringLiteral("actionExport"), QStringLiteral("save picture svg png html dot image python repro")},
        {QStringLiteral("actionCopyGraphPython"), QStringLiteral("fx print_readable module repro code pytorch")},
        {QStringLiteral("actionReport"), QStringLiteral("json results save output")},
        {QStringLiteral("actionInputs"), QStringLiteral("shapes sizes batch arguments spec dynamic example")},
        {QStringLiteral("actionFind"), QStringLiteral("search query node operator filter")},
        {QStringLiteral("actionKeepRun"), QStringLiteral("baseline snapshot pin ab compare")},
        {QStringLiteral("actionBeside"), QStringLiteral("split side two compare")},
        {QStringLiteral("actionKeys"), QStringLiteral("shortcuts hotkeys bindings")},
        {QStringLiteral("actionManual"), QStringLiteral("help documentation docs guide")},
        {QStringLiteral("actionRecompute"), QStringLiteral("checkpoint rematerialize activation remat")},
        {QStringLiteral("actionSave"), QStringLiteral("keep store activation")},
        {QStringLiteral("actionApply"), QStringLiteral("accept use commit compile partition")},
        {QStringLiteral("actionBackToCompiled"), QStringLiteral("back revert discard undo as compiled")},
        {QStringLiteral("actionCopyPython"),
         QStringLiteral("pytorch partitioner plan torch.compile inductor export code")},
        {QStringLiteral("actionCopyInputsPython"),
         QStringLiteral("example spec code torch.randn dynamic shapes export")},
        {QStringLiteral("actionCopyDecompositionsPython"), QStringLiteral("table dict code run_decompositions aten")},
        {QStringLiteral("actionCopyCheckPython"), QStringLiteral("reproduce report bug code compare eager")},
        {QStringLiteral("actionCopyFindingPython"), QStringLiteral("minifier minimal repro reproduce nan bug code")},
        {QStringLiteral("actionSweep"), QStringLiteral("budget tradeoff memory curve front")},
        {QStringLiteral("show-memory"), QStringLiteral("peak activation live allocation footprint oom curve")},
        {QStringLiteral("show-pareto"), QStringLiteral("budget tradeoff activation checkpointing memory")},
        {QStringLiteral("show-variants"), QStringLiteral("alternatives partitions kept")},
        {QStringLiteral("show-decompositions"), QStringLiteral("core aten prims lowering rules expand")},
        {QStringLiteral("show-guardsTable"), QStringLiteral("recompile assumptions conditions cache")},
        {QStringLiteral("show-runtimeTable"), QStringLiteral("wrapper epilogue prologue calling convention")},
        {QStringLiteral("show-inputsTable"), QStringLiteral("primals parameters buffers arguments mutation")},
        {QStringLiteral("show-outputsTable"), QStringLiteral("returns aliases results")},
        {QStringLiteral("show-whatIfDock"), QStringLiteral("budget slider recompute save override checkpoint")},
        {QStringLiteral("show-valuesDock"), QStringLiteral("tensor data watch inspect print histogram")},
        {QStringLiteral("show-passesDock"), QStringLiteral("pipeline stages functionalization")},
        {QStringLiteral("perspective-memory"), QStringLiteral("saved recomputed activation what if peak")},
        {QStringLiteral("perspective-run"), QStringLiteral("check verify time profile train compare")},
        {QStringLiteral("perspective-debug"), QStringLiteral("values breakpoints step nan")},
        {QStringLiteral("perspective-passes"), QStringLiteral("changes functionalization history diff")}};
    return words.value(action);
}

}  // namespace aotscope
