# Linux on x86-64 with AVX2 (Highway's AVX2 wants the features that came with it, too), from any other machine; tests
# run under qemu-user, which has AVX2 since version 7.2.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER x86_64-linux-gnu-g++)
set(CMAKE_CXX_FLAGS_INIT "-mavx2 -mfma -mf16c -mbmi -mbmi2 -maes -mpclmul")
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-x86_64 -cpu max -L /usr/x86_64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH /usr/x86_64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
