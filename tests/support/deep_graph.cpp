#include "support/deep_graph.h"

#include <utility>
#include <vector>

namespace aotscope::test {

namespace {

/// Writes the forward operation by operation, and then the backward in the opposite order.
class DeepGraph {
public:
    std::string run(int layers) {
        text_ =
            "graph joint\n  %x : f32[128, 768] = placeholder(input)  ; id=0 label=\"x\"\n"
            "  %g : f32[128, 768] = placeholder(tangent)  ; id=1 stage=backward label=\"tangent\"\n";
        next_ = 2;
        int value = linear("wte", 0);
        for (int layer = 0; layer < layers; ++layer) value = block("blocks." + std::to_string(layer), value);
        value = normalization("ln_f", value);
        const std::string output = name(value);
        backward(value);
        return text_ + "  return [%" + output + " : output \"output 0\", %" + gradient_ + " : gradient \"x\"]\n";
    }

private:
    struct Operation {
        int id = 0;
        std::vector<int> inputs;
        std::string module, packet;
    };

    static std::string name(int id) { return id == 0 ? "x" : "n" + std::to_string(id); }

    void write(const std::string& called, const std::string& op, const std::string& arguments,
               const std::string& remarks) {
        text_ += "  %" + called + " : f32[128, 768] = aten." + op + "(" + arguments + ")  ; " + remarks + "\n";
    }

    int add(const std::string& module, const std::string& packet, std::vector<int> inputs) {
        const int id = next_++;
        std::string arguments;
        for (const int input : inputs) arguments += (arguments.empty() ? "%" : ", %") + name(input);
        write(name(id), packet, arguments, "id=" + std::to_string(id) + " module=\"" + module + "\"");
        operations_.push_back({id, std::move(inputs), module, packet});
        return id;
    }
    int chain(const std::string& module, const std::vector<std::string>& packets, int value) {
        for (const auto& packet : packets) value = add(module, packet, {value});
        return value;
    }
    int linear(const std::string& module, int value) {
        return chain(module, {"view.default", "addmm.default", "view.default"}, value);
    }
    int normalization(const std::string& module, int value) {
        const int mean = chain(module, {"mean.dim", "neg.default"}, value);
        const int centred = add(module, "add.Tensor", {value, mean});
        const int scale = chain(module, {"pow.Tensor_Scalar", "mean.dim", "rsqrt.default"}, centred);
        return chain(module, {"mul.Scalar", "add.Scalar"}, add(module, "mul.Tensor", {centred, scale}));
    }
    int attention(const std::string& module, int value) {
        const int mixed = linear(module + ".c_attn", value);
        std::vector<int> heads;
        for (int i = 0; i < 3; ++i)
            heads.push_back(chain(module, {"slice.Tensor", "view.default", "transpose.int"}, mixed));
        const int scores = add(module, "bmm.default", {heads[0], heads[1]});
        const int weights = chain(module, {"div.Scalar", "amax.default", "exp.default", "sum.dim_IntList"}, scores);
        const int mean = add(module, "bmm.default", {weights, heads[2]});
        return linear(module + ".c_proj", chain(module, {"transpose.int", "clone.default", "view.default"}, mean));
    }
    int block(const std::string& module, int value) {
        value = add(module, "add.Tensor", {value, attention(module + ".attn", normalization(module + ".ln_1", value))});
        const int wide = linear(module + ".mlp.c_fc", normalization(module + ".ln_2", value));
        const int cube = chain(module + ".mlp.act", {"pow.Tensor_Scalar", "mul.Scalar"}, wide);
        const int inner = add(module + ".mlp.act", "add.Tensor", {wide, cube});
        const int gate = chain(module + ".mlp.act", {"mul.Scalar", "tanh.default", "add.Scalar"}, inner);
        const int bent = add(module + ".mlp.act", "mul.Tensor", {wide, gate});
        return add(module, "add.Tensor", {value, linear(module + ".mlp.c_proj", bent)});
    }

    /// One node for each input of an operation, and one for the sum where a value is used more than once.
    void backward(int output) {
        std::vector<std::vector<std::string>> arriving(static_cast<std::size_t>(next_));
        arriving[static_cast<std::size_t>(output)].emplace_back("g");
        for (auto op = operations_.rbegin(); op != operations_.rend(); ++op) {
            const auto& parts = arriving[static_cast<std::size_t>(op->id)];
            if (parts.empty()) continue;
            std::string whole = parts[0];
            for (std::size_t i = 1; i < parts.size(); ++i) whole = differentiate(*op, "add.Tensor", whole, parts[i]);
            for (const int input : op->inputs) {
                std::string part = differentiate(*op, "mul.Tensor", whole, name(input));
                if (op->packet == "addmm.default" || op->packet == "bmm.default")
                    part = differentiate(*op, "mm.default", part, name(op->inputs.back()));
                arriving[static_cast<std::size_t>(input)].push_back(part);
            }
        }
        gradient_ = arriving[0].front();
    }
    std::string differentiate(const Operation& op, const std::string& packet, const std::string& a,
                              const std::string& b) {
        const int id = next_++;
        std::string called = "b" + std::to_string(id);
        write(called, packet, "%" + a + ", %" + b,
              "id=" + std::to_string(id) + " stage=backward forward=" + std::to_string(op.id) + " module=\"" +
                  op.module + "\"");
        return called;
    }

    std::string text_, gradient_;
    int next_ = 0;
    std::vector<Operation> operations_;
};

}  // namespace

std::string deepGraphText(int layers) { return DeepGraph().run(layers); }

}  // namespace aotscope::test
