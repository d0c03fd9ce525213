// SPDX-License-Identifier: MIT
// Must not compile: iterators over device memory (here in the manner of Boost.Compute) are no host range.
#include <upsweep/upsweep.hpp>

#include <vector>

namespace {

struct buffer_iterator : std::vector<int>::iterator {
    int get_buffer() const { return 0; }
};

} // namespace

int main() {
    cl::CommandQueue queue = upsweep::default_queue();
    std::vector<int> out(8);
#if defined(SCANS)
    upsweep::inclusive_scan(queue, buffer_iterator(), buffer_iterator(), out.begin());
#elif defined(WRITES)
    upsweep::exclusive_scan(queue, out.begin(), out.end(), buffer_iterator(), 0);
#else
    return upsweep::reduce(queue, buffer_iterator(), buffer_iterator());
#endif
}
