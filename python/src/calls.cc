#include "calls.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace idne::python {
namespace {

constexpr std::chrono::milliseconds kLook{50};

/// What the work told last.
struct Told {
  std::string stage;
  std::uint64_t done = 0, total = 0;
  double loss = 0;
};

void tell(const py::object& progress, const Told& told) {
  progress(told.stage, told.done, told.total, std::isnan(told.loss) ? py::object(py::none()) : py::float_(told.loss));
}

}  // namespace

void run_beside(const Calling& calling, const std::function<void(const Run&)>& work) {
  std::atomic<bool> stop{false};
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<Told> news;  // these three are the mutex's
  bool done = false;
  std::exception_ptr failure;
  std::optional<py::error_already_set> raised;

  Run run;
  run.threads = calling.threads;
  run.stopped = [&] { return stop.load(std::memory_order_relaxed); };
  if (!calling.progress.is_none()) {
    run.progress = [&](const Progress& progress) {
      const std::lock_guard lock(mutex);
      news = Told{std::string(progress.stage), progress.done, progress.total, progress.loss};
    };
  }
  const auto look = [&](const std::optional<Told>& told) {
    if (raised) return;
    const py::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() != 0) {
      raised.emplace();
    } else if (told) {
      try {
        tell(calling.progress, *told);
      } catch (py::error_already_set& error) {
        raised.emplace(std::move(error));
      }
    }
    if (raised) stop = true;
  };
  {
    const py::gil_scoped_release unlocked;
    std::thread worker([&] {
      try {
        work(run);
      } catch (...) {
        failure = std::current_exception();
      }
      const std::lock_guard lock(mutex);
      done = true;
      changed.notify_one();
    });
    std::unique_lock lock(mutex);
    while (!changed.wait_for(lock, kLook, [&] { return done; })) {
      const std::optional<Told> told = std::exchange(news, std::nullopt);
      lock.unlock();
      look(told);
      lock.lock();
    }
    lock.unlock();
    worker.join();
  }
  if (!raised && !failure && news) tell(calling.progress, *news);
  if (raised) throw py::error_already_set(std::move(*raised));
  if (failure) std::rethrow_exception(failure);
}

}  // namespace idne::python
