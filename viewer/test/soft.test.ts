// Soft objects in WebAssembly under Node.js, against what `sinew dynamics` wrote of the same scripts (SINEW_FIXTURE, by scripts/viewer).
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { kNotConverged, SoftModule } from '../src/soft/module';
import { fallOf, Play, withTools } from '../src/soft/play';
import { poseAt, sceneOf } from '../src/soft/scene';
import { readNpy } from './files';

const fixture = process.env['SINEW_FIXTURE']!;
const wasm = readFileSync(process.env['SINEW_SOFT_WASM']!);
const kTolerance = 1e-5;  // of the object's size

const soft = await SoftModule.load(wasm);
const read = (file: string) => readFileSync(join(fixture, 'soft', 'data', file));
const script = (file: string) => JSON.parse(read(file).toString()) as Record<string, unknown>;
const open = (name: string) => soft.openObject(read(`${name}.soft`), name);

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

test('the module asks for nothing at all', () => {
  assert.deepEqual(WebAssembly.Module.imports(new WebAssembly.Module(wasm)), []);
});

for (const [name, field] of [['worm', false], ['jelly', false], ['floater', false], ['floater', true]] as const) {
  test(`${name}${field ? ' with its field' : ''}: every step of the script is the native one`, () => {
    const object = open(name), fields = field ? [soft.openField(read('floater.dent'), 'field')] : [];
    const play = new Play(object, sceneOf(script(`${name}.json`), object.handles.length), fields);
    const { shape, values } = readNpy(join(fixture, `${name}${field ? '_field' : ''}.npy`));
    assert.equal(shape[1], object.nodes);
    let worst = 0, touched = 0, limited = 0;
    for (let frame = 0; frame < shape[0]!; ++frame) {
      if (frame > 0) play.step();
      const now = play.simulation.positions();
      for (let i = 0; i < now.length; ++i) worst = Math.max(worst, Math.abs(now[i]! - values[frame * now.length + i]!));
      touched += play.report.touching > 0 ? 1 : 0;
      limited += (play.report.flags & kNotConverged) !== 0 ? 1 : 0;
      assert.equal(play.report.flags & ~kNotConverged, 0);
    }
    console.log(`${name}: off by ${(worst / object.size).toExponential(1)} of its size at most in ${shape[0]! - 1} steps; ${touched} touch, ${limited} at the limit`);
    assert.ok(touched > 5, 'something has touched it');
    assert.ok(worst <= kTolerance * object.size, `off by ${worst} m`);
    for (const opened of [play, ...fields, object]) opened.close();
    assert.equal(soft.memory.usedBytes, 0);
  });
}

test('beginning again is the same bits, whatever was done before', () => {
  const object = open('floater'), fields = [soft.openField(read('floater.dent'), 'field')];
  const play = new Play(object, sceneOf(script('floater.json'), object.handles.length), fields);
  const run = () => Array.from({ length: 30 }, () => {
    play.step();
    return play.simulation.positions().slice();
  });
  const first = run();
  play.move(0, { x: 0, y: 0.3, angle: 1 });
  play.pull({ handle: 2, x: 1, y: 1 });
  play.comparing = true;
  run();
  play.comparing = false;
  play.reset();
  assert.deepEqual(run(), first);
  for (const opened of [play, ...fields, object]) opened.close();
});

test('a collider that somebody moves comes by limited steps, and presses; far from the object it changes no bit', () => {
  const object = open('worm'), scene = withTools({ ...fallOf(object), gravity: [0, 0] }, object, []);
  assert.deepEqual(scene.colliders.map(({ shape }) => shape), ['plane', 'circle']);
  const play = new Play(object, scene, []), still = play.simulation.positions().slice(), middle = play.handleAt(1);
  play.move(1, { ...middle, y: middle.y + object.size, angle: 0 });
  for (let i = 0; i < 60; ++i) play.step();
  // At rest forces are sums that are 0 up to rounding.
  const off = play.simulation.positions().reduce((most, x, i) => Math.max(most, Math.abs(x - still[i]!)), 0);
  assert.ok(off < 1e-9 * object.size, `moved by ${off} m`);
  play.move(1, { ...middle, angle: 0 });
  let before = play.colliders[1]!.pose;
  for (let i = 0; i < 60; ++i) {
    play.step();
    const { pose } = play.colliders[1]!;
    assert.ok(Math.hypot(pose.x - before.x, pose.y - before.y) < 0.051 * object.size);
    before = pose;
  }
  assert.ok(play.simulation.positions().some((x, i) => Math.abs(x - still[i]!) > 0.01 * object.size));
  play.close();
  object.close();
});

