// Learned contact in WebAssembly under Node.js, against what the native program makes of the same colliders (SINEW, SINEW_FIXTURE and
// SINEW_WASM of scripts/viewer), and what the page knows of colliders.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Euler, Matrix4, Quaternion, Vector3 } from 'three';
import { Colliders } from '../src/colliders';
import type { Contact } from '../src/contact';
import { kMaxColliders, type PosedCollider } from '../src/runtime/contact';
import { Instance, kContactBeyond, kContactRefused, Runtime, type Character } from '../src/runtime/runtime';
import { surfaceOf } from '../src/scene/collider_shape';
import { pressingText } from '../src/ui/words';
import { readNpy, readPoses, worstDistance } from './files';

const fixture = process.env['SINEW_FIXTURE']!, program = process.env['SINEW']!, kBundle = join(fixture, 'body_contact.sinew');
const kTolerance = 1e-5;  // of the body's height
const kHalf = 0.05;       // of the cube that was learned

const runtime = await Runtime.load(readFileSync(process.env['SINEW_WASM']!));
const poses = readPoses(join(fixture, 'near.poses'));
const character = runtime.open(readFileSync(kBundle), 'body'), instance = new Instance(character), plain = new Instance(character);
const finest = character.levels.length, cube = character.collider(0);
const folder = mkdtempSync(join(tmpdir(), 'sinew_contact_'));
after(() => rmSync(folder, { recursive: true, force: true }));

const unpressed = (pose: Float32Array, level = finest) => {
  plain.evaluate(pose, { level, method: 'sinew', normals: 'triangles' });
  return plain.positions(level);
};
const pressed = (pose: Float32Array, colliders: PosedCollider[], level = finest) => {
  const { flags } = instance.evaluate(pose, { level, method: 'sinew', normals: 'triangles', colliders });
  return { positions: instance.positions(level), flags };
};

// The cube, turned, in the front of the body at rest; share: of the largest depth that was learned.
function inFront(share: number, pose = character.restPose): { colliders: Colliders; models: Float32Array } {
  const colliders = new Colliders(), models = instance.jointMatrices(pose).slice();
  colliders.setCharacter(character);
  colliders.set(0, true);
  colliders.held[0]!.turn.setFromEuler(new Euler(0.3, 0.5, 0.1));
  const pelvis = character.joints.findIndex(({ name }) => name === 'pelvis'), to = new Vector3().fromArray(models, 16 * pelvis + 12);
  assert.ok(colliders.press(0, unpressed(pose), to.clone().add(new Vector3(0.1, 0, 1)), to, share, models));
  return { colliders, models };
}

test('a bundle says what it has learned: names, distances, joints', () => {
  assert.deepEqual(character.contacts, ['cube']);
  assert.equal(cube.name, 'cube');
  assert.ok(cube.depth > 0.005 && cube.depth < 2 * kHalf && cube.window > 0.01);
  assert.ok(Math.abs(cube.grid.sample(0, 0, 0) + kHalf) < 0.01, `${cube.grid.sample(0, 0, 0)} in the middle`);
  assert.ok(Math.abs(cube.grid.sample(0.07, 0, 0) - 0.02) < 0.002);
  assert.equal(cube.grid.sample(10, 0, 0), Infinity);
  const names = cube.joints.filter(({ share }) => share > 0).map(({ joint }) => character.joints[joint]!.name);
  assert.ok(names.includes('pelvis') && names.includes('left_hip'), names.join());
  assert.throws(() => character.collider(1), /has learned 1 collider/);
});

test('the surface that is drawn is the cube: closed, outward, in its place', () => {
  const { positions, triangles } = surfaceOf(cube.grid), edges = new Map<string, number>();
  let volume = 0;
  const corner = (t: number) => new Vector3().fromArray(positions, 3 * triangles[t]!);
  for (let t = 0; t < triangles.length; t += 3) {
    volume += corner(t).dot(corner(t + 1).cross(corner(t + 2))) / 6;
    for (let k = 0; k < 3; ++k) {
      const a = triangles[t + k]!, b = triangles[t + ((k + 1) % 3)]!, key = `${Math.min(a, b)} ${Math.max(a, b)}`;
      edges.set(key, (edges.get(key) ?? 0) + (a < b ? 1 : -1));
    }
  }
  assert.ok([...edges.values()].every((sum) => sum === 0), 'every edge is passed as often in one direction as in the other');
  assert.ok(Math.abs(volume / (2 * kHalf) ** 3 - 1) < 0.05, `${volume} cubic metres`);
  const spacing = Math.max(...cube.grid.spacing);
  for (let v = 0; v < positions.length; v += 3) {
    const farthest = Math.max(...positions.subarray(v, v + 3).map(Math.abs));
    assert.ok(Math.abs(farthest - kHalf) < spacing, `${farthest - kHalf} off the cube`);
  }
});

