# SPDX-License-Identifier: MIT
set(VCPKG_POLICY_EMPTY_PACKAGE enabled)
