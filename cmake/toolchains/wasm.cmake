# WebAssembly with 128-bit vectors by Debian's emscripten; tests run under Node.js. The preset's environment says where
# emscripten finds its JavaScript parser.
include(/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake)
# Exceptions are for tests and readers: the runtime's own flags refuse them. WebAssembly's own need no JavaScript.
set(CMAKE_CXX_FLAGS_INIT "-msimd128 -fwasm-exceptions")
# This emscripten would fetch its own file if it could.
set(CMAKE_CROSSCOMPILING_EMULATOR node --no-experimental-fetch)
# There are none, and nothing needs a library for that: pools get no threads and work on the caller's.
set(CMAKE_HAVE_LIBC_PTHREAD TRUE)
set(CMAKE_EXE_LINKER_FLAGS_INIT "-sALLOW_MEMORY_GROWTH")
