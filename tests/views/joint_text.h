#pragma once

#include <string>
#include <vector>

namespace aotscope::test {

/// Writes a joint graph: the forward operation by operation, and the backward that follows from it.
class JointText {
public:
    int input(const std::string& label) {
        const int id = next_++;
        names_.push_back("x" + std::to_string(id));
        inputs_ += "  %" + names_.back() + " : f32[4, 8] = placeholder(input)  ; id=" + std::to_string(id) +
                   " label=\"" + label + "\"\n";
        return id;
    }
    /// All inputs come first.
    int op(const std::string& packet, std::vector<int> inputs, const std::string& module = {}) {
        const int id = next_++;
        names_.push_back("n" + std::to_string(id));
        std::string arguments;
        for (const int input : inputs) arguments += (arguments.empty() ? "%" : ", %") + nameOf(input);
        write(packet, arguments, " module=\"" + module + "\"", id);
        operations_.push_back({id, std::move(inputs), module});
        return id;
    }
    int chain(const std::vector<std::string>& packets, int value, const std::string& module = {}) {
        for (const std::string& packet : packets) value = op(packet, {value}, module);
        return value;
    }
    int linear(const std::string& module, int value) { return chain({"view", "addmm", "view", "relu"}, value, module); }
    int sum(const std::vector<int>& values) {
        int whole = values.front();
        for (std::size_t i = 1; i < values.size(); ++i) whole = op("add", {whole, values[i]});
        return whole;
    }

    std::string joint(int output, const std::vector<int>& updates = {}) {
        const int tangent = next_++;
        names_.push_back("tangent");
        inputs_ += "  %tangent : f32[4, 8] = placeholder(tangent)  ; id=" + std::to_string(tangent) +
                   " stage=backward label=\"tangent of output 0\"\n";
        const std::vector<int> gradients = backward(output, tangent);
        std::string results = "%" + nameOf(output) + " : output \"output 0\"";
        for (const int update : updates) results += ", %" + nameOf(update) + " : output \"new state\"";
        for (const int gradient : gradients) results += ", %" + nameOf(gradient) + " : gradient \"x\"";
        return "graph joint\n" + inputs_ + body_ + "  return [" + results + "]\n";
    }
    std::string inference(int output) {
        return "graph inference\n" + inputs_ + body_ + "  return [%" + nameOf(output) + " : output \"output 0\"]\n";
    }

private:
    struct Operation {
        int id = 0;
        std::vector<int> inputs;
        std::string module;
    };

    const std::string& nameOf(int id) const { return names_[static_cast<std::size_t>(id)]; }
    void write(const std::string& packet, const std::string& arguments, const std::string& remarks, int id) {
        body_ += "  %" + nameOf(id) + " : f32[4, 8] = aten." + packet + ".default(" + arguments +
                 ")  ; id=" + std::to_string(id) + remarks + "\n";
    }
    int differentiate(const Operation& of, const std::string& packet, int a, int b) {
        const int id = next_++;
        names_.push_back("b" + std::to_string(id));
        write(packet, "%" + nameOf(a) + ", %" + nameOf(b),
              " stage=backward forward=" + std::to_string(of.id) + " module=\"" + of.module + "\"", id);
        return id;
    }
    /// The gradients of the inputs.
    std::vector<int> backward(int output, int tangent) {
        std::vector<std::vector<int>> arriving(static_cast<std::size_t>(next_));
        arriving[static_cast<std::size_t>(output)].push_back(tangent);
        for (auto of = operations_.rbegin(); of != operations_.rend(); ++of) {
            const std::vector<int> parts = arriving[static_cast<std::size_t>(of->id)];
            if (parts.empty()) continue;
            int whole = parts.front();
            for (std::size_t i = 1; i < parts.size(); ++i) whole = differentiate(*of, "add", whole, parts[i]);
            for (const int input : of->inputs)
                arriving[static_cast<std::size_t>(input)].push_back(differentiate(*of, "mul", whole, input));
        }
        std::vector<int> gradients;
        for (std::size_t i = 0; i < arriving.size() && names_[i].starts_with('x'); ++i)
            if (!arriving[i].empty()) gradients.push_back(arriving[i].back());
        return gradients;
    }

    std::string inputs_, body_;
    std::vector<std::string> names_;
    std::vector<Operation> operations_;
    int next_ = 0;
};

}  // namespace aotscope::test