test('with colliders the skin is where the native runtime puts it, at every level', () => {
  const { colliders, models } = inFront(0.8), first = colliders.posed()[0]!;
  const second = new Matrix4().fromArray(colliders.matrix(0, models).elements).premultiply(new Matrix4().makeTranslation(-0.09, 0.03, 0));
  const both = [first, { contact: 0, joint: -1, pose: second.elements }];
  const words = both.flatMap(({ pose }) => {
    const place = new Vector3(), turn = new Quaternion();
    new Matrix4().fromArray(pose).decompose(place, turn, new Vector3());
    return ['--collider', `cube=${[...place.toArray(), ...turn.toArray()].join(',')}`];
  });
  let worst = 0;
  character.levels.forEach((_, i) => {
    const file = join(folder, `${i}.npy`), level = i + 1, floats = 3 * character.level(level).vertices;
    execFileSync(program, ['deform', kBundle, '--poses', join(fixture, 'near.poses'), '--level', String(level), '-o', file, '--quiet', ...words]);
    const native = readNpy(file).values;
    poses.forEach((pose, frame) => {
      const { positions, flags } = pressed(pose, both, level);
      assert.equal(flags & kContactRefused, 0);
      worst = Math.max(worst, worstDistance(positions, native.subarray(frame * floats, (frame + 1) * floats)));
      // On coarse levels no vertex may be inside of a collider, and nothing is pressed then.
      const moved = worstDistance(positions, unpressed(pose, level));
      assert.ok(level < finest || moved > 1e-3, `level ${level}, frame ${frame}: moved by ${moved} m`);
    });
  });
  console.log(`contact: off by ${(worst / character.height).toExponential(1)} of the height at most`);
  assert.ok(worst <= kTolerance * character.height, `off by ${worst} m`);
});

test('half floats in the bundle are the same contact when the rest is unpacked', () => {
  const stored = runtime.open(readFileSync(kBundle), 'stored', 'as stored'), other = new Instance(stored);
  const colliders = inFront(0.8).colliders.posed();
  other.evaluate(poses[0]!, { level: finest, method: 'sinew', colliders });
  assert.deepEqual(other.positions(finest), pressed(poses[0]!, colliders).positions);
  assert.ok(worstDistance(other.positions(finest), unpressed(poses[0]!)) > 1e-3);
  other.close();
  stored.close();
});

test('far colliders, and methods that do not know them, change no bit', () => {
  const far = [{ contact: 0, joint: -1, pose: new Matrix4().makeTranslation(5, 0, 0).elements }];
  assert.deepEqual(pressed(poses[1]!, far), { positions: unpressed(poses[1]!), flags: 0 });
  const near = inFront(0.8).colliders.posed();
  for (const method of ['linear', 'dual'] as const) {
    for (const [on, colliders] of [[instance, near], [plain, []]] as const) on.evaluate(poses[1]!, { level: finest, method, colliders });
    assert.deepEqual(instance.positions(finest), plain.positions(finest));
  }
});

test('what a joint carries is where the joint is', () => {
  const { colliders, models } = inFront(0.8), hip = character.joints.findIndex(({ name }) => name === 'left_hip');
  const before = pressed(character.restPose, colliders.posed()).positions.slice();
  colliders.carry(0, hip, models);
  assert.equal(colliders.posed()[0]!.joint, hip);
  assert.ok(worstDistance(pressed(character.restPose, colliders.posed()).positions, before) < kTolerance * character.height);
  // In another pose it has gone along.
  const posed = instance.jointMatrices(poses[2]!).slice(), free = { contact: 0, joint: -1, pose: colliders.matrix(0, posed).elements };
  assert.ok(new Vector3().setFromMatrixPosition(colliders.matrix(0, posed))
    .distanceTo(new Vector3().setFromMatrixPosition(colliders.matrix(0, models))) > 1e-4);
  const carried = pressed(poses[2]!, colliders.posed()).positions.slice();
  assert.ok(worstDistance(carried, unpressed(poses[2]!)) > 1e-3);
  assert.ok(worstDistance(pressed(poses[2]!, [free]).positions, carried) < kTolerance * character.height);
});

test('flags say what is wrong or was not learned', () => {
  const good = inFront(0.5).colliders.posed()[0]!, rest = character.restPose;
  assert.equal(pressed(rest, [good]).flags & kContactRefused, 0);
  const refused = (collider: PosedCollider) => {
    const { positions, flags } = pressed(rest, [collider]);
    assert.ok((flags & kContactRefused) !== 0);
    assert.deepEqual(positions, unpressed(rest));
  };
  refused({ ...good, pose: new Matrix4().fromArray(good.pose).scale(new Vector3(1.1, 1.1, 1.1)).elements });
  refused({ ...good, pose: good.pose instanceof Array ? good.pose.map(() => NaN) : [] });
  refused({ ...good, contact: 1 });
  refused({ ...good, contact: -1 });
  refused({ ...good, joint: character.joints.length });
  assert.ok((pressed(rest, inFront(3).colliders.posed()).flags & kContactBeyond) !== 0, 'too deep');
  assert.throws(() => pressed(rest, Array.from({ length: kMaxColliders + 1 }, () => good)), /at most 8/);
});

