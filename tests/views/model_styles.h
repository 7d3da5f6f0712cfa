#pragma once

#include "views/joint_text.h"
#include "views/more_model_styles.h"

#include <utility>

namespace aotscope::test {

/// A solver of differential equations, unrolled: a module that is called in every stage, and sums outside of it.
inline std::string solverText(int steps) {
    JointText g;
    int y = g.input("y");
    const int time = g.input("t");
    for (int step = 0; step < steps; ++step) {
        std::vector<int> slopes;
        const int length = g.chain({"select", "sub", "div"}, time);
        for (int stage = 0; stage < 4; ++stage) {
            const int at = stage == 0 ? y : g.op("add", {y, g.op("mul", {length, slopes.back()})});
            slopes.push_back(g.linear("field", at));
        }
        y = g.op("add", {y, g.op("mul", {length, g.sum(slopes)})});
    }
    return g.joint(g.chain({"sub", "mean"}, y));
}

/// A recurrent network without modules, unrolled.
inline std::string recurrentText(int steps) {
    JointText g;
    const int x = g.input("x");
    int hidden = g.input("hidden"), cell = g.input("cell");
    for (int step = 0; step < steps; ++step) {
        const int gates = g.op("add", {g.chain({"select", "mm"}, x), g.chain({"mm"}, hidden)});
        const int in = g.chain({"slice", "sigmoid"}, gates), forget = g.chain({"slice", "sigmoid"}, gates),
                  out = g.chain({"slice", "sigmoid"}, gates), fresh = g.chain({"slice", "tanh"}, gates);
        cell = g.op("add", {g.op("mul", {forget, cell}), g.op("mul", {in, fresh})});
        hidden = g.op("mul", {out, g.chain({"tanh"}, cell)});
    }
    return g.joint(hidden);
}

/// Parallel towers of modules, each with an input of its own.
inline std::string towersText(int towers) {
    JointText g;
    std::vector<int> inputs, ends;
    for (int i = 0; i < towers; ++i) inputs.push_back(g.input("x" + std::to_string(i)));
    for (int i = 0; i < towers; ++i) {
        const std::string name = "tower" + std::to_string(i);
        int value = inputs[static_cast<std::size_t>(i)];
        for (int layer = 0; layer < 3; ++layer) value = g.linear(name + '.' + std::to_string(layer), value);
        ends.push_back(g.chain({"mul", "norm"}, value));
    }
    return g.joint(g.linear("head", g.sum(ends)));
}

/// A small model, and losses outside of modules.
inline std::string lossesText(int losses) {
    JointText g;
    const int x = g.input("x"), y = g.input("y");
    const int value = g.linear("net.1", g.linear("net.0", x));
    std::vector<int> all;
    for (int i = 0; i < losses; ++i) {
        const int weight = g.chain({"exp", "clamp"}, y);
        all.push_back(g.chain({"abs", "log", "mean"}, g.op("mul", {weight, g.op("sub", {value, y})})));
    }
    return g.joint(g.sum(all));
}

/// No modules at all: blocks with attention and a residual connection.
inline std::string functionText(int blocks) {
    JointText g;
    int x = g.input("x");
    const int mask = g.input("mask");
    for (int i = 0; i < blocks; ++i) {
        const int q = g.chain({"mm", "view", "transpose"}, x), k = g.chain({"mm", "view", "transpose"}, x),
                  v = g.chain({"mm", "view", "transpose"}, x);
        const int weights = g.chain({"softmax"}, g.op("add", {g.op("bmm", {q, k}), mask}));
        x = g.op("add", {x, g.chain({"transpose", "view", "mm"}, g.op("bmm", {weights, v}))});
    }
    return g.joint(g.chain({"mean"}, x));
}

/// A chain of operations without modules.
inline std::string longChainText(int length) {
    JointText g;
    int x = g.input("x");
    for (int i = 0; i < length; ++i) x = g.chain({i % 2 == 0 ? "mul" : "sin"}, x);
    return g.joint(x);
}

/// An optimizer's step beside the model: for every parameter its moments and its new value, all of them returned.
inline std::string optimizerText(int parameters) {
    JointText g;
    std::vector<int> states, updates;
    const int x = g.input("x");
    for (int i = 0; i < parameters; ++i) states.push_back(g.input("moment" + std::to_string(i)));
    int value = x;
    for (int i = 0; i < parameters; ++i) {
        value = g.linear("layers." + std::to_string(i), value);
        const int moment = g.chain({"mul", "lerp"}, states[static_cast<std::size_t>(i)]);
        updates.push_back(g.op("addcdiv", {moment, g.chain({"sqrt", "add"}, moment)}));
    }
    return g.joint(g.chain({"mean"}, value), updates);
}

/// Many inputs, each of which is embedded outside of modules.
inline std::string manyInputsText(int inputs) {
    JointText g;
    std::vector<int> given, embedded;
    for (int i = 0; i < inputs; ++i) given.push_back(g.input("feature" + std::to_string(i)));
    for (const int input : given) embedded.push_back(g.chain({"embedding", "mul"}, input));
    return g.joint(g.linear("top.1", g.linear("top.0", g.op("cat", embedded))));
}

/// Everything in one module.
inline std::string oneModuleText(int operations) {
    JointText g;
    int x = g.input("x");
    std::vector<int> values{x};
    for (int i = 0; i < operations; ++i) {
        const int other = values[values.size() > 5 ? values.size() - 5 : 0];
        x = i % 3 == 0 ? g.op("add", {x, other}, "net") : g.op("mul", {x}, "net");
        values.push_back(x);
    }
    return g.joint(x);
}

/// Layers that are only run forward.
inline std::string inferenceText(int layers) {
    JointText g;
    int x = g.input("x");
    const int positions = g.input("positions");
    x = g.op("add", {x, g.chain({"arange", "embedding"}, positions)});
    for (int i = 0; i < layers; ++i) {
        const std::string name = "layers." + std::to_string(i);
        x = g.op("add", {x, g.linear(name + ".mlp", g.linear(name + ".attention", x))}, name);
    }
    return g.inference(g.chain({"view"}, x));
}

using ModelStyles = std::vector<std::pair<const char*, std::string>>;

/// Graphs as others write models, by style.
inline ModelStyles modelStyles() {
    return {{"unrolled solver", solverText(6)},
            {"recurrent network", recurrentText(12)},
            {"towers", towersText(8)},
            {"losses outside of modules", lossesText(12)},
            {"no modules", functionText(8)},
            {"long chain", longChainText(150)},
            {"optimizer in the graph", optimizerText(10)},
            {"many inputs", manyInputsText(26)},
            {"one module", oneModuleText(240)},
            {"inference", inferenceText(24)}};
}

inline ModelStyles allModelStyles() {
    ModelStyles all = modelStyles();
    for (auto& style : moreModelStyles()) all.push_back(std::move(style));
    return all;
}

}  // namespace aotscope::test
