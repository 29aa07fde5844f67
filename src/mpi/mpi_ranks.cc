#include "mpi/mpi_ranks.h"

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <string_view>
#include <thread>

namespace idne {
namespace {

/// MPI counts in int: what is larger goes in pieces.
constexpr std::size_t kPiece = std::size_t{1} << 28;
/// What is less goes in one call, and is in memory twice meanwhile.
constexpr std::size_t kTogether = std::size_t{1} << 20;
/// Longest that processes which fail for the same reason are apart in doing so.
constexpr std::chrono::seconds kFailTogether{3};
constexpr std::chrono::milliseconds kShortestNap{1}, kLongestNap{50};

/// Longest that the first exchange of a few bytes may take, after MPI has brought all processes together; the first
/// process gives up before the others, so that one speaks for all.
constexpr unsigned kSecondsToMeet = 7, kOthersLater = 2;

int int_of(std::size_t size) { return static_cast<int>(size); }

/// Ends this process, and with it all, if they do not hear each other: MPI itself would try for ever, be it that a
/// firewall lies between them, or that one had no memory left for what they share.
class MeetingDeadline {
 public:
  MeetingDeadline() : former_(std::signal(SIGALRM, give_up)) {
    int number = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &number);
    alarm(kSecondsToMeet + (number > 0 ? kOthersLater : 0));
  }
  ~MeetingDeadline() {
    alarm(0);
    std::signal(SIGALRM, former_);
  }
  MeetingDeadline(const MeetingDeadline&) = delete;
  MeetingDeadline& operator=(const MeetingDeadline&) = delete;

 private:
  static void give_up(int) {
    constexpr std::string_view kLine =
        "idne: error: the processes started, but do not hear each other: look for a firewall, or for too little "
        "memory\n";
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kLine.data(), kLine.size());
    _exit(1);
  }
  void (*former_)(int);
};

}  // namespace

struct MpiRanks::State {
  MPI_Comm work = MPI_COMM_NULL;  ///< of our own, so that nobody else's messages get between ours
  MPI_Comm ends = MPI_COMM_NULL;
  std::size_t number = 0, size = 1;
  std::chrono::microseconds delay{};
  std::vector<int> counts, places;  ///< scratch of the meeting that happens every step

  void wait() const {
    if (delay.count() > 0) std::this_thread::sleep_for(delay);
  }
  std::vector<std::uint64_t> sizes_of_all(std::uint64_t own) const {
    std::vector<std::uint64_t> sizes(size);
    MPI_Allgather(&own, 1, MPI_UINT64_T, sizes.data(), 1, MPI_UINT64_T, work);
    return sizes;
  }
};

MpiRanks::MpiRanks(std::chrono::microseconds delay) : state_(std::make_unique<State>()) {
  int granted = 0;
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &granted) != MPI_SUCCESS ||
      granted < MPI_THREAD_SERIALIZED) {
    throw Error("MPI cannot be used with threads here");
  }
  {
    const MeetingDeadline deadline;
    MPI_Comm_dup(MPI_COMM_WORLD, &state_->work);
    MPI_Comm_dup(MPI_COMM_WORLD, &state_->ends);
  }
  int number = 0, size = 1;
  MPI_Comm_rank(state_->work, &number);
  MPI_Comm_size(state_->work, &size);
  state_->number = static_cast<std::size_t>(number);
  state_->size = static_cast<std::size_t>(size);
  state_->delay = delay;
}

MpiRanks::~MpiRanks() {
  int ended = 0;
  MPI_Finalized(&ended);
  if (!ended) MPI_Finalize();
}

std::size_t MpiRanks::number() const { return state_->number; }
std::size_t MpiRanks::size() const { return state_->size; }

bool MpiRanks::all_end(bool failed) {
  using Clock = std::chrono::steady_clock;
  MPI_Request request;
  MPI_Ibarrier(state_->ends, &request);
  const auto begin = Clock::now();
  for (int all = 0; !failed || Clock::now() - begin < kFailTogether;) {
    MPI_Test(&request, &all, MPI_STATUS_IGNORE);
    if (all) return true;
    // Those who leave a verb to one process may be here for days.
    std::this_thread::sleep_for(std::clamp<Clock::duration>((Clock::now() - begin) / 16, kShortestNap, kLongestNap));
  }
  return false;
}

void MpiRanks::abort(int code) {
  MPI_Abort(MPI_COMM_WORLD, code);
  std::abort();  // MPI_Abort does not come back
}

