// The runtime in WebAssembly under Node.js, against what the native program wrote (SINEW_FIXTURE, by scripts/viewer).
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Memory } from '../src/runtime/memory';
import { Instance, kInterrupted, Runtime } from '../src/runtime/runtime';
import { texturesOf } from '../src/runtime/textures';
import { readNpy, readPoses, worstDistance } from './files';

const fixture = process.env['SINEW_FIXTURE']!;
const wasm = readFileSync(process.env['SINEW_WASM']!);
const kTolerance = 1e-5;  // of the body's height

const poses = readPoses(join(fixture, 'test.poses'));
const runtime = await Runtime.load(wasm);
const open = (file: string) => runtime.open(readFileSync(join(fixture, file)), file);

// Numbers in [0, 1) that are the same in every run.
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

test('the module asks for the clock and nothing else', () => {
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(wasm));
  assert.deepEqual(imports, [{ module: 'page', name: 'now', kind: 'function' }]);
});

test('memory is given once, aligned, and comes back', () => {
  const memory = new Memory(new WebAssembly.Memory({ initial: 2, maximum: 1000 }), 1001);
  const next = random(1), blocks: { at: number; bytes: number }[] = [];
  for (let step = 0; step < 2000; ++step) {
    if (blocks.length > 0 && next() < 0.48) {
      const [gone] = blocks.splice(Math.floor(next() * blocks.length), 1);
      memory.release(gone!.at);
      continue;
    }
    const bytes = Math.floor(next() ** 4 * 300000), at = memory.allocate(bytes);
    assert.ok(at >= 1001 && at % 64 === 0 && at + bytes <= memory.buffer.byteLength);
    for (const other of blocks) assert.ok(at + bytes <= other.at || other.at + other.bytes <= at, 'blocks overlap');
    blocks.push({ at, bytes });
  }
  for (const { at } of blocks) memory.release(at);
  assert.equal(memory.usedBytes, 0);
  const all = memory.buffer.byteLength;
  memory.allocate(all - 1024 - 64);
  assert.equal(memory.buffer.byteLength, all, 'what was released is one block again');
  assert.throws(() => memory.release(12));
});

for (const precision of ['f32', 'f16', 'i8']) {
  test(`${precision}: every level in every pose is where the native runtime puts it`, () => {
    const character = open(`body_${precision}.sinew`);
    const instance = new Instance(character);
    let worst = 0;
    character.levels.forEach((_, i) => {
      const expected = readNpy(join(fixture, `sinew_${precision}_${i + 1}.npy`));
      assert.equal(expected.shape[0], poses.length);
      poses.forEach((pose, frame) => {
        instance.evaluate(pose, { level: i + 1, method: 'sinew', normals: 'triangles' });
        const floats = 3 * character.level(i + 1).vertices;
        const native = expected.values.subarray(frame * floats, (frame + 1) * floats);
        worst = Math.max(worst, worstDistance(instance.positions(i + 1), native));
      });
    });
    console.log(`${precision}: off by ${(worst / character.height).toExponential(1)} of the height at most`);
    assert.ok(worst <= kTolerance * character.height, `off by ${worst} m`);
    instance.close();
    character.close();
  });
}

for (const precision of ['f32', 'f16', 'i8']) {
  test(`${precision}: floats in place of half floats are the same character in more memory`, () => {
    const before = runtime.memory.usedBytes, bytes = readFileSync(join(fixture, `body_${precision}.sinew`));
    const stored = runtime.open(bytes, 'stored', 'as stored'), memory_stored = runtime.memory.usedBytes - before;
    const floats = runtime.open(bytes, 'floats'), memory_floats = runtime.memory.usedBytes - before - memory_stored;
    assert.deepEqual(floats.levels, stored.levels);
    assert.equal(memory_floats > memory_stored, precision !== 'f32');
    const a = new Instance(stored), b = new Instance(floats), level = stored.levels.length;
    for (const pose of poses) {
      for (const instance of [a, b]) instance.evaluate(pose, { level, method: 'sinew', normals: 'triangles', coarser: true });
      stored.levels.forEach((_, i) => {
        assert.deepEqual(b.positions(i + 1), a.positions(i + 1));
        assert.deepEqual(b.normals(i + 1), a.normals(i + 1));
      });
    }
    for (const open of [a, b, stored, floats]) open.close();
    assert.equal(runtime.memory.usedBytes, before);
  });
}

