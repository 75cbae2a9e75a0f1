# Sourced by the other scripts: installs what scripts/packages names and builds a preset.

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

say() { printf '\n== %s\n' "$*"; }

# Debian's npm depends on Debian's nodejs; a machine with a Node.js of its own already has npm.
npm_packages() {
  command -v node > /dev/null || echo nodejs
  command -v npm > /dev/null || echo npm
}

# The CPU that this machine is not, whose runtime is built and tested under emulation: the name of its preset.
foreign_cpu() { [ "$(uname -m)" = aarch64 ] && echo x86_64 || echo aarch64; }
cross_packages() { echo "g++-$(foreign_cpu | tr _ -)-linux-gnu"; }

install_packages() {
  local wanted missing=() package
  wanted="$(sed -e 's/#.*//' scripts/packages) $(npm_packages) $(cross_packages)"
  for package in $wanted; do
    dpkg-query -W -f='${Status}' "$package" 2> /dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  say "Installing ${missing[*]}"
  local root=()
  [ "$(id -u)" -eq 0 ] || root=(sudo)
  "${root[@]}" apt-get update -qq
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" > /dev/null
}

# build PRESET [TARGET...]
build() {
  local preset=$1
  shift
  say "Building $preset"
  cmake --preset "$preset" > /dev/null
  if [ $# -gt 0 ]; then
    cmake --build --preset "$preset" --target "$@" -- --quiet
  else
    cmake --build --preset "$preset" -- --quiet
  fi
}
