#include "support/confine_thread.h"

#if defined(__linux__) && __has_include(<linux/landlock.h>) && __has_include(<linux/seccomp.h>)
#define AOTSCOPE_CAN_CONFINE
#endif

#ifdef AOTSCOPE_CAN_CONFINE

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace aotscope {

namespace {

namespace fs = std::filesystem;

// --- Landlock: files ---

// Not in headers older than the kernel.
constexpr std::uint64_t kRefer = 1ULL << 13, kTruncate = 1ULL << 14;
constexpr std::uint64_t kBindTcp = 1ULL << 0, kConnectTcp = 1ULL << 1;
constexpr std::uint64_t kAbstractSockets = 1ULL << 0, kSignals = 1ULL << 1;

/// The struct of ABI 6; older kernels accept a smaller size.
struct Ruleset {
    std::uint64_t files = 0, network = 0, scoped = 0;
};

constexpr std::uint64_t kWriteFile = LANDLOCK_ACCESS_FS_WRITE_FILE;
constexpr std::uint64_t kInFolders =
    LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
    LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK |
    LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;
constexpr std::uint64_t kInWritable = LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
                                      LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG;

int landlockVersion() {
    const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return version < 0 ? 0 : static_cast<int>(version);
}

void allow(int ruleset, const fs::path& path, std::uint64_t access) {
    const int file = ::open(path.c_str(), O_PATH | O_CLOEXEC);
    if (file < 0) return;
    landlock_path_beneath_attr rule{};
    rule.allowed_access = access;
    rule.parent_fd = file;
    ::syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    ::close(file);
}

/// A GPU's driver opens its devices for writing, and caches compiled kernels.
void allowGpu(int ruleset, std::uint64_t write) {
    std::error_code failure;
    bool any = false;
    for (const auto& entry : fs::directory_iterator("/dev", failure)) {
        if (!entry.path().filename().string().starts_with("nvidia")) continue;
        allow(ruleset, entry.path(), write);
        any = true;
    }
    if (!any) return;
    if (const char* cache = std::getenv("CUDA_CACHE_PATH")) return allow(ruleset, cache, write | kInWritable);
    if (const char* home = std::getenv("HOME"))
        allow(ruleset, fs::path(home) / ".nv" / "ComputeCache", write | kInWritable);
}

/// Returns the version in effect; 0: none.
int guardFiles(const std::vector<fs::path>& writable) {
    const int version = landlockVersion();
    if (version < 1) return 0;
    Ruleset wanted;
    wanted.files = LANDLOCK_ACCESS_FS_EXECUTE | kWriteFile | kInFolders;
    if (version >= 2) wanted.files |= kRefer;
    if (version >= 3) wanted.files |= kTruncate;
    if (version >= 4) wanted.network = kBindTcp | kConnectTcp;
    if (version >= 6) wanted.scoped = kAbstractSockets | kSignals;
    const std::size_t size = version >= 6   ? sizeof(Ruleset)
                             : version >= 4 ? offsetof(Ruleset, scoped)
                                            : sizeof(wanted.files);
    const int ruleset = static_cast<int>(::syscall(SYS_landlock_create_ruleset, &wanted, size, 0));
    if (ruleset < 0) return 0;
    const std::uint64_t write = (kWriteFile | kTruncate) & wanted.files;
    allow(ruleset, "/dev/null", write);
    allowGpu(ruleset, write);
    for (const fs::path& folder : writable) allow(ruleset, folder, write | kInWritable);
    const bool done = ::syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
    ::close(ruleset);
    return done ? version : 0;
}

// --- seccomp: programs, the network, and file operations outside of Landlock ---

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kArchitecture = 0;
#endif

/// System calls that fail with "not permitted".
constexpr long kDenied[] = {
    // programs and other processes
    SYS_execve,
    SYS_execveat,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kill,
    SYS_tkill,
    SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo,
    SYS_setns,
    SYS_unshare,
    SYS_chroot,
    SYS_pivot_root,
    SYS_mount,
    SYS_umount2,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
#ifdef SYS_fork
    SYS_fork,
    SYS_vfork,
#endif
#ifdef SYS_pidfd_send_signal
    SYS_pidfd_send_signal,
#endif
#ifdef SYS_pidfd_getfd
    SYS_pidfd_getfd,
#endif
    // the network, and local sockets
    SYS_socket,

    SYS_connect,
    SYS_bind,
    SYS_listen,
    SYS_accept,
    SYS_accept4,
    SYS_sendto,
    SYS_sendmsg,
    SYS_sendmmsg,
    // files without their paths
    SYS_open_by_handle_at,
    SYS_mq_open,
#ifdef SYS_io_uring_setup
    SYS_io_uring_setup,
    SYS_io_uring_enter,
    SYS_io_uring_register,
#endif
    // file metadata: owners, permissions, times and attributes
    SYS_fchmod,
    SYS_fchmodat,
    SYS_fchown,
    SYS_fchownat,
    SYS_utimensat,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_fsetxattr,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_fremovexattr,
    SYS_truncate,
#ifdef SYS_chmod
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
    SYS_utime,
    SYS_utimes,
    SYS_futimesat,
#endif
#ifdef SYS_fchmodat2
    SYS_fchmodat2,
#endif
};

constexpr std::uint32_t argument(int index) {  // its lower half, which comes first on all supported machines
    return static_cast<std::uint32_t>(offsetof(seccomp_data, args) +
                                      sizeof(std::uint64_t) * static_cast<unsigned>(index));
}

/// A seccomp filter program, assembled statement by statement.
class Filter {
public:
    void load(std::uint32_t offset) { code_.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset)); }
    void end(std::uint32_t action) { code_.push_back(BPF_STMT(BPF_RET | BPF_K, action)); }
    /// Ends with `action` if the loaded value is `value`.
    void endIf(std::uint32_t value, std::uint32_t action) {
        code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
        end(action);
    }
    void endUnless(std::uint32_t value, std::uint32_t action) {
        code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0));
        end(action);
    }
    void endIfAny(std::uint32_t bits, std::uint32_t action) {
        code_.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1));
        end(action);
    }
    /// The next `count` statements only apply to this system call, whose number is loaded.
    void onlyFor(long call, std::uint8_t count) {
        code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, count));
    }
    bool install() {
        sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
        // Without the flag, some kernels slow such threads down to mitigate attacks that this does not defend against.
        constexpr unsigned allowSpeculation = 1U << 2;
        return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, allowSpeculation, &program) == 0 ||
               ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
    }

