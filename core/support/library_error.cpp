#include "support/library_error.h"

#include <array>

namespace aotscope {

namespace {

struct Translation {
    std::string_view found;  ///< in the message
    std::string_view sentence;
};

constexpr std::array kTranslations = {
    // LibTorch
    Translation{"a mutation on a view chain",
                "the model writes into a view that as_strided made of another view; no functional operation can repeat "
                "that, so write into the tensor itself or into a clone of the view"},
    Translation{"being mutated that has internal overlap",
                "the model writes into a tensor whose elements share memory (made by expand, unfold or as_strided): "
                "what eager leaves there depends on the order in which its kernel happens to write, which no "
                "functional operation can repeat; write into a clone of it"},
    Translation{"cannot mutate tensors with frozen storage",
                "cannot mutate tensors with frozen storage: the model writes into an old view of a tensor that got a "
                "new storage (set_); write into the tensor itself"},
    Translation{"a leaf Variable that requires grad is being used in an in-place operation",
                "the model writes into a leaf that requires a gradient, which autograd refuses in eager, too; write "
                "into a clone of it, leave out its gradient, or give an input that an operation makes, as "
                "{\"op\": \"mul_scalar\"} of an input spec does"},
    Translation{"SparseTensorImpl",
                "a tensor is sparse, and only dense (strided) tensors are supported; make it dense "
                "with to_dense()"},
    Translation{"SparseCsrTensorImpl",
                "a tensor is sparse, and only dense (strided) tensors are supported; make it "
                "dense with to_dense()"},
    Translation{"IValue is not a Scalar", "a value is not a number where one is expected"},
    Translation{"no fake impl",
                "the operator has no rule that tells the shapes of its results; define it with "
                "--define"},
    // the C++ library
    Translation{"std::get: ", "a value is of another kind than expected"},
    Translation{"std::bad_variant_access", "a value is of another kind than expected"},
    Translation{"bad optional access", "a value that is needed is missing"},
    Translation{"bad any_cast", "a value is of another kind than expected"},
    Translation{"std::bad_cast", "a value is of another kind than expected"},
    Translation{"bad_function_call", "something that is needed is missing"},
    Translation{"_M_range_check", "an index is out of range"},
    Translation{"map::at", "a name is unknown"},
    Translation{"basic_string::", "a text is shorter than expected"},
    Translation{"cannot create std::vector larger than max_size()", "a size is too large"},
    Translation{"vector::_M_", "a size is too large"},
    Translation{"std::bad_alloc", "out of memory; choose smaller inputs or a smaller model"},
};

/// "stoi", "stod" as the whole message.
bool isNumberConversion(std::string_view message) {
    return message.size() <= 6 && message.starts_with("sto") && message.find(' ') == std::string_view::npos;
}

/// " (in aten.sub_.Tensor, model.py:44)".
std::string_view placeBehind(std::string_view message) {
    const auto at = message.rfind(" (in ");
    return message.ends_with(')') && at != std::string_view::npos ? message.substr(at) : std::string_view();
}

/// TorchScript's error for a value that is read as another type: "Expected Tensor but got None".
std::string withoutGot(std::string_view message) {
    constexpr std::string_view expected = "Expected ", got = " but got ";
    const auto at = message.find(got);
    const std::string_view type =
        at == std::string_view::npos ? "" : message.substr(expected.size(), at - expected.size());
    if (!message.starts_with(expected) || type.empty() || type.find(' ') != std::string_view::npos)
        return std::string(message);
    const std::string_view found = message.substr(at + got.size());
    return "a value of type " + std::string(found.substr(0, found.find_first_of(" ("))) + " stands where one of type " +
           std::string(type) + " is expected";
}

}  // namespace

std::string_view withoutJsonClass(std::string_view message) {
    if (!message.starts_with("[json.exception.")) return message;
    const auto end = message.find("] ");
    return end == std::string_view::npos ? message : message.substr(end + 2);
}

std::string translatedLibraryError(std::string_view message) {
    const std::string place(placeBehind(message));
    for (const Translation& known : kTranslations)
        if (message.find(known.found) != std::string_view::npos) return std::string(known.sentence) + place;
    if (isNumberConversion(message)) return "a number cannot be read";
    std::string text = withoutGot(withoutJsonClass(message));
    return text == message || text.ends_with(place) ? text : text + place;
}

}  // namespace aotscope