std::vector<Bytes> MpiRanks::do_all_gather(std::span<const std::byte> own) {
  state_->wait();
  const std::vector<std::uint64_t> sizes = state_->sizes_of_all(own.size());
  std::vector<Bytes> all(state_->size);
  std::uint64_t sum = 0;
  for (const std::uint64_t size : sizes) sum += size;
  if (sum < kTogether) {
    std::vector<int> counts, places;
    int place = 0;
    for (const std::uint64_t size : sizes) {
      counts.push_back(int_of(size));
      places.push_back(place);
      place += int_of(size);
    }
    Bytes joined(sum);
    MPI_Allgatherv(own.data(), int_of(own.size()), MPI_BYTE, joined.data(), counts.data(), places.data(), MPI_BYTE,
                   state_->work);
    for (std::size_t r = 0; r < all.size(); ++r) {
      all[r].assign(joined.begin() + places[r], joined.begin() + places[r] + counts[r]);
    }
    return all;
  }
  for (std::size_t r = 0; r < all.size(); ++r) {
    if (r == state_->number) {
      all[r].assign(own.begin(), own.end());
    } else {
      all[r].resize(sizes[r]);
    }
    do_broadcast(r, all[r]);
  }
  return all;
}

std::vector<Bytes> MpiRanks::do_gather(std::span<const std::byte> own) {
  std::vector<Bytes> to(state_->size);
  to[0].assign(own.begin(), own.end());
  std::vector<Bytes> from = do_exchange(to);
  if (state_->number != 0) from.clear();
  return from;
}

std::vector<Bytes> MpiRanks::do_exchange(const std::vector<Bytes>& to) {
  state_->wait();
  std::vector<std::uint64_t> out(state_->size), in(state_->size);
  for (std::size_t r = 0; r < to.size(); ++r) out[r] = to[r].size();
  MPI_Alltoall(out.data(), 1, MPI_UINT64_T, in.data(), 1, MPI_UINT64_T, state_->work);
  std::vector<Bytes> from(state_->size);
  std::vector<MPI_Request> requests;
  const auto post = [&](std::size_t size, const auto& one) {
    for (std::size_t begin = 0; begin < size; begin += kPiece) {
      requests.push_back(MPI_REQUEST_NULL);
      one(begin, int_of(std::min(kPiece, size - begin)), &requests.back());
    }
  };
  for (std::size_t r = 0; r < from.size(); ++r) {
    from[r].resize(in[r]);
    if (r == state_->number) continue;
    post(in[r], [&](std::size_t begin, int size, MPI_Request* request) {
      MPI_Irecv(from[r].data() + begin, size, MPI_BYTE, int_of(r), 0, state_->work, request);
    });
  }
  for (std::size_t r = 0; r < to.size(); ++r) {
    if (r == state_->number) continue;
    post(to[r].size(), [&](std::size_t begin, int size, MPI_Request* request) {
      MPI_Isend(to[r].data() + begin, size, MPI_BYTE, int_of(r), 0, state_->work, request);
    });
  }
  from[state_->number] = to[state_->number];
  MPI_Waitall(int_of(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  return from;
}

void MpiRanks::do_broadcast(std::size_t root, std::span<std::byte> bytes) {
  state_->wait();
  for (std::size_t begin = 0; begin < bytes.size(); begin += kPiece) {
    const std::size_t size = std::min(kPiece, bytes.size() - begin);
    MPI_Bcast(bytes.data() + begin, int_of(size), MPI_BYTE, int_of(root), state_->work);
  }
}

void MpiRanks::do_all_gather(std::span<const float> own, std::span<const std::size_t> counts, std::span<float> all) {
  state_->wait();
  state_->counts.clear(), state_->places.clear();
  int place = 0;
  for (const std::size_t count : counts) {
    state_->counts.push_back(int_of(count));
    state_->places.push_back(place);
    place += int_of(count);
  }
  MPI_Allgatherv(own.data(), int_of(own.size()), MPI_FLOAT, all.data(), state_->counts.data(), state_->places.data(),
                 MPI_FLOAT, state_->work);
}

void MpiRanks::do_add_up(std::span<std::uint64_t> numbers) {
  state_->wait();
  for (std::size_t begin = 0; begin < numbers.size(); begin += kPiece) {
    const std::size_t size = std::min(kPiece, numbers.size() - begin);
    MPI_Allreduce(MPI_IN_PLACE, numbers.data() + begin, int_of(size), MPI_UINT64_T, MPI_SUM, state_->work);
  }
}

}  // namespace idne
