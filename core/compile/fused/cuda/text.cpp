#include "compile/fused/cuda/text.h"

#include "compile/fused/cuda/expressions.h"
#include "compile/fused/cuda/functions.h"

#include <algorithm>

namespace aotscope {

namespace {

std::string numbered(const char* name, std::size_t i) { return name + std::to_string(i); }

class CudaWriter {
public:
    CudaWriter(const Kernel& kernel, const CudaForm& form)
        : kernel_(kernel), form_(form), kept_(keptOnly(kernel)), stages_(stagesOf(kernel)) {}

    std::string text() {
        const bool reduces = !kernel_.reduced.empty();
        if (reduces) writeReducing();
        else if (!kernel_.sequential.empty()) writeAccumulating();
        else writePointwise();
        const std::string index = form_.wide ? "unsigned long long" : "unsigned";
        const std::string threads = std::to_string(kCudaThreads);
        return "typedef " + index + " Index;\n" + (reduces ? "constexpr int kThreads = " + threads + ";\n" : "") +
               "\n" + cudaFunctions(body_) + "extern \"C\" __global__ void __launch_bounds__(" +
               (reduces ? "kThreads" : threads) + ") " + kCudaName + "(\n    " + parameters() + ") {\n" + body_ + "}\n";
    }

private:
    const Instruction& at(std::size_t value) const { return kernel_.code[value]; }
    bool outputIsKept(std::size_t output) const {
        return !kernel_.reduced.empty() && kept_[static_cast<std::size_t>(kernel_.outputs[output].value)];
    }

    void line(int depth, const std::string& text) {
        body_ += std::string(static_cast<std::size_t>(depth) * 4, ' ') + text + "\n";
    }

    // --- parameters and offsets ---

    std::string parameters() const {
        std::string list;
        const auto tensor = [&](const std::string& type, const std::string& name, bool varies) {
            list += type + "* " + name;
            for (int d = 0; d < form_.kept; ++d) list += ", Index " + name + "_k" + std::to_string(d);
            for (int d = 0; varies && d < form_.reduced; ++d) list += ", Index " + name + "_r" + std::to_string(d);
        };
        const auto end = [&](const std::string& name, int indexed) {
            for (int d = 0; d < indexed; ++d)
                list += ", Index " + name + "_n" + std::to_string(d) + ", Index " + name + "_s" + std::to_string(d);
            list += ",\n    ";
        };
        for (std::size_t i = 0; i < kernel_.inputs.size(); ++i) {
            tensor("const " + cudaType(kernel_.inputs[i]), numbered("in", i), true);
            end(numbered("in", i), indexedDimensions(kernel_, static_cast<std::int32_t>(i)));
        }
        for (std::size_t i = 0; i < kernel_.outputs.size(); ++i) {
            tensor(cudaType(kernel_.outputs[i].dtype), numbered("out", i), !outputIsKept(i));
            end(numbered("out", i), indexedDimensions(kernel_, -1 - static_cast<std::int32_t>(i)));
        }
        for (const int d : countedDimensions(kernel_)) {
            const std::string name = numbered("at", static_cast<std::size_t>(d));
            for (int k = 0; k < form_.kept; ++k) list += "Index " + name + "_k" + std::to_string(k) + ", ";
            for (int r = 0; r < form_.reduced; ++r) list += "Index " + name + "_r" + std::to_string(r) + ", ";
            list += "\n    ";
        }
        for (std::size_t i = 0; i < kernel_.numbers.size(); ++i)
            list += cudaType(kernel_.numbers[i]) + " " + numbered("n", i) + ",\n    ";
        list += "Index kept";
        for (int d = 1; d < form_.kept; ++d) list += ", Index size_k" + std::to_string(d);
        if (kernel_.reduced.empty() && kernel_.sequential.empty()) return list;
        list += ",\n    Index reduced";
        for (int d = 1; d < form_.reduced; ++d) list += ", Index size_r" + std::to_string(d);
        return list;
    }

