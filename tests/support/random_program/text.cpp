// Random programs as TorchScript text.

#include "support/random_program.h"

namespace aotscope::test {

namespace {

using Statement = RandomProgram::Statement;
using Output = RandomProgram::Output;

std::string nameOf(std::size_t id, std::size_t inputs) { return (id < inputs ? "x" : "v") + std::to_string(id); }

std::string lineOf(const Statement& statement, std::size_t inputs) {
    std::string line;
    for (std::size_t i = 0; i < statement.results.size(); ++i)
        line += (i ? ", " : "") + nameOf(statement.results[i], inputs);
    // A list of one result has to be unpacked, too.
    const bool unpacks = statement.text.starts_with("torch.unbind") || statement.text.starts_with("torch.split") ||
                         statement.text.starts_with("torch.chunk");
    if (unpacks && statement.results.size() == 1) line += ",";
    if (!statement.results.empty()) line += " = ";
    for (std::size_t i = 0; i < statement.text.size(); ++i) {
        if (statement.text[i] != '{') {
            line += statement.text[i];
            continue;
        }
        line += nameOf(statement.operands[static_cast<std::size_t>(statement.text[i + 1] - '0')], inputs);
        i += 2;
    }
    return line;
}

}  // namespace

std::string RandomProgram::text() const {
    const std::size_t count = inputs.inputs.size();
    std::string parameters, types, returned, body;
    for (std::size_t i = 0; i < count; ++i)
        parameters += ", " + nameOf(i, count) +
                      (std::holds_alternative<std::int64_t>(inputs.inputs[i].data) ? ": int" : ": Tensor");
    bool inRegion = false;
    const auto region = [&](bool noGrad) {
        if (noGrad && !inRegion) body += "    grad = torch.is_grad_enabled()\n    torch.set_grad_enabled(False)\n";
        if (!noGrad && inRegion) body += "    torch.set_grad_enabled(grad)\n";
        inRegion = noGrad;
    };
    for (const Statement& statement : statements) {
        region(statement.noGrad);
        body += "    " + lineOf(statement, count) + "\n";
    }
    region(false);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const Output& output = outputs[i];
        const std::string separator = i ? ", " : "", name = nameOf(output.values[0], count);
        switch (output.kind) {
            case Output::Kind::tensor:
                types += separator + "Tensor";
                returned += separator + name;
                break;
            case Output::Kind::list:
                types += separator + "List[Tensor]";
                returned += separator + "[" + name + ", " + nameOf(output.values[1], count) + "]";
                break;
            case Output::Kind::size: types += separator + "int"; returned += separator + name + ".dim()";
        }
    }
    if (outputs.size() > 1) types = "Tuple[" + types + "]";
    return "def forward(self" + parameters + ") -> " + types + ":\n" + body + "    return " + returned;
}

}  // namespace aotscope::test
