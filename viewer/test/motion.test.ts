// Motions and joint limits in WebAssembly under Node.js, against what the native program makes of the same files.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { MotionModule } from '../src/motion/motions';
import { poseAt } from '../src/motion/pose';
import { kTransformFloats, Runtime } from '../src/runtime/runtime';
import { readPoses } from './files';

const fixture = process.env['SINEW_FIXTURE']!, wasm = process.env['SINEW_WASM']!;
const file = (name: string) => readFileSync(join(fixture, name));

const runtime = await Runtime.load(readFileSync(wasm));
const module = await MotionModule.load(readFileSync(join(dirname(wasm), 'motion.wasm')));
const character = runtime.open(file('body_i8.sinew'), 'body');
const skeleton = module.skeletonOf(character);

function assertSamePoses(ours: Float32Array[], native: Float32Array[]): void {
  assert.equal(ours.length, native.length);
  ours.forEach((pose, f) => pose.forEach((value, i) => {
    assert.ok(Math.abs(value - native[f]![i]!) < 1e-5, `frame ${f}, number ${i}: ${value}, natively ${native[f]![i]}`);
  }));
}

test('a BVH motion of another rig is carried over as the native program does it', () => {
  const { clips } = skeleton.read(file('other.bvh'), 'other.bvh', false);
  assert.equal(clips.length, 1);
  assert.equal(clips[0]!.carried, true);
  assertSamePoses(clips[0]!.frames, readPoses(join(fixture, 'other.poses')));
});

test('nothing of Sinew is missing in the module', () => {
  // Symbols that are linked from nowhere become imports.
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(join(dirname(wasm), 'motion.wasm'))));
  assert.deepEqual(imports.filter(({ name }) => name.includes('sinew')), []);
});

test('a pose that is written is read back', () => {
  const pose = character.restPose.slice(), elbow = character.joints.findIndex(({ name }) => name === 'left_elbow');
  skeleton.turn(elbow, [1.2, 0, 0.3], pose);
  const { bvh, warnings } = skeleton.write(pose);
  assert.deepEqual(warnings, []);
  const { clips } = skeleton.read(new TextEncoder().encode(bvh), 'pose.bvh', false);
  assert.deepEqual([clips.length, clips[0]!.frames.length, clips[0]!.carried], [1, 1, false]);
  assertSamePoses(clips[0]!.frames, [pose]);
});

test('all animations of a GLB come in, at thirty frames a second', () => {
  const { clips } = skeleton.read(file('body.glb'), 'body.glb', false);
  assert.ok(clips.length > 0);
  assert.ok(clips.every((clip) => clip.rate === 30 && clip.name !== '' && clip.carried === false));
  assertSamePoses(clips.flatMap((clip) => clip.frames), readPoses(join(fixture, 'animations.poses')));
});

test('broken motions are refused with a sentence that names the file', () => {
  const whole = file('other.bvh'), glb = file('body.glb');
  const broken: [string, Uint8Array][] = [
    ['empty.bvh', new Uint8Array(0)], ['text.bvh', new TextEncoder().encode('hello')],
    ['cut.bvh', whole.subarray(0, whole.length / 3)], ['cut.glb', glb.subarray(0, glb.length / 2)],
    ['random.glb', Uint8Array.from({ length: 4000 }, (_, i) => (i * 7919) % 251)],
  ];
  for (const [name, bytes] of broken) {
    assert.throws(() => skeleton.read(bytes, name, false), (error: Error) => error.message.startsWith(name), name);
  }
  assert.equal(skeleton.read(whole, 'other.bvh', false).clips.length, 1, 'the next file is read as if nothing had been');
});

test('a motion that moves nothing of the character says so in words for the page', () => {
  const strange = 'HIERARCHY\nROOT sprocket\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nJOINT cog\n{\n' +
    'OFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n}\n' +
    'MOTION\nFrames: 1\nFrame Time: 0.04\n0 0 0 0 0 0\n';
  assert.throws(() => skeleton.read(new TextEncoder().encode(strange), 'strange.bvh', false),
    (error: Error) => error.message.startsWith('strange.bvh: moves no joint') && !error.message.includes('--'));
});