    /// The position along one of `count` dimensions; with only one, the variable for all positions is used.
    static std::string counter(const char* name, int count) { return count <= 1 ? std::string(name) + "0" : name; }
    void writePlaces(int depth, const char* name, int count) {
        for (int d = count - 1; count > 1 && d >= 0; --d) {
            std::string place = name;
            for (int inner = count - 1; inner > d; --inner)
                place += " / size_" + std::string(name) + std::to_string(inner);
            if (d > 0) place += " % size_" + std::string(name) + std::to_string(d);
            line(depth, "const Index " + std::string(name) + std::to_string(d) + " = " + place + ";");
        }
    }
    std::string offset(const std::string& tensor, bool varies) const {
        std::string sum;
        const auto add = [&](const std::string& place) {
            sum += (sum.empty() ? "" : " + ") + place + " * " + tensor + "_" + place;
        };
        for (int d = 0; d < form_.kept; ++d) add("k" + std::to_string(d));
        for (int d = 0; varies && d < form_.reduced; ++d) add("r" + std::to_string(d));
        return sum.empty() ? "0" : sum;
    }
    std::string element(const std::string& tensor, bool varies) const {
        return tensor + "[" + offset(tensor, varies) + "]";
    }

    // --- instructions ---

    void writeValue(int depth, std::size_t value) {
        const Instruction& instruction = at(value);
        std::string text;
        if (instruction.op == Opcode::load) {
            const auto input = static_cast<std::size_t>(instruction.index);
            const std::string tensor = numbered("in", input);
            text = cudaLoaded(isPacked(input) ? numbered("pack", input) + ".of[e]" : element(tensor, true),
                              kernel_.inputs[input], instruction.computeType);
        } else if (instruction.op == Opcode::gather) {
            const auto input = static_cast<std::size_t>(instruction.index);
            text = cudaLoaded(elementAt(numbered("in", input), instruction.operands), kernel_.inputs[input],
                              instruction.computeType);
        } else if (instruction.op == Opcode::position) {
            text = "(long long)(" + offset(numbered("at", static_cast<std::size_t>(instruction.dimension)), true) + ")";
        } else if (instruction.op == Opcode::offset) {
            text = offsetText(instruction);
        } else text = cudaExpression(kernel_, instruction);
        line(depth, "const " + cudaType(instruction.computeType) + " " + numbered("v", value) + " = " + text + ";");
    }
    static std::string offsetText(const Instruction& instruction) {
        const bool reads = instruction.index >= 0;
        const std::string tensor = numbered(
            reads ? "in" : "out", static_cast<std::size_t>(reads ? instruction.index : -1 - instruction.index));
        const std::string place = std::to_string(instruction.indexed);
        return "offsetOf(v" + std::to_string(instruction.operands[0]) + ", " + tensor + "_n" + place + ", " + tensor +
               "_s" + place + ", " + (instruction.rule == IndexRule::wraps ? "true" : "false") + ")";
    }
    /// The element at offsets along the indexed dimensions.
    std::string elementAt(const std::string& tensor, const std::array<std::int32_t, 3>& offsets) const {
        std::string sum = offset(tensor, true);
        for (const std::int32_t value : offsets)
            if (value >= 0) sum += " + (Index)v" + std::to_string(value);
        return tensor + "[" + sum + "]";
    }
    void writeOutput(int depth, std::size_t i) {
        const std::string tensor = numbered("out", i);
        const KernelOutput& output = kernel_.outputs[i];
        if (!output.accumulates()) return line(depth, element(tensor, true) + " = " + stored(i) + ";");
        const ComputeType computeType = at(static_cast<std::size_t>(output.value)).computeType;
        const std::string place = elementAt(tensor, output.offsets);
        const std::string sum = "(" + cudaLoaded(place, output.dtype, computeType) + ") + " +
                                numbered("v", static_cast<std::size_t>(output.value));
        line(depth, place + " = " + cudaStored("(" + sum + ")", computeType, output.dtype) + ";");
    }
    std::string stored(std::size_t output) const {
        const auto value = static_cast<std::size_t>(kernel_.outputs[output].value);
        return cudaStored(numbered("v", value), at(value).computeType, kernel_.outputs[output].dtype);
    }

