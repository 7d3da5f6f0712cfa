#include "window/help/command_words.h"

#include <utility>

namespace aotscope {

namespace {

/// Terms of PyTorch, of other tools, and of newcomers.
constexpr std::pair<const char*, const char*> kWords[] = {
    {"actionRun", "rebuild retrace recompile start refresh"},
    {"actionCheck", "verify compare correctness accuracy allclose equal numerics"},
    {"actionBisect", "minifier mismatch wrong accuracy debug bug"},
    {"actionMinify", "reduce bisect repro smallest delta debugging minifier after_aot"},
    {"actionTime", "profile benchmark measure speed slow slowest latency duration"},
    {"actionTrain", "loss optimizer loop epochs sgd adam"},
    {"actionDebug", "interpreter step values execute single"},
    {"actionDebugNaN", "inf infinity overflow anomaly detect not finite"},
    {"actionBreakpoints", "stop pause halt watch"},
    {"actionHistory", "provenance origin evolution trace lineage passes"},
    {"actionDifference", "diff compare changes before after pass"},
    {"actionNextChange", "step edit rewrite diff"},
    {"actionPreferences", "settings configuration options setup customize defaults"},
    {"actionLargerText", "bigger zoom scale accessibility enlarge"},
    {"actionSmallerText", "zoom scale reduce"},
    {"preference-textSize", "font size bigger larger smaller zoom scale dpi accessibility"},
    {"preference-appearance", "theme dark light mode night"},
    {"preference-colourBlind", "accessibility daltonism red green protanopia deuteranopia tritanopia theme colors"},
    {"preference-reload", "watch file automatic recompile"},
    {"preference-modelOptions", "defaults compiler default options"},
    {"actionProfile", "torch profiler kineto chrome trace kernels gpu time overlay"},
    {"actionFit", "batch size optimizer adam gpu h100 out of memory oom training step largest"},
    {"actionContract", "inputs outputs guards runtime wrapper signature metadata"},
    {"actionOpen", "load file model pt2 export torchscript log session"},
    {"actionScratch", "script code type function playground editor torchscript"},
    {"actionExport", "save picture svg png html dot image python repro"},
    {"actionCopyGraphPython", "fx print_readable module repro code pytorch"},
    {"actionReport", "json results save output"},
    {"actionInputs", "shapes sizes batch arguments spec dynamic example"},
    {"actionFind", "search query node operator filter"},
    {"actionKeepRun", "baseline snapshot pin ab compare"},
    {"actionBeside", "split side two compare"},
    {"actionKeys", "shortcuts hotkeys bindings"},
    {"actionManual", "help documentation docs guide"},
    {"actionRecompute", "checkpoint rematerialize activation remat"},
    {"actionSave", "keep store activation"},
    {"actionApply", "accept use commit compile partition"},
    {"actionBackToCompiled", "back revert discard undo as compiled"},
    {"actionCopyPython", "pytorch partitioner plan torch.compile inductor export code"},
    {"actionCopyInputsPython", "example spec code torch.randn dynamic shapes export"},
    {"actionCopyDecompositionsPython", "table dict code run_decompositions aten"},
    {"actionCopyCheckPython", "reproduce report bug code compare eager"},
    {"actionCopyFindingPython", "minifier minimal repro reproduce nan bug code"},
    {"actionSweep", "budget tradeoff memory curve front"},
    {"show-memory", "peak activation live allocation footprint oom curve"},
    {"show-pareto", "budget tradeoff activation checkpointing memory"},
    {"show-variants", "alternatives partitions kept"},
    {"show-decompositions", "core aten prims lowering rules expand"},
    {"show-guardsTable", "recompile assumptions conditions cache"},
    {"show-runtimeTable", "wrapper epilogue prologue calling convention"},
    {"show-inputsTable", "primals parameters buffers arguments mutation"},
    {"show-outputsTable", "returns aliases results"},
    {"show-whatIfDock", "budget slider recompute save override checkpoint"},
    {"show-valuesDock", "tensor data watch inspect print histogram"},
    {"show-passesDock", "pipeline stages functionalization"},
    {"perspective-memory", "saved recomputed activation what if peak"},
    {"perspective-run", "check verify time profile train compare"},
    {"perspective-debug", "values breakpoints step nan"},
    {"perspective-passes", "changes functionalization history diff"}};

}  // namespace

QString commandWords(const QString& action) {
    for (const auto& [name, words] : kWords)
        if (action == QLatin1String(name)) return QLatin1String(words);
    return {};
}

}  // namespace aotscope
