// Links to what is on screen: the part of the page's address after '#', with character, motion, frame, methods, camera and joints that
// were turned by hand. docs/viewer.md lists its words.
import { Quaternion, Vector3 } from 'three';
import type { App } from './app';
import type { Choices } from './choices';
import { poseAt } from './motion/pose';
import { kTransformFloats } from './runtime/runtime';
import type { Shown } from './scene/figure';
import { kComparisonWords, kShownWords, kSurfaceWords } from './ui/words';

const kRotation = 3;  // of the ten floats of a joint: x y z w
const kNumber = /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

const methods = kShownWords.map(([value]) => value), comparisons = kComparisonWords.map(([value]) => value);
const surfaces = kSurfaceWords.map(([value]) => value);

export function linkOf(app: App): string {
  const { current, choices, stage } = app;
  if (current === null) return '';
  const words = new URLSearchParams({ character: current.character.name });
  const from = app.clip === null ? app.base : { clip: app.clip, time: app.time };
  if (from !== null) {
    words.set('motion', from.clip.name);
    words.set('frame', numberText(from.time * (from.clip.rate || 1)));
  }
  words.set('show', choices.shown);
  if (choices.compared !== null) words.set('compare', choices.compared);
  words.set('view', choices.comparison);
  if (choices.split !== 0.5) words.set('split', numberText(choices.split));
  if (choices.level > 0) words.set('level', String(choices.level));
  if (choices.surface !== 'material') words.set('colours', choices.surface);
  words.set('camera', [...stage.camera.position.toArray(), ...stage.controls.target.toArray()].map(numberText).join(','));
  if (app.followedJoint !== null) words.set('follow', current.character.joints[app.followedJoint]!.name);
  if (app.clip === null) addTurned(app, words);
  addColliders(app, words);
  return `#${words.toString()}`;
}

// Joints that differ from what the pose began with. A name may hold anything, so it comes last.
function addTurned(app: App, words: URLSearchParams): void {
  const { character } = app.current!, began = poseOfBase(app);
  character.joints.forEach(({ name }, j) => {
    const first = kTransformFloats * j;
    const add = (word: string, at: number, count: number) => {
      const now = app.pose.subarray(first + at, first + at + count);
      if (now.some((value, k) => Math.abs(value - began[first + at + k]!) > 1e-6)) {
        words.append(word, [...Array.from(now, numberText), name].join(','));
      }
    };
    add('turn', kRotation, 4);
    add('move', 0, 3);
  });
}

// Those that are on: place, rotation and carrier. A name may hold anything, so it comes last.
function addColliders({ contact, current }: App, words: URLSearchParams): void {
  contact.colliders.held.forEach(({ on, place, turn, joint }, i) => {
    if (!on) return;
    words.append('collider', [...place.toArray(), ...turn.toArray(), joint].map(numberText).concat(current!.character.contacts[i]!).join(','));
  });
}

function poseOfBase({ base, current }: App): Float32Array {
  const pose = current!.character.restPose.slice();
  if (base !== null) poseAt(base.clip, base.time, pose);
  return pose;
}