    // --- pointwise ---

    bool isPacked(std::size_t input) const { return form_.pack > 1 && !form_.repeated[input]; }
    static std::string packOf(DType dtype, int count) {
        return "Pack<" + cudaType(dtype) + ", " + std::to_string(count) + ">";
    }
    bool isLoaded(std::size_t input) const {
        return std::any_of(kernel_.code.begin(), kernel_.code.end(), [&](const Instruction& instruction) {
            return instruction.op == Opcode::load && static_cast<std::size_t>(instruction.index) == input;
        });
    }

    void writePointwise() {
        const std::string k = counter("k", form_.kept);
        line(1, "for (Index " + k + " = (Index)blockIdx.x * blockDim.x + threadIdx.x; " + k + " < kept; " + k +
                    " += (Index)gridDim.x * blockDim.x) {");
        writePlaces(2, "k", form_.kept);
        form_.pack > 1 ? writePacks() : writeElements();
        line(1, "}");
    }
    void writeElements() {
        for (std::size_t value = 0; value < kernel_.code.size(); ++value) writeValue(2, value);
        for (std::size_t i = 0; i < kernel_.outputs.size(); ++i) writeOutput(2, i);
    }
    /// A thread runs through all positions that may be accumulated in the same elements.
    void writeAccumulating() {
        const std::string k = counter("k", form_.kept), r = counter("r", form_.reduced);
        line(1, "for (Index " + k + " = (Index)blockIdx.x * blockDim.x + threadIdx.x; " + k + " < kept; " + k +
                    " += (Index)gridDim.x * blockDim.x) {");
        writePlaces(2, "k", form_.kept);
        line(2, "for (Index " + r + " = 0; " + r + " < reduced; ++" + r + ") {");
        writePlaces(3, "r", form_.reduced);
        for (std::size_t value = 0; value < kernel_.code.size(); ++value) writeValue(3, value);
        for (std::size_t i = 0; i < kernel_.outputs.size(); ++i) writeOutput(3, i);
        line(2, "}");
        line(1, "}");
    }
    void writePacks() {
        for (std::size_t i = 0; i < kernel_.inputs.size(); ++i) {
            if (!isPacked(i) || !isLoaded(i)) continue;
            const std::string type = packOf(kernel_.inputs[i], form_.pack), tensor = numbered("in", i);
            line(2, "const " + type + " " + numbered("pack", i) + " = *(const " + type + "*)(" + tensor + " + " +
                        offset(tensor, true) + ");");
        }
        for (std::size_t i = 0; i < kernel_.outputs.size(); ++i)
            line(2, packOf(kernel_.outputs[i].dtype, form_.pack) + " " + numbered("result", i) + ";");
        line(2, "#pragma unroll");
        line(2, "for (int e = 0; e < " + std::to_string(form_.pack) + "; ++e) {");
        for (std::size_t value = 0; value < kernel_.code.size(); ++value) writeValue(3, value);
        for (std::size_t i = 0; i < kernel_.outputs.size(); ++i)
            line(3, numbered("result", i) + ".of[e] = " + stored(i) + ";");
        line(2, "}");
        for (std::size_t i = 0; i < kernel_.outputs.size(); ++i) {
            const std::string tensor = numbered("out", i);
            line(2, "*(" + packOf(kernel_.outputs[i].dtype, form_.pack) + "*)(" + tensor + " + " +
                        offset(tensor, true) + ") = " + numbered("result", i) + ";");
        }
    }

    // --- with reductions ---

