// Prints what a model saves for backward: aotscope's pipeline in a program of one's own.
#include <record/compile_record.h>
#include <session/session.h>
#include <support/error.h>

#include <iostream>

int main(int argc, char** argv) {
    try {
        aotscope::initializeTorch();
        aotscope::Options options;
        options.model = argc > 1 ? argv[1] : "sample:mlp";
        const auto record = aotscope::Session::open(options, {})->record();
        if (!record->error.empty()) throw aotscope::Error(record->error);
        if (!record->partition) throw aotscope::Error(options.model + ": there is no backward graph");
        for (const aotscope::SavedValue& saved : record->partition->saved)
            std::cout << saved.name << " (" << saved.op << "): " << saved.reason << "\n";
    } catch (const std::exception& e) {
        std::cerr << "saved_tensors: " << e.what() << "\n";
        return 1;
    }
    return 0;
}