for (const [method, name] of [['linear', 'lbs'], ['dual', 'dqs']] as const) {
  test(`${method}: skinning without correctives is the native one`, () => {
    const character = open('body_i8.sinew'), instance = new Instance(character);
    const finest = character.levels.length, floats = 3 * character.level(finest).vertices;
    const expected = readNpy(join(fixture, `${name}.npy`));
    poses.forEach((pose, frame) => {
      instance.evaluate(pose, { level: finest, method, normals: 'skinned' });
      const native = expected.values.subarray(frame * floats, (frame + 1) * floats);
      const off = worstDistance(instance.positions(finest), native);
      assert.ok(off <= kTolerance * character.height, `frame ${frame}: off by ${off} m`);
    });
    instance.close();
    character.close();
  });
}

test('a budget decides which level is reached, not its values', () => {
  const character = open('body_f32.sinew'), instance = new Instance(character);
  const finest = character.levels.length;
  const hurried = instance.evaluate(poses[0]!, { level: finest, method: 'sinew', coarser: true, budgetMs: 1e-6 });
  assert.equal(hurried.level, 1);
  assert.ok((hurried.flags & kInterrupted) !== 0);
  const reached = instance.positions(1).slice();
  const all = instance.evaluate(poses[0]!, { level: finest, method: 'sinew', coarser: true });
  assert.equal(all.level, finest);
  assert.equal(worstDistance(instance.positions(1), reached), 0);
  instance.close();
  character.close();
});

test('at rest nothing is corrected, and displacements are what separates Sinew from skinning', () => {
  const character = open('body_f32.sinew'), instance = new Instance(character);
  const level = character.levels.length;
  const largest = () => instance.displacements(level).reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  instance.evaluate(character.restPose, { level, method: 'sinew', displacements: true });
  assert.ok(largest() < 1e-6);
  instance.evaluate(poses[0]!, { level, method: 'sinew', displacements: true });
  assert.ok(largest() > 1e-4);
  instance.close();
  character.close();
});

test('what is not a bundle is refused with a sentence, and leaves no memory behind', () => {
  const whole = readFileSync(join(fixture, 'body_i8.sinew')), next = random(2), before = runtime.memory.usedBytes;
  const refused = (bytes: Uint8Array) =>
    assert.throws(() => runtime.open(bytes, 'broken'), (error: Error) => error.message.length > 10);
  refused(new Uint8Array(0));
  refused(new TextEncoder().encode('not a bundle at all, but long enough to have a header of sixty-four bytes ......'));
  for (let i = 0; i < 60; ++i) refused(whole.subarray(0, Math.floor(next() * whole.length)));
  for (let i = 0; i < 60; ++i) {
    const changed = Uint8Array.from(whole);
    // Within sections, or in the table: bytes between sections may be anything.
    changed[64 + Math.floor(next() * 512)]! ^= 1 << Math.floor(next() * 8);
    refused(changed);
  }
  assert.equal(runtime.memory.usedBytes, before);
});

// A frame with one section, as texturesOf() sees it: the runtime has checked everything else before.
function bundleWith(type: number, section: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(128 + section.length), view = new DataView(bytes.buffer);
  view.setUint32(12, 1, true);
  view.setUint32(64, type, true);
  view.setBigUint64(64 + 24, 128n, true);
  view.setBigUint64(64 + 32, BigInt(section.length), true);
  bytes.set(section, 128);
  return bytes;
}

test('images come out of the texture section as they are, and a broken one is none', async () => {
  const image = [7, 8, 9, 10], json = new TextEncoder().encode(JSON.stringify({
    materials: [{ name: 'skin', color: [1, 1, 1, 1], image: 0 }],
    images: [{ type: 'image/png', offset: 1, bytes: 3 }],
    levels: [[0], [-1]],
  }));
  const section = new Uint8Array([...new Uint8Array(Uint32Array.of(json.length, 0).buffer), ...json, ...image]);
  const textures = texturesOf(bundleWith(5, section))!;
  assert.deepEqual(new Uint8Array(await textures.images[0]!.arrayBuffer()), Uint8Array.of(8, 9, 10));
  assert.deepEqual(textures.levels, [[0], [-1]]);
  assert.equal(texturesOf(bundleWith(4, section)), null);
  for (let bytes = 0; bytes < 8 + json.length; bytes += 5) assert.equal(texturesOf(bundleWith(5, section.subarray(0, bytes))), null);
});
