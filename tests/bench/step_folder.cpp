#include "step_folder.h"

#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace aotscope {

namespace {

constexpr std::size_t kInserted = 50, kBlocks = 50;  ///< copies of a pass; blocks of a layer

/// One printed line, and the content of its comment.
struct Line {
    std::string name, op, arguments;
    bool backward = false;
    std::size_t sequence = 0, layer = 0;
};

class Step {
public:
    explicit Step(std::size_t nodes) {
        struct Saved {
            std::string value, weight;
            std::size_t layer, sequence;
        };
        std::vector<Saved> saved;
        std::string value = "x";
        const std::size_t layers = nodes / kOfALayer;
        for (std::size_t layer = 0; layer < layers; ++layer) {
            const std::string parameter = "layers_" + std::to_string(layer) + "_weight";
            parameters_.push_back(parameter);
            const std::size_t sequence = layer * 4;
            const auto view = add("view", value + ", [8192, 4096]", false, sequence, layer);
            const auto transposed = add("t", parameter, false, sequence + 1, layer);
            const auto product = add("mm", view + ", " + transposed, false, sequence + 2, layer);
            value = add("relu", product, false, sequence + 3, layer);
            saved.push_back({view, transposed, layer, sequence});
        }
        outputs_.push_back(add("mean", value, false, layers * 4, layers));
        std::string gradient = add("ones_like", outputs_[0] + ", pin_memory = False", true, layers * 4, layers);
        gradient = add("expand", gradient + ", [8, 1024, 4096]", true, layers * 4, layers);
        for (auto it = saved.rbegin(); it != saved.rend(); ++it) {
            const auto masked =
                add("threshold_backward", gradient + ", " + it->value + ", 0", true, it->sequence + 3, it->layer);
            const auto weight = add("t", it->weight, true, it->sequence + 2, it->layer);
            gradient = add("mm", masked + ", " + weight, true, it->sequence + 2, it->layer);
            const auto transposed = add("t", it->value, true, it->sequence + 2, it->layer);
            const auto product = add("mm", transposed + ", " + masked, true, it->sequence + 2, it->layer);
            outputs_.push_back(add("t", product, true, it->sequence + 1, it->layer));
        }
    }

    /// A pass: copies of values somewhere in the forward.
    void insertCopies(std::size_t pass) {
        const std::size_t start = lines_.size() / 8 + pass * kInserted * 2;
        for (std::size_t i = 0; i < kInserted; ++i) {
            const std::size_t at = start + i * 2;
            Line copy = lines_[at];
            copy.name = nameFor("clone");
            copy.op = "clone";
            copy.arguments = lines_[at].name;
            lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(at) + 1, std::move(copy));
        }
    }

    void write(const std::filesystem::path& file) const {
        constexpr const char* type = ": \"bf16[8, 1024, 4096][4194304, 4096, 1]cuda:0\"";
        std::ofstream out(file);
        out << "class <lambda>(torch.nn.Module):\n    def forward(self";
        for (const std::string& parameter : parameters_)
            out << ", " << parameter << ": \"bf16[4096, 4096][4096, 1]cuda:0\"";
        out << ", x" << type << "):\n";
        for (const Line& line : lines_) {
            out << "        # autograd_backward: " << (line.backward ? "True" : "False")
                << ", seq_nr: " << line.sequence << " # Annotation: {'module_fqn': 'layers." << line.layer / kBlocks
                << ".blocks." << line.layer % kBlocks
                << "'} File: model.py:12 in forward, code: x = torch.relu(self.linear(x))\n        " << line.name
                << (line.name == outputs_[0] || line.op == "ones_like" ? ": \"bf16[][]cuda:0\"" : type)
                << " = torch.ops.aten." << line.op << ".default(" << line.arguments << ")\n\n";
        }
        out << "        return (";
        for (std::size_t i = 0; i < outputs_.size(); ++i) out << (i ? ", " : "") << outputs_[i];
        out << ")\n";
    }

private:
    static constexpr std::size_t kOfALayer = 10;

    std::string nameFor(const std::string& op) {
        const std::size_t count = counts_[op]++;
        return count == 0 ? op : op + "_" + std::to_string(count);
    }

    std::string add(const std::string& op, std::string arguments, bool backward, std::size_t sequence,
                    std::size_t layer) {
        lines_.push_back({nameFor(op), op, std::move(arguments), backward, sequence, layer});
        return lines_.back().name;
    }

    std::vector<Line> lines_;
    std::vector<std::string> parameters_, outputs_;
    std::map<std::string, std::size_t> counts_;
};

}  // namespace

void writeStepFolder(const std::filesystem::path& folder, std::size_t passes, std::size_t nodes) {
    Step step(nodes);
    step.write(folder / "make_fx_graph_traced_0.txt");
    for (std::size_t pass = 1; pass < passes; ++pass) {
        step.insertCopies(pass);
        step.write(folder / ("after_pass_" + std::string(1, static_cast<char>('a' + (pass - 1) % 26)) + "_" +
                             std::to_string(pass) + ".txt"));
    }
}

}  // namespace aotscope
