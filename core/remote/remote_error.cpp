#include "remote/remote_error.h"

#include "ops/operator_kinds.h"
#include "program/inputs/input_spec.h"
#include "remote/frame.h"
#include "remote/remote_options.h"
#include "support/error.h"

#include <new>

namespace aotscope {

namespace {

using nlohmann::json;

json errorOfKind(const char* kind, const std::string& text) { return {{"kind", kind}, {"text", text}}; }

}  // namespace

json errorJson(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const Cancelled&) {
        return errorOfKind("cancelled", {});
    } catch (const InputsNeeded& e) {
        json content = errorOfKind("inputs", e.what());
        content["suggestion"] = printInputSpec(e.suggestion);
        content["names"] = e.names;
        return content;
    } catch (const OperatorsRefused& e) {
        json content = errorOfKind("operators", e.what());
        content["kinds"] = kindsJson(e.kinds);
        content["operators"] = e.operators;
        return content;
    } catch (const UsageError& e) {
        return errorOfKind("usage", e.what());
    } catch (const std::bad_alloc&) {
        return errorOfKind("memory", {});
    } catch (const Error& e) {
        return errorOfKind("error", e.what());
    } catch (const std::exception& e) {
        return errorOfKind("error", firstSentence(e.what()));
    }
}

void throwRemoteError(const json& error) {
    const std::string kind = textOf(error, "kind"), text = textOf(error, "text");
    if (kind == "cancelled") throw Cancelled();
    if (kind == "memory") throw Error("there is not enough memory; choose smaller inputs or a smaller model");
    if (kind == "inputs")
        throw InputsNeeded(text, parseInputSpec(textOf(error, "suggestion"), "the suggested input spec"),
                           textsOf(error, "names"));
    if (kind == "operators")
        throw OperatorsRefused(text, kindsFrom(memberOf(error, "kinds")), textsOf(error, "operators"));
    if (kind == "usage") throw UsageError(text);
    throw Error(text);
}

}  // namespace aotscope