    void writeReducing() {
        const std::string k = counter("k", form_.kept), position = form_.columns ? "x" : "y";
        line(1, "const Index " + k + " = (Index)blockIdx.x * blockDim." + position + " + threadIdx." + position + ";");
        line(1, "const Index end = " + k + " < kept ? reduced : 0;  // all threads take part in the reductions");
        writePlaces(1, "k", form_.kept);
        writeKept(0);
        for (int stage = 0; stage <= *std::max_element(stages_.begin(), stages_.end()); ++stage) writeStage(stage);
        const std::string isFirst = "if (" + k + " < kept && " + thread() + " == 0) ";
        for (std::size_t i = 0; i < kernel_.outputs.size(); ++i)
            if (outputIsKept(i)) line(1, isFirst + element(numbered("out", i), false) + " = " + stored(i) + ";");
    }
    /// Which of the threads that share a kept position this one is.
    std::string thread() const { return form_.columns ? "threadIdx.y" : "threadIdx.x"; }
    std::string threads() const { return form_.columns ? "blockDim.y" : "blockDim.x"; }

    bool isReductionOf(std::size_t value, int stage) const {
        return isReduction(at(value).op) && stages_[value] == stage;
    }
    void writeKept(int stage) {
        for (std::size_t value = 0; value < kernel_.code.size(); ++value)
            if (kept_[value] && stages_[value] == stage && !isReduction(at(value).op)) writeValue(1, value);
    }

    /// The varying values that this stage stores or reduces.
    std::vector<bool> needed(int stage) const {
        std::vector<bool> needed(kernel_.code.size(), false);
        for (const KernelOutput& output : kernel_.outputs) {
            const auto value = static_cast<std::size_t>(output.value);
            if (!kept_[value] && stages_[value] == stage) needed[value] = true;
        }
        for (std::size_t value = kernel_.code.size(); value-- > 0;)
            if (needed[value] || isReductionOf(value, stage + 1))
                for (const std::int32_t operand : at(value).operands)
                    if (operand >= 0 && !kept_[static_cast<std::size_t>(operand)])
                        needed[static_cast<std::size_t>(operand)] = true;
        return needed;
    }

    void writeStage(int stage) {
        const std::vector<bool> values = needed(stage);
        bool reduces = false;
        for (std::size_t value = 0; value < kernel_.code.size(); ++value) {
            if (!isReductionOf(value, stage + 1)) continue;
            reduces = true;
            const ComputeType computeType = at(value).computeType;
            line(1, cudaType(computeType) + " " + numbered("part", value) + " = " +
                        cudaIdentity(at(value).op, computeType) + ";");
        }
        if (reduces || std::find(values.begin(), values.end(), true) != values.end()) writeLoop(stage, values);
        for (std::size_t value = 0; value < kernel_.code.size(); ++value)
            if (isReductionOf(value, stage + 1))
                line(1, "const " + cudaType(at(value).computeType) + " " + numbered("v", value) + " = " +
                            (form_.columns ? "reduceColumn(" : "reduceRow(") + numbered("part", value) + ", " +
                            cudaCombiner(at(value).op) + ");");
        writeKept(stage + 1);
    }
    void writeLoop(int stage, const std::vector<bool>& values) {
        const std::string r = counter("r", form_.reduced);
        line(1, "for (Index " + r + " = " + thread() + "; " + r + " < end; " + r + " += " + threads() + ") {");
        writePlaces(2, "r", form_.reduced);
        for (std::size_t value = 0; value < values.size(); ++value) {
            if (values[value]) writeValue(2, value);
            if (!isReductionOf(value, stage + 1)) continue;
            const std::string part = numbered("part", value);
            line(2, part + " = " + cudaCombiner(at(value).op) + "(" + part + ", " +
                        numbered("v", static_cast<std::size_t>(at(value).operands[0])) + ");");
        }
        for (std::size_t i = 0; i < kernel_.outputs.size(); ++i)
            if (!outputIsKept(i) && stages_[static_cast<std::size_t>(kernel_.outputs[i].value)] == stage)
                line(2, element(numbered("out", i), true) + " = " + stored(i) + ";");
        line(1, "}");
    }

    const Kernel& kernel_;
    const CudaForm& form_;
    std::vector<bool> kept_;
    std::vector<int> stages_;
    std::string body_;
};

}  // namespace

std::string cudaText(const Kernel& kernel, const CudaForm& form) { return CudaWriter(kernel, form).text(); }

}  // namespace aotscope