test('bones of a skeleton with a hierarchy lead from parents', () => {
  assert.deepEqual(skeleton.bones(), character.joints.map((joint) => joint.parent));
});

test('joints turn inside their limits and nowhere else', () => {
  const limited = character.joints.map((_, j) => j).filter((j) => skeleton.range(j).kind === 'limited');
  assert.ok(limited.length > 10);
  for (const joint of limited) {
    const range = skeleton.range(joint);
    for (const share of [-3, -0.4, 0, 0.3, 5]) {
      const pose = character.restPose.slice();
      const wanted = [range.bend, range.side, range.twist].map(([min, max]) => share * (share < 0 ? -min : max));
      skeleton.turn(joint, [wanted[0]!, wanted[1]!, wanted[2]!], pose);
      const got = skeleton.angles(joint, pose);
      [range.bend, range.side, range.twist].forEach(([min, max], k) => {
        assert.ok(got[k]! >= min - 1e-4 && got[k]! <= max + 1e-4, `joint ${joint}: ${got[k]} is outside ${min} to ${max}`);
      });
      const others = pose.filter((_, i) => Math.floor(i / kTransformFloats) !== joint);
      const rest = character.restPose.filter((_, i) => Math.floor(i / kTransformFloats) !== joint);
      assert.deepEqual(others, rest);
    }
  }
});

test('a joint of a hand whose joints stand side by side takes the rest of the finger with it', () => {
  const names = ['index-finger-tip', 'index-finger-phalanx-intermediate', 'index-finger-phalanx-proximal', 'wrist'];
  const restPose = new Float32Array(names.length * kTransformFloats);
  names.forEach((_, j) => restPose.set([0.1 - 0.03 * j, 0, 0, 0, 0, 0, 1, 1, 1, 1], j * kTransformFloats));
  const joints = names.map((name) => ({ name, parent: -1 }));
  const bends = { bone: [1, 0, 0], bend_toward: [0, -1, 0], bend: [0, 90], side: [-10, 10], twist: [0, 0] };
  const limits = { format: 'sinew-limits', version: 1, unit: 'degrees', joints: { 'index-finger-phalanx-proximal': bends } };
  const hand = module.skeletonOf({ joints, restPose, info: { limits } } as unknown as typeof character);
  assert.deepEqual(hand.bones().map((above) => names[above]), [names[1], names[2], names[3], undefined]);
  const pose = restPose.slice();
  hand.turn(2, [0.8, 0, 0], pose);
  const place = (of: Float32Array, j: number) => [...of.subarray(j * kTransformFloats, j * kTransformFloats + 3)];
  const length = (of: Float32Array, a: number, b: number) =>
    Math.hypot(...place(of, a).map((value, axis) => value - place(of, b)[axis]!));
  assert.ok(Math.hypot(...place(pose, 0).map((value, axis) => value - place(restPose, 0)[axis]!)) > 0.02);
  for (const j of [0, 1]) assert.ok(Math.abs(length(pose, j, j + 1) - length(restPose, j, j + 1)) < 1e-6);
  assert.ok(Math.abs(hand.angles(2, pose)[0] - 0.8) < 1e-4);
  hand.close();
});

test('between frames rotations stay unit and go the shorter way', () => {
  const a = character.restPose.slice(), b = character.restPose.slice(), out = character.restPose.slice();
  a.set([0, 0, Math.SQRT1_2, Math.SQRT1_2], 3);
  b.set([0, 0, -Math.SQRT1_2, -Math.SQRT1_2], 3);
  poseAt({ name: '', rate: 10, frames: [a, b, b] }, 0.05, out);
  assert.ok(Math.abs(out[5]! - Math.SQRT1_2) < 1e-6 && Math.abs(out[6]! - Math.SQRT1_2) < 1e-6);
  assert.equal(poseAt({ name: '', rate: 10, frames: [a, b] }, 99, out), 1);
});

test('the module asks a system for nothing that matters', () => {
  // What the C library would like to know. Anything else is a source file that the build forgot.
  const known = ['emscripten_notify_memory_growth', 'clock_time_get', 'proc_exit', 'environ_sizes_get', 'environ_get'];
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(join(dirname(wasm), 'motion.wasm'))));
  assert.deepEqual(imports.map(({ name }) => name).filter((name) => !known.includes(name)), []);
});