test('a handle that is pulled comes, point or frame, and is free again when it is let go', () => {
  for (const name of ['worm', 'jelly']) {
    const object = open(name), play = new Play(object, { ...fallOf(object), gravity: [0, 0] }, []), last = object.handles.length - 1;
    const from = play.handleAt(last), to = { x: from.x, y: from.y + 0.2 * object.size };
    play.pull({ handle: last, ...to });
    for (let i = 0; i < 240; ++i) play.step();
    const there = play.handleAt(last);
    assert.ok(Math.hypot(there.x - to.x, there.y - to.y) < 0.02 * object.size, `${name}: ${there.x}, ${there.y}`);
    play.pull(null);
    play.gravity = false;
    for (let i = 0; i < 10; ++i) play.step();
    assert.ok(Number.isFinite(play.handleAt(last).x));
    play.close();
    object.close();
  }
});

test('a field goes to colliders of its shape, and one is added where the scene has none', () => {
  const object = open('floater'), field = soft.openField(read('floater.dent'), 'field'), worm = open('worm');
  assert.ok(field.fits(object) && !field.fits(worm));
  const scene = sceneOf(script('floater.json'), object.handles.length);
  assert.equal(withTools(scene, object, [field]).colliders.length, scene.colliders.length);
  const fallen = withTools(fallOf(object), object, [field]), play = new Play(object, fallen, [field]);
  assert.deepEqual(play.colliders.map(({ field: of }) => of === field), [false, true]);
  for (const opened of [play, field, object, worm]) opened.close();
});

test('poses between keys go evenly', () => {
  const keys = [{ seconds: 1, x: 0, y: 0, angle: 0 }, { seconds: 3, x: 2, y: 4, angle: 1 }];
  assert.deepEqual([0, 1, 2, 3, 9].map((t) => poseAt(keys, t).x), [0, 0, 1, 2, 2]);
  assert.equal(poseAt(keys, 2).y, 2);
});

test('scripts that are none are refused with a sentence', () => {
  const good = script('jelly.json'), collider = (good['colliders'] as Record<string, unknown>[])[1]!;
  sceneOf(good, 9);
  for (const broken of [null, [], 7, { ...good, step: 0 }, { ...good, seconds: 'long' }, { ...good, gravity: [1] }, { ...good, colliders: {} },
    { ...good, colliders: [{ shape: 'cone' }] }, { ...good, colliders: [{ ...collider, corners: [[0, 0], [0, 1], [1, 0]] }] },
    { ...good, colliders: [{ ...collider, corners: [[0, 0], [1], [1, 0]] }] }, { ...good, colliders: [{ ...collider, keys: [] }] },
    { ...good, colliders: [{ shape: 'circle' }] }, { ...good, colliders: Array(9).fill({ shape: 'plane' }) },
    { ...good, handles: [{ handle: 9, stiffness: 1 }] }, { ...good, handles: [{ handle: 0 }] },
    { ...good, colliders: [{ shape: 'plane', keys: [{ seconds: 1 }, { seconds: 1 }] }] }]) {
    assert.throws(() => sceneOf(broken, 9), (error: Error) => error.message.startsWith('the script: ') && error.message.length > 20);
  }
});

test('files that are none are refused with a sentence, and leave no memory behind', () => {
  const next = random(3), before = soft.memory.usedBytes;
  for (const [file, act, other] of [['jelly.soft', (bytes: Uint8Array) => soft.openObject(bytes, 'b'), 'is not a soft object'],
    ['floater.dent', (bytes: Uint8Array) => soft.openField(bytes, 'b'), 'is not a contact field']] as const) {
    const whole = read(file);
    const refused = (bytes: Uint8Array, sentence: string) => assert.throws(() => act(bytes), (error: Error) => error.message.includes(sentence));
    refused(new Uint8Array(0), other);
    refused(new TextEncoder().encode('neither the one nor the other, but long enough'), other);
    refused(whole.subarray(0, 40), 'ends within its header');
    for (let i = 0; i < 40; ++i) refused(whole.subarray(0, 8 + Math.floor(next() * (whole.length - 8))), 'e');
    for (let i = 0; i < 40; ++i) {
      const changed = Uint8Array.from(whole);
      changed[16 + Math.floor(next() * (whole.length - 16))]! ^= 1 << Math.floor(next() * 8);
      refused(changed, ' ');
    }
    const newer = Uint8Array.from(whole);
    newer[4] = 99;
    refused(newer, 'newer version');
  }
  assert.equal(soft.memory.usedBytes, before);
});