private:
    std::vector<sock_filter> code_;
};

bool guardCalls() {
    if (kArchitecture == 0) return false;
    constexpr std::uint32_t deny = SECCOMP_RET_ERRNO | EPERM, unknown = SECCOMP_RET_ERRNO | ENOSYS,
                            permit = SECCOMP_RET_ALLOW;
    Filter filter;
    filter.load(offsetof(seccomp_data, arch));
    filter.endUnless(kArchitecture, deny);
    filter.load(offsetof(seccomp_data, nr));
#ifdef __x86_64__
    filter.endIfAny(0x40000000, unknown);  // the same calls under other numbers (x32)
#endif
    for (const long call : kDenied) filter.endIf(static_cast<std::uint32_t>(call), deny);
    // Its flags are in memory, invisible to a filter: callers fall back to clone.
    filter.endIf(SYS_clone3, unknown);
    // Threads, but no processes.
    filter.onlyFor(SYS_clone, 4);
    filter.load(argument(0));
    filter.endIfAny(0x00010000 /* CLONE_THREAD */, permit);
    filter.end(deny);
    // abort() sends a signal to its own process.
    filter.onlyFor(SYS_tgkill, 4);
    filter.load(argument(0));
    filter.endIf(static_cast<std::uint32_t>(::getpid()), permit);
    filter.end(deny);
    // Terminals would treat such characters as typed.
    filter.onlyFor(SYS_ioctl, 4);
    filter.load(argument(1));
    filter.endIf(TIOCSTI, deny);
    filter.end(permit);
    filter.end(permit);
    return filter.install();
}

}  // namespace

Confinement confineThread(const std::vector<fs::path>& writable) {
    Confinement done;
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return done;
    done.landlock = guardFiles(writable);
    done.seccomp = guardCalls();
    return done;
}

}  // namespace aotscope

#else

namespace aotscope {

Confinement confineThread(const std::vector<std::filesystem::path>& /*writable*/) { return {}; }

}  // namespace aotscope

#endif