test('a collider that is pressed ends as deep as asked for', () => {
  for (const share of [0.2, 0.6, 1]) {
    const { colliders, models } = inFront(share), depth = -cube.nearest(unpressed(character.restPose), colliders.matrix(0, models).elements);
    // It goes in at an angle, and meets more skin on its way.
    assert.ok(depth > 0.3 * share * cube.depth && depth <= 1.01 * share * cube.depth, `${depth} of ${share * cube.depth} m`);
  }
  const { colliders, models } = inFront(0.5), held = colliders.held[0]!.place.clone(), away = new Vector3(0, 0, 9);
  assert.equal(colliders.press(0, unpressed(character.restPose), new Vector3(0, 0, 5), away, 1, models), false);
  assert.deepEqual(colliders.held[0]!.place, held, 'without skin on the way it stays');
});

test('moving and turning are those of model space, also on a joint', () => {
  const { colliders } = inFront(0.5), models = instance.jointMatrices(poses[3]!).slice();
  for (const joint of [-1, 5]) {
    colliders.carry(0, joint, models);
    const before = colliders.matrix(0, models);
    colliders.move(0, new Vector3(0.1, -0.2, 0.3), models);
    const moved = new Vector3().setFromMatrixPosition(colliders.matrix(0, models)).sub(new Vector3().setFromMatrixPosition(before));
    assert.ok(moved.distanceTo(new Vector3(0.1, -0.2, 0.3)) < 1e-6);
    const turn = new Quaternion().setFromAxisAngle(new Vector3(0, 1, 0), 0.7), was = colliders.matrix(0, models);
    colliders.rotate(0, turn, models);
    const turned = colliders.matrix(0, models), direction = (of: Matrix4) => new Vector3().setFromMatrixColumn(of, 0);
    assert.ok(direction(turned).distanceTo(direction(was).applyQuaternion(turn)) < 1e-6);
    assert.ok(new Vector3().setFromMatrixPosition(turned).distanceTo(new Vector3().setFromMatrixPosition(was)) < 1e-6);
  }
});

test('every state of contact has its words', () => {
  const says = (answered: boolean, flags: number, depth: number | null) => pressingText(
    { answered, flags, pressing: depth === null ? null : { depth, learned: 0.02 } } as Contact, 1.7);
  const expected: [boolean, number, number | null, string, string][] = [
    [false, 0, null, 'Skinning alone does not answer to colliders', 'warn'],
    [true, kContactRefused, 0.01, 'A collider is left out: what carries it is stretched unevenly', 'bad'],
    [true, 0, -0.03, 'Collider touches nothing', 'good'],
    [true, 0, null, 'Contact within what Sinew learned', 'good'],
    [true, kContactBeyond, null, 'Contact beyond the joints and poses that Sinew learned: faded there', 'warn'],
    [true, 0, 0.0127, 'Contact within what Sinew learned, 13 mm deep', 'good'],
    [true, kContactBeyond, 0.0042, 'Collider 4.2 mm deep, beyond the joints and poses that Sinew learned: faded there', 'warn'],
    [true, kContactBeyond, -0.01, 'Collider touches nothing, beyond the joints and poses that Sinew learned: faded there', 'warn'],
    [true, kContactBeyond, 0.031, 'Contact 31 mm deep, beyond the 20 mm that Sinew learned: clamped, faded', 'warn'],
  ];
  for (const [answered, flags, depth, text, state] of expected) assert.deepEqual(says(answered, flags, depth), { text, state });
});

test('at most eight press at once, and switching one on selects it', () => {
  const colliders = new Colliders(), names = Array.from({ length: kMaxColliders + 1 }, (_, i) => `${i}`);
  colliders.setCharacter({ contacts: names } as unknown as Character);
  assert.equal(colliders.any, false);
  for (let i = 0; i < kMaxColliders; ++i) colliders.set(i, true);
  assert.equal(colliders.selected, kMaxColliders - 1);
  assert.throws(() => colliders.set(kMaxColliders, true), /At most 8 colliders press at once: switch one off first/);
  colliders.set(2, true);
  colliders.set(0, false);
  colliders.set(kMaxColliders, true);
  assert.deepEqual(colliders.posed().map(({ contact }) => contact), [1, 2, 3, 4, 5, 6, 7, 8]);
  assert.equal(colliders.selected, kMaxColliders);
});

test('a bundle without contact has no colliders, refuses them, and is the same', () => {
  const other = runtime.open(readFileSync(join(fixture, 'body_f16.sinew')), 'without'), on = new Instance(other);
  assert.deepEqual(other.contacts, []);
  assert.throws(() => other.collider(0), /has learned 0 colliders/);
  const { flags } = on.evaluate(poses[0]!, { level: finest, method: 'sinew', colliders: inFront(0.5).colliders.posed() });
  assert.ok((flags & kContactRefused) !== 0);
  assert.deepEqual(on.positions(finest), unpressed(poses[0]!));
  on.close();
  other.close();
});

test('closing gives all memory back', () => {
  instance.close();
  plain.close();
  character.close();
  assert.equal(runtime.memory.usedBytes, 0);
});
