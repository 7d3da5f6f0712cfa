// The books that this process uses, by device.

#include "cost/book/known_operators.h"
#include "cost/book/book_file.h"
#include "cost/book/record_costs.h"
#include "cost/book/signature.h"
#include "cost/calibration.h"
#include "cost/known_machines.h"
#include "device/device.h"

#include <ATen/Parallel.h>

#include <chrono>
#include <map>
#include <mutex>

namespace aotscope {

namespace {

/// What shows that another process has changed a file.
struct FileState {
    std::filesystem::file_time_type time;
    std::uintmax_t size = 0;

    explicit FileState(const std::filesystem::path& file) {
        std::error_code missing;
        time = std::filesystem::last_write_time(file, missing);
        size = std::filesystem::file_size(file, missing);
    }
    bool operator==(const FileState&) const = default;
};

class Books {
public:
    std::shared_ptr<const OperatorBook> get(const std::string& device) {
        const std::lock_guard lock(mutex_);
        return current(device).book;
    }
    std::string note(const std::string& device) {
        const std::lock_guard lock(mutex_);
        return current(device).note;
    }
    void add(const std::string& device, const OperatorBook& news) {
        const std::lock_guard lock(mutex_);
        Kept& kept = current(device);
        OperatorBook all = *kept.book;  // the file may have been unwritable
        all.add(addToBook(kept.file, kept.machine, news));
        kept.book = std::make_shared<const OperatorBook>(std::move(all));
        kept.state = FileState(kept.file);
    }

private:
    struct Kept {
        CalibratedMachine machine;
        std::filesystem::path file;
        FileState state;
        std::shared_ptr<const OperatorBook> book;
        std::string note;
    };

    /// Read again if the file has changed.
    Kept& current(const std::string& device) {
        auto known = books_.find(device);
        if (known == books_.end()) {
            const CalibratedMachine machine = thisMachine(device);
            const std::filesystem::path file = bookFile(machine);
            known = books_.emplace(device, Kept{machine, file, FileState({}), nullptr, {}}).first;
        }
        Kept& kept = known->second;
        kept.file = bookFile(kept.machine);  // the folder is that of the environment
        if (const FileState state(kept.file); !kept.book || state != kept.state) {
            KeptBook read = readBook(kept.file, kept.machine);
            kept.state = state;
            kept.note = std::move(read.note);
            kept.book = std::make_shared<const OperatorBook>(std::move(read.book));
        }
        return kept;
    }

    std::mutex mutex_;
    std::map<std::string, Kept> books_;
};

Books& books() {
    static Books all;
    return all;
}

}  // namespace

std::shared_ptr<const OperatorBook> operatorBook(const std::string& device) {
    if (!whyDeviceCannotRun(device).empty()) return std::make_shared<const OperatorBook>();
    return books().get(device);
}

std::string operatorBookNote(const std::string& device) {
    return whyDeviceCannotRun(device).empty() ? books().note(device) : std::string();
}

void keepOperators(const std::string& device, const std::vector<OperatorEntry>& entries) {
    if (entries.empty()) return;
    using namespace std::chrono;
    OperatorBook news;
    for (OperatorEntry entry : entries) {
        entry.day = duration_cast<days>(system_clock::now().time_since_epoch()).count();
        news.add(std::move(entry));
    }
    books().add(device, news);
}

std::shared_ptr<const OperatorCosts> knownCosts(const CompileRecord& record, const std::string& device) {
    return std::make_shared<const OperatorCosts>(costsIn(*operatorBook(device), record, at::get_num_threads()));
}

RuntimeModel bookTimes(const std::string& device) {
    /// What was found, by signature: the nearest ones take a while to find.
    struct Found {
        std::mutex mutex;
        std::map<std::uint64_t, std::optional<double>> us;
    };
    RuntimeModel model = rooflineTimes(machineOf(device));
    model.roofline = [device, found = std::make_shared<Found>(), roofline = model.roofline](const Node& node) {
        const std::uint64_t signature = signatureNumber(node);
        if (signature == 0) return roofline(node);
        const std::lock_guard lock(found->mutex);
        const auto [at, isNew] = found->us.try_emplace(signature);
        if (isNew) at->second = operatorBook(device)->costOf(node, at::get_num_threads()).us;
        return at->second ? *at->second / 1000 : roofline(node);
    };
    model.known = [device](const Graph& graph) {
        CompileRecord record;
        record.graphs[GraphKind::joint] = {std::shared_ptr<const Graph>(), &graph};
        return knownCosts(record, device);
    };
    return model;
}

}  // namespace aotscope
