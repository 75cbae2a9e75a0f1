// What the page does, without its controls: characters, motions, the frame that is shown and what it cost.
import { Instance, kFaded, kInterrupted, Runtime, type Character } from './runtime/runtime';
import { MotionModule, type Angles, type Clip, type SkeletonHandle } from './motion/motions';
import { duration, poseAt } from './motion/pose';
import { Crowd } from './scene/crowd';
import { Figure, type FigureResult, type Shown, type Surface } from './scene/figure';
import { Materials } from './scene/materials';
import { SkeletonLines } from './scene/skeleton_lines';
import { Stage } from './scene/stage';
import { Timings } from './timings';
import { partsOf, Truth } from './truth';

export interface Theme {
  background: string;
  ground: string;
  shadow: number;
  body: string;
  other: string;
  accent: string;
}

// What the user has chosen.
export interface Choices {
  shown: Shown;
  compared: Shown | null;
  split: number;  // where the right half begins, as a share of the width
  surface: Surface;
  skeleton: boolean;
  wireframe: boolean;
  level: number;     // 0: by distance
  budgetMs: number;  // 0: no limit
  crowd: number;
  playing: boolean;
  speed: number;
  follow: boolean;
}

interface Loaded {
  character: Character;
  skeleton: SkeletonHandle | null;
  clips: Clip[];
  truth: Truth | null;
  carried: number;  // how many of the motions' files its clips are of: the others come when it is shown
}

interface MotionFile {
  name: string;
  bytes: Uint8Array;
}

export class App {
  readonly choices: Choices = {
    shown: 'sinew', compared: null, split: 0.5, surface: 'material', skeleton: false, wireframe: false, level: 0,
    budgetMs: 0, crowd: 0, playing: true, speed: 1, follow: true,
  };
  readonly timings = new Timings();
  readonly loaded: Loaded[] = [];
  current: Loaded | null = null;
  clip: Clip | null = null;  // null: posed by hand
  time = 0;                  // seconds into the clip
  pose = new Float32Array(0);
  frame = 0;
  result: FigureResult | null = null;
  otherResult: FigureResult | null = null;
  framesPerSecond = 0;
  readyAfter = 0;  // milliseconds from asking for the page until the first character stood
  heatLongest = 0;
  heatScale = 0.01;  // the end of the heat map
  size = 1;          // the longest side of the body as it stands: files often have their mesh in another unit
  // Something in lists has changed: characters, motions, what can be shown.
  onChange: () => void = () => {};
  onMessage: (text: string, kind: 'error' | 'note') => void = () => {};
  onFrame: () => void = () => {};

  readonly stage: Stage;
  private readonly materials = new Materials();
  private readonly crowd: Crowd;
  private figure: Figure | null = null;
  private other: Figure | null = null;
  private lines: SkeletonLines | null = null;
  private motions: MotionFile[] = [];
  private theme: Theme | null = null;
  private last = performance.now();
  private scaleOf = '';
  private failure = '';
  private running = false;

  constructor(canvas: HTMLCanvasElement, readonly runtime: Runtime, readonly motionModule: MotionModule) {
    this.stage = new Stage(canvas);
    this.crowd = new Crowd(this.materials);
    this.stage.both.add(this.crowd.group);
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.stage.setTheme(theme.background, theme.ground, theme.shadow);
    this.materials.setColours(theme.body, theme.other);
  }

  // ---- Files ----

  // Any file that is dropped: by what it contains. Never throws: what is wrong becomes a message.
  async openFile(name: string, bytes: Uint8Array): Promise<void> {
    try {
      if (startsWith(bytes, 'SINEWBDL')) this.addCharacter(name.replace(/\.sinew$/i, ''), bytes);
      else if (startsWith(bytes, 'SINEWTRU')) await this.addTruth(name, async (first, count) => bytes.slice(first, first + count).buffer);
      else this.addMotion(name, bytes, true);
    } catch (error) {
      this.onMessage(sentenceOf(name, error), 'error');
    }
  }

  addCharacter(name: string, bytes: Uint8Array, show = true): Character {
    const character = this.runtime.open(bytes, name);
    let skeleton: SkeletonHandle | null = null;
    try {
      skeleton = this.motionModule.skeletonOf(character);
    } catch (error) {
      this.onMessage(sentenceOf(name, error), 'error');
    }
    const loaded: Loaded = { character, skeleton, clips: [], truth: null, carried: 0 };
    this.loaded.push(loaded);
    if (show) this.show(loaded);
    this.onChange();
    return character;
  }

  // For the character that is shown; others take it over when they are shown.
  addMotion(name: string, bytes: Uint8Array, play: boolean): void {
    const motion = { name, bytes }, { current } = this;
    if (current === null && play) throw new Error('open a character (.sinew) first, then its motions');
    const before = current?.clips.length ?? 0;
    if (current !== null) {
      this.carryOver(motion, current);
      current.carried += 1;
    }
    this.motions.push(motion);
    if (play && current !== null) this.setClip(current.clips[before] ?? null);
    this.onChange();
  }

  async addTruth(name: string, read: Parameters<typeof Truth.open>[0], of = this.current?.character): Promise<void> {
    const loaded = this.loaded.find(({ character }) => character === of);
    if (loaded === undefined) throw new Error('open its character (.sinew) first');
    loaded.truth = await Truth.open(read, loaded.character, name);
    loaded.clips.push(...(await loaded.truth.clips()));
    this.onChange();
  }
  async addTruthFrom(url: string, of: Character): Promise<void> {
    await this.addTruth(url.replace(/^.*\//, ''), partsOf(url), of);
  }

  private carryOver(motion: MotionFile, loaded: Loaded): void {
    if (loaded.skeleton === null) throw new Error('the skeleton of this character takes no motions');
    loaded.clips.push(...loaded.skeleton.read(motion.bytes, motion.name, false).clips);
  }

  private carryOverAll(loaded: Loaded): void {
    for (; loaded.carried < this.motions.length; ++loaded.carried) {
      const motion = this.motions[loaded.carried]!;
      try {
        this.carryOver(motion, loaded);
      } catch (error) {
        // It was fit for the character that it was opened for.
        this.onMessage(sentenceOf(motion.name, error), 'note');
      }
    }
  }

  // ---- What is shown ----

  show(loaded: Loaded): void {
    this.current = loaded;
    this.carryOverAll(loaded);
    this.figure?.close();
    this.other?.close();
    this.other = null;
    this.stage.left.clear();
    this.stage.right.clear();
    const { character } = loaded;
    this.figure = new Figure(character, this.materials, this.materials.plain);
    const above = loaded.skeleton?.bones() ?? character.joints.map((joint) => joint.parent);
    this.root = Math.max(0, above.findIndex((from) => from < 0));
    this.lines = new SkeletonLines(above);
    this.stage.left.add(this.figure.group);
    this.stage.both.clear();
    this.stage.both.add(this.crowd.group, this.lines.group);
    this.size = Math.max(1e-6, this.bodyBox().longest);
    this.crowd.setCharacter(character, this.size);
    this.timings.reset(character.levels.length);
    if (this.choices.level > character.levels.length) this.choices.level = 0;
    this.pose = character.restPose.slice();
    this.setClip(loaded.clips[0] ?? null);
    this.look();
    this.onChange();
  }
  private ground = 0;
  private root = 0;  // the first joint that hangs from none: the camera follows it

  setClip(clip: Clip | null): void {
    this.clip = clip;
    this.time = 0;
    if (clip === null && this.current !== null) this.pose = this.current.character.restPose.slice();
    this.onChange();
  }

  hasTruth(): boolean {
    return this.clip?.truth !== undefined && this.current?.truth !== null;
  }

  setTime(time: number): void {
    this.time = time;
  }

  // Steps to the next frame of the clip, or back.
  step(frames: number): void {
    if (this.clip === null) return;
    this.choices.playing = false;
    const rate = this.clip.rate || 1, count = this.clip.frames.length;
    this.time = ((Math.round(this.time * rate) + frames + count) % count) / rate;
  }

  turn(joint: number, angles: Angles): void {
    if (this.current?.skeleton == null) return;
    this.choices.playing = false;
    if (this.clip !== null) {
      // From here on by hand, beginning with what is on screen.
      this.clip = null;
      this.onChange();
    }
    this.current.skeleton.turn(joint, angles, this.pose);
  }

  // The camera where it began, with room for what the motion does.
  look(): void {
    const box = this.bodyBox(), reach = this.motionReach();
    this.ground = box.ground;
    const height = Math.max(1e-3, box.top - box.ground);
    // A hand or a foot beyond its last joint. No motion is looked at from more than twice as far.
    const needed = Math.min(Math.max(height, reach.top + 0.08 * height - box.ground), 2 * height);
    this.stage.frame(height, { height: needed, width: Math.max(box.width, reach.width) }, box.ground);
  }

  resetPose(): void {
    if (this.current !== null) this.setClip(null);
  }

  // The pose is set by hand, ten floats a joint.
  setPose(pose: Float32Array): void {
    this.clip = null;
    this.pose = pose.slice();
  }

  // By distance: as many vertices as pixels can show. Between two levels the finer one is moved onto the coarser one's
  // surface, so that nothing jumps.
  levelByDistance(): { level: number; towardCoarser: number } {
    const levels = this.current!.character.levels, pixels = this.stage.pixelsOf(this.size);
    const needed = (0.2 * pixels * pixels) / 8;
    const level = levels.findIndex((of) => of.vertices >= needed) + 1 || levels.length;
    if (level === 1) return { level, towardCoarser: 0 };
    const coarser = levels[level - 2]!.vertices, own = levels[level - 1]!.vertices;
    const share = (needed - coarser) / (own - coarser);
    return { level, towardCoarser: Math.min(1, Math.max(0, 1 - share / 0.3)) };
  }

  get faded(): boolean {
    return this.result !== null && (this.result.flags & kFaded) !== 0;
  }
  get interrupted(): boolean {
    return this.result !== null && (this.result.flags & kInterrupted) !== 0;
  }

  // ---- One frame ----

  // From now on; calling it again changes nothing.
  run(): void {
    if (this.running) return;
    this.running = true;
    const loop = () => {
      requestAnimationFrame(loop);
      try {
        this.drawFrame();
        this.failure = '';
      } catch (error) {
        // Once, not sixty times a second.
        const text = error instanceof Error ? error.message : String(error);
        if (text !== this.failure) this.onMessage(text, 'error');
        this.failure = text;
      }
    };
    requestAnimationFrame(loop);
  }

  drawFrame(): void {
    const now = performance.now(), elapsed = now - this.last;
    this.last = now;
    if (elapsed > 0) this.framesPerSecond += 0.08 * (1000 / elapsed - this.framesPerSecond);
    if (this.current !== null && this.figure !== null) {
      this.advance(Math.min(elapsed, 250) / 1000);
      this.evaluate();
    }
    const start = performance.now();
    this.stage.draw(this.current !== null && this.choices.compared !== null ? this.choices.split : null);
    this.timings.draw.add(performance.now() - start);
    this.onFrame();
  }

  private advance(seconds: number): void {
    const { clip, choices } = this;
    if (clip === null) return;
    if (choices.playing) this.time = (this.time + seconds * choices.speed) % duration(clip);
    this.frame = poseAt(clip, this.time, this.pose);
  }

  private evaluate(): void {
    const { choices, pose, materials } = this;
    const { character } = this.current!, figure = this.figure!;
    const chosen = choices.level === 0 ? this.levelByDistance() : { level: choices.level, towardCoarser: 0 };
    const truth = this.truthReader();
    materials.setWireframe(choices.wireframe);
    this.setHeatScale(character);
    const request = { ...chosen, budgetMs: choices.budgetMs, surface: choices.surface, scale: this.heatScale, truth };
    this.result = figure.update(pose, { ...request, shown: choices.shown });
    if (choices.compared !== null) {
      this.other ??= this.makeOther(character);
      this.otherResult = this.other.update(pose, { ...request, budgetMs: 0, shown: choices.compared });
    }
    this.heatLongest = Math.max(this.result.longest, choices.compared !== null ? this.otherResult?.longest ?? 0 : 0);
    if (choices.shown === 'sinew') this.timings.add(this.result, figure.instance, pose);
    const matrices = figure.instance.jointMatrices(pose);
    const root = 16 * this.root;
    if (choices.follow) this.stage.follow(matrices[root + 12] ?? 0, matrices[root + 14] ?? 0, this.ground);
    this.lines!.group.visible = choices.skeleton;
    if (choices.skeleton) this.lines!.update(matrices, this.theme?.accent ?? '#ffffff');
    this.timings.crowd.add(this.crowd.update(choices.crowd, this.clip, this.time, pose, this.stage.camera.position));
    // Whoever came last may have made memory grow.
    figure.attach();
    if (choices.compared !== null) this.other?.attach();
    this.crowd.attach();
  }

  // What the left half shows: three floats a vertex of the level that was reached.
  positions(): Float32Array {
    return this.figure!.positions(this.result!.level);
  }

  // Milliseconds of an evaluation of each level, positions and skinned normals, in poses near rest: the work does not
  // depend on the pose.
  measure(rounds: number): { median: number; fastest: number }[] {
    const { character } = this.current!, instance = new Instance(character), pose = character.restPose.slice();
    const measured = character.levels.map((_, i) => {
      const times = Array.from({ length: rounds }, (_round, k) => {
        pose.set([0.02 * Math.sin(k), 0, 0, 1], 13);
        const start = performance.now();
        instance.evaluate(pose, { level: i + 1, method: 'sinew', normals: 'skinned' });
        return performance.now() - start;
      }).sort((a, b) => a - b);
      return { median: times[Math.floor(rounds / 2)]!, fastest: times[0]! };
    });
    instance.close();
    return measured;
  }

  get crowdVertices(): number {
    return this.crowd.vertices;
  }
  get crowdLevels(): number[] {
    return this.crowd.levels;
  }

  // The body's height in the space of what is coloured: correctives are in that of the mesh, before skinning.
  get heatHeight(): number {
    return this.choices.surface === 'corrective' ? this.current!.character.height : this.size;
  }

  // Characters are in metres, unless they are larger than anything that walks: then lengths are shares of the height.
  get heatUnit(): { length: number; name: string } {
    return this.heatHeight < 10 ? { length: 0.001, name: ' mm' } : { length: this.heatHeight / 100, name: '% of the height' };
  }

  // One scale for both halves that stays as long as what is shown does, and grows when it must: steps of 1, 2, 5.
  private setHeatScale(character: Character): void {
    const unit = this.heatUnit.length, niceAbove = (length: number) => unit * roundAbove(length / unit);
    const of = `${this.choices.surface}/${character.name}`;
    if (of !== this.scaleOf) {
      this.scaleOf = of;
      this.heatScale = niceAbove(0.002 * this.heatHeight);
      this.heatLongest = 0;
    }
    if (this.heatLongest > this.heatScale) this.heatScale = niceAbove(this.heatLongest);
  }

  private makeOther(character: Character): Figure {
    const made = new Figure(character, this.materials, this.materials.other);
    this.stage.right.add(made.group);
    return made;
  }

  private truthReader(): ((level: number, out: Float32Array) => boolean) | null {
    const truth = this.current!.truth, frame = this.clip?.truth?.[this.frame];
    if (truth === null || frame === undefined) return null;
    // The next ones, so that they are there in time.
    for (let ahead = 1; ahead <= 3; ++ahead) void truth.load(this.clip!.truth![this.frame + ahead] ?? -1);
    return (level, out) => truth.positions(frame, level, out);
  }

  // How high the motion takes a joint, and how wide joints stand around the one that the camera follows.
  private motionReach(): { top: number; width: number } {
    const frames = this.clip?.frames ?? [], step = Math.max(1, Math.floor(frames.length / 50));
    const reach = { top: -Infinity, width: 0 }, root = 16 * this.root;
    for (let f = 0; f < frames.length; f += step) {
      const models = this.figure!.instance.jointMatrices(frames[f]!);
      for (let i = 12; i < models.length; i += 16) {
        reach.top = Math.max(reach.top, models[i + 1]!);
        reach.width = Math.max(reach.width, 2 * Math.hypot(models[i]! - models[root + 12]!, models[i + 2]! - models[root + 14]!));
      }
    }
    return reach;
  }

  // Of the coarsest level at rest, the width from any side.
  private bodyBox(): { ground: number; top: number; width: number; longest: number } {
    const { instance, character } = this.figure!;
    instance.evaluate(character.restPose, { level: 1, method: 'linear', normals: 'triangles' });
    const positions = instance.positions(1);
    const box = { ground: Infinity, top: -Infinity, width: 0, longest: 0 };
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < positions.length; i += 3) {
      for (let axis = 0; axis < 3; ++axis) {
        low[axis] = Math.min(low[axis]!, positions[i + axis]!);
        high[axis] = Math.max(high[axis]!, positions[i + axis]!);
      }
      box.ground = Math.min(box.ground, positions[i + 1]!);
      box.top = Math.max(box.top, positions[i + 1]!);
      box.width = Math.max(box.width, 2 * Math.hypot(positions[i]!, positions[i + 2]!));
    }
    box.longest = Math.max(...high.map((value, axis) => value - low[axis]!));
    return box;
  }
}

function roundAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1e-9, value)));
  return power * ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10);
}

function startsWith(bytes: Uint8Array, magic: string): boolean {
  return new TextDecoder().decode(bytes.subarray(0, magic.length)) === magic;
}

// Messages name the file once.
export function sentenceOf(file: string, error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.startsWith(file) ? text : `${file}: ${text}`;
}
