#pragma once

#include "views/joint_text.h"

#include <utility>

namespace aotscope::test {

inline std::string numbered(const char* name, int number) { return name + std::to_string(number); }

/// Down and up again, with a connection between the same levels.
inline std::string pyramidText(int levels) {
    JointText g;
    int x = g.input("image");
    std::vector<int> skipped;
    for (int i = 0; i < levels; ++i) {
        skipped.push_back(x = g.chain({"conv2d", "batch_norm", "relu"}, x, numbered("down.", i)));
        x = g.chain({"max_pool2d"}, x);
    }
    x = g.linear("middle", x);
    for (int i = levels - 1; i >= 0; --i) {
        const int wide = g.op("cat", {g.chain({"upsample"}, x), skipped[static_cast<std::size_t>(i)]});
        x = g.chain({"conv2d", "batch_norm", "relu"}, wide, numbered("up.", i));
    }
    return g.joint(g.chain({"conv2d", "sigmoid"}, x));
}

/// Every layer reads all layers before it.
inline std::string denseText(int layers) {
    JointText g;
    std::vector<int> values{g.input("image")};
    for (int i = 0; i < layers; ++i)
        values.push_back(g.chain({"batch_norm", "relu", "conv2d"}, g.op("cat", values), numbered("layers.", i)));
    return g.joint(g.linear("head", g.op("cat", values)));
}

/// One module that is called again and again.
inline std::string fixedPointText(int calls) {
    JointText g;
    const int x = g.input("x");
    int z = g.input("z");
    for (int i = 0; i < calls; ++i) z = g.linear("cell", g.op("add", {z, x}));
    return g.joint(z);
}

/// Two recurrences in opposite directions, without modules, whose states are joined at each step.
inline std::string bothDirectionsText(int steps) {
    JointText g;
    const int x = g.input("x");
    std::vector<int> ahead, back;
    int h = g.input("ahead"), k = g.input("back");
    for (int i = 0; i < steps; ++i) {
        ahead.push_back(h = g.chain({"tanh"}, g.op("add", {g.chain({"select", "mm"}, x), g.chain({"mm"}, h)})));
        back.push_back(k = g.chain({"tanh"}, g.op("add", {g.chain({"select", "mm"}, x), g.chain({"mm"}, k)})));
    }
    std::vector<int> joined;
    for (std::size_t i = 0; i < ahead.size(); ++i) joined.push_back(g.op("cat", {ahead[i], back[back.size() - 1 - i]}));
    return g.joint(g.chain({"mm", "log_softmax"}, g.op("stack", joined)));
}

/// A generator, and a discriminator that judges its result and a given one.
inline std::string adversariesText(int layers) {
    JointText g;
    int fake = g.input("noise"), real = g.input("real");
    for (int i = 0; i < layers; ++i) fake = g.linear(numbered("generator.", i), fake);
    for (int i = 0; i < layers; ++i) {
        fake = g.linear(numbered("discriminator.", i), fake);
        real = g.linear(numbered("discriminator.", i), real);
    }
    return g.joint(g.op("add", {g.chain({"neg", "softplus", "mean"}, real), g.chain({"softplus", "mean"}, fake)}));
}

/// One encoder for two inputs, all pairs of whose results are compared outside of it.
inline std::string contrastText(int pairs) {
    JointText g;
    const int a = g.linear("encoder", g.input("a")), b = g.linear("encoder", g.input("b"));
    const int left = g.op("div", {a, g.chain({"norm", "clamp"}, a)}), right = g.op("div", {b, g.chain({"norm"}, b)});
    std::vector<int> losses;
    for (int i = 0; i < pairs; ++i) {
        const int likeness = g.op("mm", {g.chain({"select"}, left), g.chain({"select", "t"}, right)});
        losses.push_back(g.op("sub", {g.chain({"logsumexp"}, likeness), g.chain({"diagonal"}, likeness)}));
    }
    return g.joint(g.chain({"mean"}, g.op("stack", losses)));
}

/// Experts side by side, and what they contribute.
inline std::string expertsText(int experts, int blocks) {
    JointText g;
    int x = g.input("x");
    for (int block = 0; block < blocks; ++block) {
        const std::string name = numbered("blocks.", block);
        const int share = g.chain({"mm", "softmax", "topk"}, x, name + ".router");
        std::vector<int> parts{x};
        for (int i = 0; i < experts; ++i) {
            const int value = g.linear(name + numbered(".experts.", i), x);
            parts.push_back(g.op("mul", {value, g.chain({"select"}, share, name)}, name));
        }
        x = g.sum(parts);
    }
    return g.joint(x);
}

/// A backbone whose levels have heads of their own, and losses for each head.
inline std::string detectorText(int levels) {
    JointText g;
    int x = g.input("image");
    const int boxes = g.input("boxes"), labels = g.input("labels");
    std::vector<int> seen, losses;
    for (int i = 0; i < levels; ++i) seen.push_back(x = g.linear(numbered("backbone.", i), x));
    for (int i = levels - 2; i >= 0; --i) {
        auto& level = seen[static_cast<std::size_t>(i)];
        level = g.op("add", {level, g.chain({"upsample"}, seen[static_cast<std::size_t>(i) + 1])});
    }
    for (const int level : seen) {
        const int place = g.op("sub", {g.linear("heads.box", level), boxes});
        losses.push_back(g.chain({"abs", "clamp", "mean"}, place));
        losses.push_back(g.chain({"log", "neg", "mean"}, g.op("mul", {g.linear("heads.class", level), labels})));
    }
    return g.joint(g.sum(losses));
}

/// A loss after every layer.
inline std::string supervisedText(int layers) {
    JointText g;
    int x = g.input("x");
    const int y = g.input("y");
    std::vector<int> losses;
    for (int i = 0; i < layers; ++i) {
        x = g.linear(numbered("layers.", i), x);
        losses.push_back(g.chain({"pow", "mean", "mul"}, g.op("sub", {g.chain({"mm"}, x), y})));
    }
    return g.joint(g.sum(losses));
}

/// A decoder that attends to all states of an encoder at each step.
inline std::string attentiveText(int steps) {
    JointText g;
    int h = g.input("source");
    const int target = g.input("target");
    std::vector<int> states;
    for (int i = 0; i < steps; ++i) states.push_back(h = g.chain({"mm", "sigmoid", "tanh"}, h, "encoder"));
    const int memory = g.op("stack", states);
    std::vector<int> words;
    for (int i = 0; i < steps; ++i) {
        const int weights = g.chain({"softmax"}, g.op("bmm", {memory, h}, "attention"), "attention");
        const int context = g.op("bmm", {weights, memory}, "attention");
        h = g.chain({"mm", "sigmoid", "tanh"}, g.op("cat", {context, g.chain({"select"}, target), h}), "decoder");
        words.push_back(g.chain({"mm", "log_softmax"}, h, "head"));
    }
    return g.joint(g.chain({"mean"}, g.op("stack", words)));
}

/// Messages along the edges of a graph, without modules.
inline std::string messagesText(int rounds) {
    JointText g;
    int nodes = g.input("nodes");
    const int edges = g.input("edges"), index = g.input("index");
    for (int i = 0; i < rounds; ++i) {
        const int from = g.op("index_select", {nodes, index}), to = g.op("index_select", {nodes, index});
        const int message = g.chain({"mm", "silu", "mm", "silu"}, g.op("cat", {from, to, edges}));
        const int sum = g.op("index_add", {nodes, index, message});
        nodes = g.op("add", {nodes, g.chain({"mm", "silu", "mm"}, g.op("cat", {nodes, sum}))});
    }
    return g.joint(g.chain({"mean", "mm"}, nodes));
}

/// Gated layers; what each contributes is summed at the end.
inline std::string skipsText(int layers) {
    JointText g;
    int x = g.chain({"conv1d"}, g.input("audio"));
    std::vector<int> skips;
    for (int i = 0; i < layers; ++i) {
        const std::string name = numbered("layers.", i);
        const int wide = g.chain({"conv1d"}, x, name + ".dilated");
        const int gated = g.op("mul", {g.chain({"tanh"}, wide, name), g.chain({"sigmoid"}, wide, name)}, name);
        skips.push_back(g.chain({"conv1d"}, gated, name + ".skip"));
        x = g.op("add", {x, g.chain({"conv1d"}, gated, name + ".residual")}, name);
    }
    return g.joint(g.chain({"relu", "conv1d", "relu", "conv1d"}, g.sum(skips)));
}

/// Nothing but the steps of an optimizer.
inline std::string stepsText(int parameters) {
    JointText g;
    std::vector<int> values;
    for (int i = 0; i < parameters; ++i) values.push_back(g.input(numbered("parameter", i)));
    std::vector<int> updates;
    for (const int value : values) {
        const int moment = g.chain({"mul", "add"}, value), square = g.chain({"mul", "addcmul", "sqrt"}, value);
        updates.push_back(g.op("addcdiv", {value, moment, square}));
    }
    return g.inference(g.op("cat", updates));
}

/// Modules in modules in modules, each with little of its own.
inline std::string nestedText(int depth, int blocks) {
    JointText g;
    int x = g.input("x");
    for (int block = 0; block < blocks; ++block) {
        std::string name = numbered("blocks.", block);
        for (int level = 0; level < depth; ++level) {
            x = g.op("mul", {x}, name);
            name += ".inner";
        }
        x = g.linear(name, x);
    }
    return g.joint(x);
}

/// A student that imitates a teacher whose gradients are not wanted.
inline std::string teacherText(int layers) {
    JointText g;
    const int x = g.input("x");
    int student = x, teacher = g.chain({"detach"}, x);
    std::vector<int> losses;
    for (int i = 0; i < layers; ++i) {
        student = g.linear(numbered("student.", i), student);
        teacher = g.linear(numbered("teacher.", i), teacher);
        losses.push_back(g.chain({"pow", "mean"}, g.op("sub", {student, teacher})));
    }
    return g.joint(g.sum(losses));
}

/// Values that are combined in pairs which are further apart in each round.
inline std::string butterflyText(int rounds) {
    JointText g;
    const std::size_t count = std::size_t{1} << rounds;
    std::vector<int> values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(g.input(numbered("x", static_cast<int>(i))));
    for (int round = 0; round < rounds; ++round) {
        std::vector<int> next;
        for (std::size_t i = 0; i < count; ++i)
            next.push_back(g.op(i >> round & 1 ? "sub" : "add", {values[i], values[i ^ std::size_t{1} << round]}));
        values = next;
    }
    return g.joint(g.op("cat", values));
}

/// Sums of pairs, and of their sums.
inline std::string treeText(int leaves) {
    JointText g;
    const int x = g.input("x");
    std::vector<int> values;
    for (int i = 0; i < leaves; ++i) values.push_back(g.chain({"select", "exp"}, x));
    while (values.size() > 1) {
        std::vector<int> next;
        for (std::size_t i = 0; i + 1 < values.size(); i += 2)
            next.push_back(g.chain({"relu"}, g.op("add", {values[i], values[i + 1]})));
        values = next;
    }
    return g.joint(values.front());
}

/// Modules, and between them operations that belong to none.
inline std::string mixerText(int blocks) {
    JointText g;
    int x = g.linear("stem", g.input("image"));
    for (int i = 0; i < blocks; ++i) {
        const std::string name = numbered("mix.", i);
        const int across = g.chain({"transpose", "clone"}, g.chain({"layer_norm"}, x));
        x = g.op("add", {x, g.chain({"transpose", "clone"}, g.linear(name + ".tokens", across))});
        x = g.op("add", {x, g.linear(name + ".channels", g.chain({"layer_norm", "mul", "add"}, x))});
    }
    return g.joint(g.linear("head", g.chain({"mean"}, x)));
}

/// Many short chains side by side.
inline std::string headsText(int heads) {
    JointText g;
    const int x = g.input("x");
    std::vector<int> ends;
    for (int i = 0; i < heads; ++i) ends.push_back(g.chain({"select", "mm", "softmax", "mm"}, x));
    return g.joint(g.chain({"mm"}, g.op("cat", ends)));
}

/// Steps of gradient descent within the forward: its own gradients, and new parameters.
inline std::string innerStepsText(int steps) {
    JointText g;
    const int x = g.input("x"), y = g.input("y");
    int weight = g.input("weight"), bias = g.input("bias");
    for (int i = 0; i < steps; ++i) {
        const int wrong = g.op("sub", {g.op("addmm", {x, weight, bias}), y});
        const int slope = g.chain({"mul", "div"}, wrong);
        weight = g.op("sub", {weight, g.op("mm", {g.chain({"t"}, x), slope})});
        bias = g.op("sub", {bias, g.chain({"sum", "mul"}, slope)});
    }
    return g.joint(g.chain({"pow", "mean"}, g.op("sub", {g.op("addmm", {x, weight, bias}), y})));
}

/// Derivatives of a small network with respect to its input, in the forward.
inline std::string derivativesText(int layers) {
    JointText g;
    int u = g.input("t"), du = g.chain({"ones_like"}, u), ddu = g.chain({"zeros_like"}, u);
    for (int i = 0; i < layers; ++i) {
        const int v = g.chain({"mm", "tanh"}, u), slope = g.chain({"pow", "rsub"}, v);
        ddu = g.op("add", {g.op("mul", {slope, g.chain({"mm"}, ddu)}), g.op("mul", {v, slope, du})});
        du = g.op("mul", {slope, g.chain({"mm"}, du)});
        u = v;
    }
    return g.joint(g.chain({"pow", "mean"}, g.op("add", {ddu, g.op("mul", {u, du})})));
}

inline std::vector<std::pair<const char*, std::string>> moreModelStyles() {
    return {{"pyramid", pyramidText(5)},
            {"dense connections", denseText(12)},
            {"fixed point", fixedPointText(16)},
            {"both directions", bothDirectionsText(10)},
            {"adversaries", adversariesText(5)},
            {"contrast", contrastText(8)},
            {"experts", expertsText(8, 3)},
            {"detector", detectorText(5)},
            {"deep supervision", supervisedText(10)},
            {"attention by step", attentiveText(8)},
            {"messages", messagesText(6)},
            {"gated skips", skipsText(10)},
            {"optimizer's steps", stepsText(20)},
            {"nested modules", nestedText(7, 4)},
            {"teacher and student", teacherText(8)},
            {"butterfly", butterflyText(4)},
            {"tree", treeText(32)},
            {"mixer", mixerText(8)},
            {"heads", headsText(24)},
            {"inner steps", innerStepsText(6)},
            {"derivatives", derivativesText(8)}};
}

}  // namespace aotscope::test