export function isLink(fragment: string): boolean {
  return new URLSearchParams(fragment.replace(/^#/, '')).has('character');
}

// Shows what a link says. Returns a sentence for everything in it that this page does not have or understand.
export function openLink(app: App, fragment: string): string[] {
  const words = new URLSearchParams(fragment.replace(/^#/, '')), problems: string[] = [];
  const name = words.get('character') ?? '', loaded = app.loaded.find(({ character }) => character.name === name);
  if (loaded === undefined) return [`The link shows the character "${name}", which is not here: drop its .sinew file, then open the link again`];
  if (app.current !== loaded) app.show(loaded);
  app.choices.playing = false;
  openMotion(app, words, problems);
  openChoices(app.choices, words, loaded.character.levels.length, problems);
  openJoints(app, words, problems);
  openColliders(app, words, problems);
  openCamera(app, words, problems);
  return problems;
}

function openMotion(app: App, words: URLSearchParams, problems: string[]): void {
  const motion = words.get('motion'), clip = app.current!.clips.find(({ name }) => name === motion) ?? null;
  app.setClip(clip);
  if (motion !== null && clip === null) problems.push(`The link shows the motion "${motion}", which is not here: drop its file, then open the link again`);
  const frame = numbersOf(words, 'frame', 1, problems)?.[0] ?? 0;
  if (clip !== null) app.setTime(Math.min(Math.max(0, frame), clip.frames.length - 1e-3) / (clip.rate || 1));
  app.poseNow();
}

function openChoices(choices: Choices, words: URLSearchParams, levels: number, problems: string[]): void {
  const one = <T extends string>(word: string, of: readonly T[], otherwise: T): T => {
    const value = words.get(word);
    if (value !== null && !of.includes(value as T)) problems.push(`The link's "${word}" is none of ${of.join(', ')}`);
    return value !== null && of.includes(value as T) ? (value as T) : otherwise;
  };
  choices.shown = one<Shown>('show', methods, 'sinew');
  choices.compared = words.has('compare') ? one<Shown>('compare', methods, 'linear') : null;
  choices.comparison = one('view', comparisons, 'side');
  choices.surface = one('colours', surfaces, 'material');
  choices.split = Math.min(0.95, Math.max(0.05, numbersOf(words, 'split', 1, problems)?.[0] ?? 0.5));
  const level = numbersOf(words, 'level', 1, problems)?.[0] ?? 0;
  choices.level = Number.isInteger(level) && level >= 0 && level <= levels ? level : 0;
}

function openJoints(app: App, words: URLSearchParams, problems: string[]): void {
  const { joints } = app.current!.character;
  const set = (word: string, at: number, count: number) => {
    for (const text of words.getAll(word)) {
      const parts = text.split(','), values = parts.slice(0, count), name = parts.slice(count).join(',');
      const joint = joints.findIndex((other) => other.name === name);
      if (values.length < count || !values.every(isNumber)) {
        problems.push(`The link's "${word}" is not ${count} numbers and a joint`);
        continue;
      }
      if (joint < 0) {
        problems.push(`The link turns the joint "${name}", which this character does not have`);
        continue;
      }
      app.takeOver();
      const to = app.pose.subarray(kTransformFloats * joint + at, kTransformFloats * joint + at + count);
      to.set(values.map(Number));
      if (word === 'turn') normalise(to);
    }
  };
  set('turn', kRotation, 4);
  set('move', 0, 3);
}

function openColliders({ contact, current }: App, words: URLSearchParams, problems: string[]): void {
  const { colliders } = contact, { contacts, joints, name } = current!.character;
  for (const held of colliders.held) held.on = false;
  for (const text of words.getAll('collider')) {
    const parts = text.split(','), values = parts.slice(0, 8).map(Number), found = contacts.indexOf(parts.slice(8).join(','));
    const turn = new Quaternion().fromArray(values, 3), joint = values[7]!;
    if (parts.length < 9 || !parts.slice(0, 8).every(isNumber) || turn.length() < 1e-6) {
      problems.push('The link\'s "collider" is not 8 numbers and a collider');
    } else if (found < 0) {
      problems.push(`The link has the collider "${parts.slice(8).join(',')}", whose contact ${name} has not learned`);
    } else if (!Number.isInteger(joint) || joint < -1 || joint >= joints.length) {
      problems.push(`The link's collider is carried by joint ${joint}, which this character does not have`);
    } else {
      attempt(() => colliders.set(found, true), problems);
      Object.assign(colliders.held[found]!, { joint, place: new Vector3().fromArray(values), turn: turn.normalize() });
    }
  }
}

function attempt(act: () => void, problems: string[]): void {
  try {
    act();
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
  }
}

function openCamera(app: App, words: URLSearchParams, problems: string[]): void {
  const numbers = numbersOf(words, 'camera', 6, problems), follow = words.get('follow');
  const joint = app.current!.character.joints.findIndex(({ name }) => name === follow);
  app.look();
  if (numbers === null) return;
  app.stage.look(new Vector3().fromArray(numbers), new Vector3().fromArray(numbers, 3));
  app.goWith(joint < 0 ? null : joint, app.pose);
}

function normalise(rotation: Float32Array): void {
  const length = Math.hypot(...rotation) || 1;
  for (let k = 0; k < rotation.length; ++k) rotation[k]! /= length;
}

function numbersOf(words: URLSearchParams, word: string, count: number, problems: string[]): number[] | null {
  const text = words.get(word);
  if (text === null) return null;
  const parts = text.split(',');
  if (parts.length === count && parts.every(isNumber)) return parts.map(Number);
  problems.push(`The link's "${word}" is not ${count === 1 ? 'a number' : `${count} numbers`}`);
  return null;
}

function isNumber(text: string): boolean {
  return kNumber.test(text) && Number.isFinite(Number(text));
}

// Six digits: a link is typed by nobody, but read by some.
function numberText(value: number): string {
  return String(Number(value.toPrecision(6)));
}
