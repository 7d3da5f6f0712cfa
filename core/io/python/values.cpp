#include "io/python/values.h"

#include "io/python/call.h"
#include "io/python/literal.h"
#include "support/formatted.h"
#include "support/quoted.h"

#include <algorithm>
#include <map>
#include <utility>

namespace aotscope {

namespace {

/// A contiguous tensor on the CPU.
std::string tensorText(const std::vector<std::int64_t>& sizes, DType dtype, const ValueSketch& sketch) {
    const std::string type = "torch." + std::string(longName(dtype));
    if (!sketch.elements.empty()) {
        std::string elements;
        for (const Argument& element : sketch.elements)
            elements += (elements.empty() ? "" : ", ") + pythonArgument(element, {});
        if (sizes.empty()) return "torch.tensor(" + elements + ", dtype=" + type + ")";
        const std::string flat = "torch.tensor([" + elements + "], dtype=" + type + ")";
        return sizes.size() == 1 ? flat : flat + ".reshape(" + pythonIntegers(sizes) + ")";
    }
    std::string text = takesGradients(dtype) ? "floats(" : "integers(";
    text += pythonIntegers(sizes) + ", " + type;
    if (!sketch.measured) return text + ")";
    const std::string range = "low=" + exactReal(sketch.low) + ", high=" + exactReal(sketch.high);
    if (!takesGradients(dtype))
        return text + ", low=" + std::to_string(static_cast<std::int64_t>(sketch.low)) +
               ", high=" + std::to_string(static_cast<std::int64_t>(sketch.high)) + ")";
    return text + ", mean=" + exactReal(sketch.mean) + ", std=" + exactReal(sketch.deviation) + ", " + range + ")";
}

std::string onDevice(const TensorType& type) {
    return type.device.name == "cpu" ? std::string() : ".to(" + pythonDevice(type.device.name) + ")";
}

std::string tensorText(const TensorType& type, const ValueSketch& sketch) {
    std::string text = tensorText(type.sizes, type.dtype, sketch);
    if (!type.isContiguous()) text = "strided(" + text + ", " + pythonIntegers(type.strides) + ")";
    return text + onDevice(type);
}

std::string scalarText(const ScalarType& type, const ValueSketch& sketch) {
    if (sketch.elements.size() == 1) return pythonArgument(sketch.elements[0], {});
    switch (type.kind) {
        case ScalarType::Kind::integer: return std::to_string(static_cast<std::int64_t>(type.hint));
        case ScalarType::Kind::real: return exactReal(type.hint);
        case ScalarType::Kind::boolean: return type.hint != 0 ? "True" : "False";
    }
    return "None";
}

/// Inputs that share memory, by storage number. Only where views of one dtype can express it.
std::map<std::int64_t, std::vector<const TensorType*>> sharedMemory(const std::vector<Node*>& placeholders,
                                                                    const std::vector<ValueSketch>& sketches) {
    std::map<std::int64_t, std::vector<const TensorType*>> shared;
    for (std::size_t i = 0; i < placeholders.size(); ++i)
        if (const auto* tensor = placeholders[i]->type.tensor(); tensor && tensor->storage >= 0 && !sketches[i].kept)
            shared[tensor->storage].push_back(tensor);
    std::erase_if(shared, [](const auto& entry) {
        for (const TensorType* type : entry.second)
            if (type->dtype != entry.second[0]->dtype) return true;
        return entry.second.size() < 2;
    });
    return shared;
}

std::string memoryName(std::int64_t storage) { return "memory_" + std::to_string(storage); }

/// One storage that several inputs share.
std::string sharedMemoryText(const std::vector<const TensorType*>& views, ValueSketch sketch) {
    std::int64_t elements = 0;
    for (const TensorType* view : views) elements = std::max(elements, view->numel() > 0 ? view->end() : 0);
    sketch.elements.clear();
    return tensorText({elements}, views[0]->dtype, sketch) + onDevice(*views[0]);
}

}  // namespace

std::string pythonInputs(const Graph& graph, const GraphExample& example) {
    const auto placeholders = graph.placeholders();
    std::vector<ValueSketch> sketches = example.inputs;
    sketches.resize(placeholders.size());
    const auto shared = sharedMemory(placeholders, sketches);
    std::string memories, list;
    std::map<std::int64_t, bool> made;
    for (std::size_t i = 0; i < placeholders.size(); ++i) {
        const Node& node = *placeholders[i];
        std::string text = "None";
        if (sketches[i].kept) {
            text = "kept[" + std::to_string(i) + "]";
        } else if (const auto* tensor = node.type.tensor()) {
            text = tensorText(*tensor, sketches[i]);
            if (const auto views = shared.find(tensor->storage); views != shared.end()) {
                const std::string memory = memoryName(tensor->storage);
                if (!std::exchange(made[tensor->storage], true))
                    memories += "    " + memory + " = " + sharedMemoryText(views->second, sketches[i]) + "\n";
                text = memory + ".as_strided(" + pythonIntegers(tensor->sizes) + ", " +
                       pythonIntegers(tensor->strides) + ", " + std::to_string(tensor->storageOffset) + ")";
            }
        } else if (const auto* scalar = node.type.scalar()) {
            text = scalarText(*scalar, sketches[i]);
        }
        list += "        " + text + ",  # " + pythonName(node.name());
        if (!node.label.empty()) list += ": " + oneLine(node.label);
        list += "\n";
    }
    return memories + (list.empty() ? "    return []\n" : "    return [\n" + list + "    ]\n");
}

std::string pythonConstant(const Node& constant, const GraphExample& example) {
    const auto found = example.constants.find(constant.op());
    const ValueSketch sketch = found == example.constants.end() ? ValueSketch{} : found->second;
    if (sketch.kept) return "kept[" + pythonString(constant.op()) + "]";
    const auto* type = constant.type.tensor();
    return type ? tensorText(*type, sketch) : "None";
}

std::string pythonMakers(std::uint64_t seed) {
    return "random = torch.Generator().manual_seed(" + std::to_string(seed) + R"PY()


def load(file, part):
    """Of some dtypes the file has integers and the name."""

    def whole(value):
        if not isinstance(value, tuple):
            return value
        if len(value) == 2 and isinstance(value[0], torch.Tensor) and isinstance(value[1], str):
            return value[0].view(getattr(torch, value[1]))
        return tuple(map(whole, value))

    return whole(torch.load(file)[part])


def floats(sizes, dtype, mean=0.0, std=1.0, low=-inf, high=inf):
    def draw():
        return torch.empty(sizes, dtype=torch.float64).normal_(mean, std, generator=random).clamp_(low, high)

    return (torch.complex(draw(), draw()) if dtype.is_complex else draw()).to(dtype)


def integers(sizes, dtype, low=0, high=1):
    return torch.randint(low, high + 1, sizes, generator=random).to(dtype)


def strided(values, strides):
    extent = sum((size - 1) * stride for size, stride in zip(values.shape, strides)) + 1 if values.numel() else 0
    memory = torch.zeros(extent, dtype=values.dtype)
    memory[torch.arange(extent).as_strided(values.shape, strides)] = values
    return memory.as_strided(values.shape, strides)
)PY";
}

}  // namespace aotscope
