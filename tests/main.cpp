// Catch2 v2 has no library, so its main() is compiled here; v3 links Catch2::Catch2WithMain and this file is empty.
#if !__has_include(<catch2/catch_all.hpp>)
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif
