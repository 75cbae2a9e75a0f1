// The page of soft objects without its controls: what is open, what is on screen, and time.
import { Drawing, type Looks, type Palette } from './drawing';
import { Hand } from './hand';
import type { Field, SoftModule, SoftObject } from './module';
import { fallOf, Play, withTools } from './play';
import { poseAt, sceneOf, type Scene } from './scene';
import { StepTimes } from './step_times';
import { View } from './view';

interface Loaded {
  object: SoftObject;
  script: unknown;  // as it was read; null: it falls on a floor
  fields: Field[];
}

export interface SoftChoices {
  playing: boolean;
  speed: number;
  gravity: boolean;
  dents: boolean;
  comparing: boolean;
  triangles: boolean;
  handles: boolean;
  stretch: boolean;
  strength: number;
}

const kLongestFrame = 0.1;  // seconds that are made up for at most
const kRoom = 0.3;           // beside the object, in its sizes
const kBudget = 25;         // milliseconds of a frame that steps may take

export class SoftApp {
  readonly choices: SoftChoices = {
    playing: true, speed: 1, gravity: true, dents: true, comparing: false, triangles: true, handles: true, stretch: false, strength: 1,
  };
  readonly loaded: Loaded[] = [];
  readonly view = new View();
  readonly drawing: Drawing;
  readonly hand: Hand;
  readonly times = new StepTimes();
  current: Loaded | null = null;
  play: Play | null = null;
  flags = 0;         // of recent steps
  behind = false;    // whether steps take longer than they stand for
  palette: Palette | null = null;
  onMessage: (text: string, kind: 'error' | 'note') => void = () => undefined;
  onChange: () => void = () => undefined;
  onFrame: () => void = () => undefined;
  private owed = 0;  // seconds that are not simulated yet
  private last = 0;

  constructor(canvas: HTMLCanvasElement, readonly module: SoftModule) {
    this.drawing = new Drawing(canvas, this.view);
    this.hand = new Hand(canvas, this.view, () => this.play);
  }

  // Throws an Error with a sentence for bytes or a script that cannot be played. script: null, or parsed JSON.
  add(name: string, bytes: Uint8Array, script: unknown, fields: readonly { name: string; bytes: Uint8Array }[]): void {
    const object = this.module.openObject(bytes, name), loaded: Loaded = { object, script, fields: [] };
    try {
      for (const { name: field, bytes: of } of fields) loaded.fields.push(this.openField(field, of, object));
      this.show(loaded);
      this.loaded.push(loaded);
    } catch (error) {
      for (const field of loaded.fields) field.close();
      object.close();
      throw error;
    }
    this.onChange();
  }

  // Learned contact for the object on screen. Throws an Error with a sentence.
  addField(name: string, bytes: Uint8Array): void {
    if (this.current === null) throw new Error('open its object (.soft) first');
    const { current } = this, field = this.openField(name, bytes, current.object), before = current.fields;
    // One of the same shape takes the other's place.
    current.fields = [...before.filter((other) => !other.isOf(field.corners, field.rounding)), field];
    try {
      this.show(current);
    } catch (error) {
      current.fields = before;
      field.close();
      throw error;
    }
    for (const other of before) if (!current.fields.includes(other)) other.close();
    this.onChange();
  }

  show(loaded: Loaded): void {
    const { object, fields } = loaded;
    const scene = withTools(loaded.script === null ? fallOf(object) : sceneOf(loaded.script, object.handles.length), object, fields);
    const play = new Play(object, scene, fields);
    this.hand.release();
    this.play?.close();
    [this.play, this.current] = [play, loaded];
    this.hand.selected = play.colliders.findIndex(({ of }) => of.shape !== 'plane');
    this.view.show(boxOf(play, scene));
    this.forget();
    this.onChange();
  }

  reset(): void {
    this.hand.release();
    this.play?.reset();
    this.forget();
  }

  // One step, also while it is paused.
  step(): void {
    const { play, choices } = this;
    if (play === null) return;
    play.gravity = choices.gravity;
    play.dents = choices.dents;
    play.strength = choices.strength;
    play.comparing = choices.comparing;
    const start = performance.now();
    play.step();
    this.times.add(performance.now() - start, play.report);
    this.flags = this.times.flags;
  }

  // Time goes on by so many seconds.
  advance(seconds: number): void {
    const { play, choices } = this;
    this.behind = false;
    if (play === null || !choices.playing) return;
    if (play.over) this.reset();
    const { step } = play.scene, start = performance.now();
    this.owed += Math.min(seconds, kLongestFrame) * choices.speed;
    // To the nearest step, so that a picture that comes a little early or late has its own.
    for (let left = Math.round(this.owed / step); left > 0; --left) {
      if (performance.now() - start > kBudget) {
        this.behind = true;
        this.owed = 0;
        break;
      }
      this.step();
      this.owed -= step;
    }
  }

  drawFrame(): void {
    const { choices, hand } = this;
    if (this.palette === null) return;
    const looks: Looks = { palette: this.palette, triangles: choices.triangles, handles: choices.handles, stretch: choices.stretch, hover: hand.hover };
    this.drawing.draw(this.play, looks);
  }

  // Draws and plays from now on.
  run(): void {
    const frame = (now: number) => {
      this.advance((now - (this.last || now)) / 1000);
      this.last = now;
      this.drawFrame();
      this.onFrame();
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  private forget(): void {
    this.owed = 0;
    this.times.clear();
    this.flags = 0;
  }

  private openField(name: string, bytes: Uint8Array, object: SoftObject): Field {
    const opened = this.module.openField(bytes, name);
    if (opened.fits(object)) return opened;
    opened.close();
    throw new Error(`is of an object with other handles than ${object.name}`);
  }
}

// Part of the plane: where the object and the colliders are at the start and at the script's keys, and where planes stand.
function boxOf(play: Play, scene: Scene): { left: number; right: number; low: number; high: number } {
  const least = (values: number[]) => values.reduce((a, b) => Math.min(a, b)), most = (values: number[]) => values.reduce((a, b) => Math.max(a, b));
  const xs: number[] = [], ys: number[] = [], add = (x: number, y: number) => {
    xs.push(x);
    ys.push(y);
  };
  play.simulation.positions().forEach((value, i) => (i % 2 === 0 ? xs : ys).push(value));
  // Room to be pushed aside.
  xs.push(least(xs) - kRoom * play.object.size, most(xs) + kRoom * play.object.size);
  for (const { shape, radius, corners, rounding, keys } of scene.colliders) {
    const reach = shape === 'plane' ? 0.04 * play.object.size
      : Math.max(radius, ...corners.map((_, i) => (i % 2 === 0 ? Math.hypot(corners[i]!, corners[i + 1]!) : 0))) + rounding;
    const start = poseAt(keys, 0), near = keys.filter(({ x, y }) => Math.hypot(x - start.x, y - start.y) < 2 * play.object.size);
    for (const { x, y } of near) {
      add(x - reach, y - reach);
      add(x + reach, y + reach);
    }
  }
  return { left: least(xs), right: most(xs), low: least(ys), high: most(ys) };
}
