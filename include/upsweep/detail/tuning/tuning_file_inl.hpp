// SPDX-License-Identifier: MIT
#pragma once

#include <upsweep/detail/tuning/loaded_tuning.hpp>
#include <upsweep/detail/values/inline.hpp>
#include <upsweep/tuning_file.hpp>

#include <iosfwd>
#include <string>

namespace upsweep {
inline namespace UPSWEEP_VERSION_NAMESPACE {

UPSWEEP_DEFINED void load_tuning(std::istream& in, const std::string& name) {
    detail::tuning_registry::get().add(detail::read_tuning(detail::lines_of(in, name), name));
}

UPSWEEP_DEFINED void load_tuning(const std::string& path) {
    detail::tuning_registry::get().add(detail::read_tuning_file(path));
}

UPSWEEP_DEFINED void unload_tuning() {
    detail::tuning_registry::get().clear();
}

} // namespace UPSWEEP_VERSION_NAMESPACE
} // namespace upsweep
