# Sourced by the other scripts: installs what scripts/packages names and builds a preset.

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

# say SENTENCE: with the seconds since the script began.
say() { printf '\n== %s (%d s)\n' "$*" "$SECONDS"; }

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

# make_soak_bundles FOLDER: bundles of four levels in all precisions there, for test_soak beside those that you name.
make_soak_bundles() {
  local folder=$1 sinew=build/release/bin/sinew precision
  say "Making bundles of four levels in all precisions"
  $sinew character biped --vertices 5000 -o "$folder/body.glb" --quiet
  $sinew lod "$folder/body.glb" -o "$folder/body.lod" --quiet
  $sinew poses "$folder/body.glb" --count 60 -o "$folder/body.poses" --quiet
  $sinew dataset procedural "$folder/body.glb" --poses "$folder/body.poses" -o "$folder/body.dataset" --quiet
  $sinew train "$folder/body.dataset" --hierarchy "$folder/body.lod" --steps 200 -o "$folder/body.deformer" --quiet
  for precision in f32 f16 i8; do
    $sinew bake "$folder/body.deformer" --precision $precision -o "$folder/$precision.sinew" --quiet
    SINEW_SOAK_BUNDLES=${SINEW_SOAK_BUNDLES:+$SINEW_SOAK_BUNDLES:}$folder/$precision.sinew
  done
  export SINEW_SOAK_BUNDLES
}

# run_tests PRESET TEST...: as many at once as there are cores; one line each, and the whole output of one that fails. The leak
# checker of clang 14 itself crashes now and then, in its tracer, after a test that has passed: then the test runs again.
run_tests() {
  local preset=$1
  shift
  export RC_PARAMS=seed=1
  printf '%s\n' "$@" | xargs -P "$(nproc)" -I '{}' bash -c '
    begin=$SECONDS
    log=build/'"$preset"'/{}.log
    for tries in once again "a third time"; do
      if build/'"$preset"'/bin/{} --gtest_brief=1 > $log 2>&1; then
        [ "$tries" = once ] || echo "{}: the leak checker crashed, so it was run $tries"
        echo "{}: $(tail -n 1 $log | tr -s " "), $((SECONDS - begin)) s"
        exit 0
      fi
      grep -q "^Tracer caught signal" $log && grep -q "^\[  PASSED  \]" $log || break
    done
    cat $log
    echo "{} failed under '"$preset"'" >&2
    exit 255'
}
