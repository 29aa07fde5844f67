"""What scripts/results and scripts/benchmarks both need to know: the machine, the build, and who else was at work."""
import hashlib, os, pathlib, platform, subprocess, time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def busy_seconds():
    """What all cores together have worked since the machine started."""
    user, nice, system, _, _, *rest = map(int, open("/proc/stat").readline().split()[1:])
    return (user + nice + system + sum(rest[:2])) / os.sysconf("SC_CLK_TCK")


def run(command, stderr=None, env=None):
    """Exit code, standard output, seconds and peak memory in MiB of a command, and the share of the machine that others used
    meanwhile."""
    begin, busy = time.perf_counter(), busy_seconds()
    process = subprocess.Popen([str(c) for c in command], stdout=subprocess.PIPE, stderr=stderr, env=env)
    try:
        out = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
    except KeyboardInterrupt:
        process.wait()
        raise
    seconds = time.perf_counter() - begin
    others = max(0.0, busy_seconds() - busy - usage.ru_utime - usage.ru_stime) / (seconds * os.cpu_count())
    return os.waitstatus_to_exitcode(status), out, seconds, usage.ru_maxrss / 1024, others


def machine():
    model = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), platform.machine())
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{len(os.sched_getaffinity(0))} cores of {model}, {memory:.0f} GiB, Linux {platform.release()}"


def build_of(program):
    return hashlib.sha256(program.read_bytes()).hexdigest()[:12]
