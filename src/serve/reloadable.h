#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <utility>

#include "idne/run.h"
#include "text/times.h"

namespace idne {

/// How often something was loaded anew, and how the last time went.
struct ReloadStatus {
  std::uint64_t done = 0, failed = 0;
  std::string loaded;          ///< when what is there now was loaded
  std::string failed_at, why;  ///< of the last time, if that failed; else ""
};

/// Something that is used by many threads and loaded anew now and then, on a thread of its own and one at a time. Users
/// keep what they took for as long as they need it; what nobody uses any more is gone.
template <class T>
class Reloadable {
 public:
  using Pointer = std::shared_ptr<const T>;
  /// Throws what goes wrong; the old one then stays. run.stopped tells when nobody waits for it any more.
  using Load = std::function<Pointer(const Run& run)>;
  /// Called after each time but the first, on the thread that loads: what there is now, and why it is still the old
  /// one, or "".
  using Report = std::function<void(const Pointer& now, const std::string& why)>;

  /// Loads for the first time. Throws what that throws.
  Reloadable(Load load, Report report, const Run& run) : Reloadable(std::move(load), std::move(report)) { begin(run); }
  /// There is nothing until begin() has ended, or offer().
  Reloadable(Load load, Report report) : load_(std::move(load)), report_(std::move(report)) {}
  /// What there is until begin() has ended: something that can be had sooner.
  void offer(Pointer first) {
    const std::lock_guard lock(mutex_);
    now_ = std::move(first);
    status_.loaded = utc_now();
  }
  /// Loads for the first time. Throws what that throws.
  void begin(const Run& run) { begin(load_(run), run); }
  /// With what has been loaded already.
  void begin(Pointer first, const Run& run) {
    const std::lock_guard lock(mutex_);
    now_ = std::move(first);
    threads_ = run.threads;
    status_.loaded = utc_now();
    thread_ = std::jthread([this] { work(); });
  }
  ~Reloadable() { stop(); }
  Reloadable(const Reloadable&) = delete;
  Reloadable& operator=(const Reloadable&) = delete;

  /// Null until begin() has ended, or offer().
  Pointer now() const {
    const std::lock_guard lock(mutex_);
    return now_;
  }
  ReloadStatus status() const {
    const std::lock_guard lock(mutex_);
    return status_;
  }

  /// Returns at once. Whoever asks while it loads is answered by one more time after that.
  void reload() {
    const std::lock_guard lock(mutex_);
    asked_ = true;
    changed_.notify_one();
  }
  /// Begins nothing new, and tells what is being loaded that it is not wanted any more.
  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_one();
  }

 private:
  void work() {
    for (;;) {
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return asked_ || stopped_; });
        if (stopped_) return;
        asked_ = false;
      }
      std::string why;
      Pointer fresh = try_to_load(why);
      if (!fresh && stopped_) return;
      {
        const std::lock_guard lock(mutex_);
        if (fresh) {
          now_.swap(fresh);
          ++status_.done;
          status_.loaded = utc_now();
        } else {
          ++status_.failed;
        }
        status_.failed_at = why.empty() ? "" : utc_now();
        status_.why = why;
      }
      fresh.reset();  // the old one, unless a user has it
      report_(now(), why);
    }
  }

  Pointer try_to_load(std::string& why) {
    Run run;
    run.threads = threads_;
    run.stopped = [this] { return stopped_.load(); };
    try {
      return load_(run);
    } catch (const std::bad_alloc&) {
      why = "not enough memory";
    } catch (const std::exception& error) {
      why = error.what();
    }
    return nullptr;
  }

  const Load load_;
  const Report report_;
  int threads_ = 1;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Pointer now_;
  ReloadStatus status_;
  bool asked_ = false;
  std::atomic<bool> stopped_{false};
  std::jthread thread_;  // last: it uses the rest
};

}  // namespace idne
