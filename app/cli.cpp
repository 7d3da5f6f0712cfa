#include "cli.h"

#include "io/report.h"
#include "io/text_report.h"
#include "session.h"
#include "support/file.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <iostream>

namespace aotscope {

int runCommandLine(int argc, char** argv) {
    initializeTorch();
    Options o;
    o.model = argv[1];
    for (int i = 2; i < argc; ++i) {
        std::string a = argv[i];
        if (a == "--default") o.partition = PartitionAlgorithm::standard;
        else if (a == "--eval") o.mode = ModuleMode::eval;
        else if (a == "--inference") o.inference = true;
        else if (a == "--static") o.staticParameters = true;
        else if (a == "--verify") o.verify = true;
        else if (a.ends_with(".pt")) o.inputs = std::filesystem::path(a);
        else if (a.ends_with(".json")) o.inputs = readInputSpec(a);
    }
    try {
        for (int i = 0; i < 3; ++i) {
            auto s = Session::open(o, {});
            std::cout << summaryText(*s->record()) << passesText(*s->record()) << s->record()->error << "\n";
            if (i == 2) {
                if (getenv("TXT")) std::cout << makeReport(o, *s->record(), nullptr, nullptr).dump(1);
                std::cout << checkText(s->check({}));
                if (getenv("TIME")) std::cout << timingText(s->time(10, {}), 10);
            }
        }
    } catch (const std::exception& e) {
        std::cerr << e.what() << "\n";
        return 1;
    }
    return 0;
}

}  // namespace aotscope
