// SPDX-License-Identifier: Apache-2.0
// What all tests include, precompiled (tests/CMakeLists.txt), needs a source of its own.
