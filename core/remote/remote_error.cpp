#include "remote/remote_error.h"

#include "ops/operator_kinds.h"
#include "program/inputs/input_spec.h"
#include "remote/remote_options.h"
#include "support/error.h"
#include "support/json/message_members.h"

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

std::exception_ptr remoteError(const json& error) {
    const std::string kind = textOf(error, "kind"), text = textOf(error, "text");
    if (kind == "cancelled") return std::make_exception_ptr(Cancelled());
    if (kind == "memory")
        return std::make_exception_ptr(Error("there is not enough memory; choose smaller inputs or a smaller model"));
    if (text.empty()) throw Error("sends an error without a text");
    if (kind == "inputs")
        return std::make_exception_ptr(InputsNeeded(
            text, parseInputSpec(textOf(error, "suggestion"), "sends an input spec"), textsOf(error, "names")));
    if (kind == "operators")
        return std::make_exception_ptr(
            OperatorsRefused(text, kindsFrom(memberOf(error, "kinds")), textsOf(error, "operators")));
    if (kind == "usage") return std::make_exception_ptr(UsageError(text));
    return std::make_exception_ptr(Error(text));
}

}  // namespace aotscope
