// What the page does, without its controls: characters, motions, the frame that is shown and what it cost.
import { Vector3 } from 'three';
import { firstChoices, type Theme } from './choices';
import { Contact } from './contact';
import { HeatScale } from './heat_scale';
import { Library, type Loaded } from './library';
import { sentenceOf } from './sentence';
import { measureLevels } from './measure';
import { MotionModule, type Angles, type Clip } from './motion/motions';
import { duration, poseAt } from './motion/pose';
import { findMoment, kCloseUp, type Moment } from './opening';
import { Instance, kFaded, kInterrupted, Runtime, type Character } from './runtime/runtime';
import { Crowd } from './scene/crowd';
import { levelFor } from './scene/detail';
import { ColliderDrag } from './scene/collider_drag';
import { bodyBox, motionReach } from './scene/extent';
import { Figure, type FigureResult } from './scene/figure';
import { Materials } from './scene/materials';
import { SkeletonLines } from './scene/skeleton_lines';
import { Stage, type Layout } from './scene/stage';
import { Timings } from './timings';
import { partsOf, type ReadPart } from './truth';

export class App {
  readonly choices = firstChoices();
  readonly timings = new Timings();
  readonly heat = new HeatScale();
  current: Loaded | null = null;
  clip: Clip | null = null;  // null: posed by hand
  time = 0;                  // seconds into the clip
  base: { clip: Clip; time: number } | null = null;  // what a pose by hand began with; null: rest
  touched = false;           // the user has done something: what is on screen stays
  held = false;              // the two that are compared change places as long as this is true
  pose = new Float32Array(0);
  frame = 0;
  result: FigureResult | null = null;
  otherResult: FigureResult | null = null;
  framesPerSecond = 0;
  readyAfter = 0;  // milliseconds from asking for the page until the first character stood
  size = 1;  // the longest side of the body as it stands: files often have their mesh in another unit
  // Something in lists has changed: characters, motions, what can be shown.
  onChange: () => void = () => {};
  onMessage: (text: string, kind: 'error' | 'note') => void = () => {};
  onFrame: () => void = () => {};

  readonly stage: Stage;
  readonly contact: Contact;
  private readonly materials = new Materials();
  private readonly crowd: Crowd;
  private figure: Figure | null = null;
  private other: Figure | null = null;
  private lines: SkeletonLines | null = null;
  private readonly library: Library;
  private theme: Theme | null = null;
  private last = performance.now();
  private failure = '';
  private running = false;
  private ground = 0;
  private root = 0;                       // the first joint that hangs from none
  private followed: number | null = null;  // the joint that a close-up goes with; null: the camera goes with the root, over the ground

  constructor(canvas: HTMLCanvasElement, readonly runtime: Runtime, motionModule: MotionModule) {
    this.stage = new Stage(canvas);
    this.contact = new Contact(this.stage);
    new ColliderDrag(this.stage, this.contact);
    this.library = new Library(runtime, motionModule, (text, kind) => this.onMessage(text, kind));
    this.crowd = new Crowd(this.materials);
    this.stage.both.add(this.crowd.group);
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.stage.setTheme(theme.background, theme.ground, theme.shadow);
    this.materials.setColour(theme.body);
  }

  // ---- Files ----

  // Any file that is dropped: by what it contains. Never throws: what is wrong becomes a message.
  async openFile(name: string, bytes: Uint8Array): Promise<void> {
    try {
      if (startsWith(bytes, 'SINEWBDL')) this.addCharacter(name.replace(/\.sinew$/i, ''), bytes);
      else if (startsWith(bytes, 'SINEWTRU')) await this.addTruth(name, async (first, count) => bytes.slice(first, first + count).buffer);
      else if (/\.(soft|dent)$/i.test(name)) throw new Error('is of soft objects, which have a page of their own: soft.html');
      else this.addMotion(name, bytes, true);
    } catch (error) {
      this.onMessage(sentenceOf(name, error), 'error');
    }
  }

  get loaded(): readonly Loaded[] {
    return this.library.loaded;
  }

  addCharacter(name: string, bytes: Uint8Array, show = true): Character {
    const loaded = this.library.addCharacter(name, bytes);
    if (show) this.show(loaded);
    this.onChange();
    return loaded.character;
  }

  // For the character that is shown; others take it over when they are shown.
  addMotion(name: string, bytes: Uint8Array, play: boolean): void {
    if (this.current === null && play) throw new Error('open a character (.sinew) first, then its motions');
    const clips = this.library.addMotion(name, bytes, this.current);
    if (play) {
      this.setClip(clips[0] ?? null);
      this.choices.playing = true;
    }
    this.onChange();
  }

  async addTruth(name: string, read: ReadPart, of = this.current?.character): Promise<void> {
    await this.library.addTruth(name, read, of);
    this.onChange();
  }
  async addTruthFrom(url: string, of: Character): Promise<void> {
    await this.addTruth(url.replace(/^.*\//, ''), partsOf(url), of);
  }

  // ---- What is shown ----

  show(loaded: Loaded): void {
    this.current = loaded;
    this.library.carryOverAll(loaded);
    this.figure?.close();
    this.other?.close();
    this.other = null;
    this.stage.first.clear();
    this.stage.second.clear();
    const { character } = loaded;
    this.figure = new Figure(character, this.materials);
    const above = loaded.skeleton?.bones() ?? character.joints.map((joint) => joint.parent);
    this.root = Math.max(0, above.findIndex((from) => from < 0));
    this.lines = new SkeletonLines(above);
    this.stage.first.add(this.figure.group);
    this.stage.both.clear();
    this.stage.both.add(this.crowd.group, this.lines.group);
    this.contact.setCharacter(character);
    this.size = Math.max(1e-6, bodyBox(this.figure.instance).longest);
    this.crowd.setCharacter(character, this.size);
    this.timings.reset();
    if (this.choices.level > character.levels.length) this.choices.level = 0;
    this.pose = character.restPose.slice();
    this.openAtDifference();
    this.onChange();
  }

  // Pauses at the frame of all motions in which the methods differ most, close to where that is.
  openAtDifference(): void {
    const { current } = this;
    if (current === null) return;
    this.setClip(current.clips[0] ?? null);
    this.look();
    const moment = findMoment({ ...current, size: this.size });
    if (moment === null) return;
    this.choices.playing = false;
    this.setClip(moment.clip);
    if (moment.clip === null) this.pose = moment.pose.slice();
    else this.time = moment.frame / (moment.clip.rate || 1);
    this.lookClose(moment);
  }

  // Close to the largest difference of the frame that is shown. Returns false where nothing differs.
  lookAtDifference(): boolean {
    const { current, clip, frame, pose } = this;
    if (current === null) return false;
    const moment = findMoment({ ...current, size: this.size }, [{ clip, frame, pose }]);
    if (moment !== null) this.lookClose(moment);
    return moment !== null;
  }

  private lookClose({ pose, place, from, joint }: Moment): void {
    this.stage.setLayout(this.layout());
    this.stage.closeUp(place, from, kCloseUp * this.size);
    this.goWith(joint, pose);
  }

  // The camera goes with a joint (null: with the body, over the ground) from this pose on.
  goWith(joint: number | null, pose: Float32Array): void {
    this.followed = joint;
    this.stage.hold(this.followedPlace(this.figure!.instance.jointMatrices(pose)));
  }
  get followedJoint(): number | null {
    return this.followed;
  }
  private followedPlace(models: Float32Array): Vector3 {
    const place = new Vector3().fromArray(models, 16 * (this.followed ?? this.root) + 12);
    return this.followed === null ? place.setY(0) : place;
  }

  setClip(clip: Clip | null): void {
    this.clip = clip;
    this.time = 0;
    this.base = null;
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
    this.takeOver();
    this.current.skeleton.turn(joint, angles, this.pose);
  }

  // From here on by hand, beginning with what is on screen.
  takeOver(): void {
    this.choices.playing = false;
    if (this.clip === null) return;
    this.base = { clip: this.clip, time: this.time };
    this.clip = null;
    this.onChange();
  }

  // The pose that is on screen as a .bvh file of one frame, which this page and every command take as a motion.
  poseFile(): { name: string; text: string } {
    const { current } = this;
    if (current === null || current.skeleton === null) throw new Error('the skeleton of this character takes no motions');
    const { bvh, warnings } = current.skeleton.write(this.pose);
    for (const warning of warnings) this.onMessage(warning, 'note');
    return { name: `${current.character.name}_pose.bvh`, text: bvh };
  }

  // All of the body, with room for what the motion does.
  look(): void {
    const { instance } = this.figure!, box = bodyBox(instance), reach = motionReach(instance, this.clip, this.root);
    this.ground = box.ground;
    const height = Math.max(1e-3, box.top - box.ground);
    // A hand or a foot beyond its last joint. No motion is looked at from more than twice as far.
    const needed = Math.min(Math.max(height, reach.top + 0.08 * height - box.ground), 2 * height);
    this.followed = null;
    this.stage.setLayout(this.layout());
    this.stage.frame(height, { height: needed, width: Math.max(box.width, reach.width) }, box.ground);
  }

  // ---- Contact ----

  // Of the selected collider. Where it is switched on it comes to the skin that the picture is of. Never throws.
  setCollider(on: boolean): void {
    const { colliders } = this.contact;
    try {
      colliders.set(colliders.selected, on);
      if (on) this.press();
    } catch (error) {
      // There are too many, or its grid is too large for the browser.
      colliders.held[colliders.selected]!.on = false;
      this.onMessage(error instanceof Error ? error.message : String(error), 'error');
    }
  }

  // Brings the selected collider to the skin that the picture is of.
  press(): void {
    const { current, pose } = this;
    if (current === null || !this.contact.holds) return;
    const level = this.result?.level ?? 1, skin = new Instance(current.character);
    skin.evaluate(pose, { level, method: 'sinew' });
    this.contact.begin(skin.jointMatrices(pose).slice());
    if (!this.contact.press(skin.positions(level))) this.onMessage('No skin between the camera and the joint that it goes to.', 'note');
    skin.close();
  }

  resetPose(): void {
    if (this.current !== null) this.setClip(null);
  }

  // The pose is set by hand, ten floats a joint.
  setPose(pose: Float32Array): void {
    this.clip = null;
    this.base = null;
    this.pose = pose.slice();
    this.onChange();
  }

  // The two that are compared have changed places: a key is held, or they do so by themselves.
  get swapped(): boolean {
    const { compared, comparison, blinking } = this.choices;
    if (compared === null) return false;
    return this.held || (comparison === 'blink' && blinking && Math.floor(performance.now() / 1000) % 2 === 1);
  }

  private layout(): Layout {
    const { compared, comparison, split } = this.choices;
    if (this.current === null || compared === null || comparison === 'blink') return { kind: 'one' };
    return comparison === 'side' ? { kind: 'pair' } : { kind: 'split', at: split };
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
    this.stage.setLayout(this.layout());
    if (this.current !== null && this.figure !== null) {
      this.advance(Math.min(elapsed, 250) / 1000);
      this.evaluate();
    }
    const start = performance.now();
    this.stage.draw(this.swapped);
    this.timings.draw.add(performance.now() - start);
    this.onFrame();
  }

  private advance(seconds: number): void {
    const { clip, choices } = this;
    if (clip !== null && choices.playing) this.time = (this.time + seconds * choices.speed) % duration(clip);
    this.poseNow();
  }

  // Takes the pose from the motion, where there is one.
  poseNow(): void {
    if (this.clip !== null) this.frame = poseAt(this.clip, this.time, this.pose);
  }

  private evaluate(): void {
    const { choices, pose, materials, heat, timings } = this;
    const { character } = this.current!, figure = this.figure!;
    const chosen = choices.level === 0 ? levelFor(character.levels, this.stage.pixelsOf(this.size)) : { level: choices.level, towardCoarser: 0 };
    const truth = this.truthReader();
    materials.setWireframe(choices.wireframe);
    // Correctives are in the space of the mesh, before skinning.
    heat.begin(`${choices.surface}/${character.name}`, choices.surface === 'corrective' ? character.height : this.size);
    this.contact.begin(figure.instance.jointMatrices(pose).slice());
    const request = { ...chosen, budgetMs: choices.budgetMs, surface: choices.surface, scale: heat.end, truth, colliders: this.contact.posed() };
    this.result = figure.update(pose, { ...request, shown: choices.shown });
    this.contact.see(this.result);
    timings.first.add(choices.shown, this.result, figure.instance, pose);
    heat.longest = this.result.longest;
    if (choices.compared !== null) {
      this.other ??= this.makeOther(character);
      this.otherResult = this.other.update(pose, { ...request, budgetMs: 0, shown: choices.compared });
      this.contact.see(this.otherResult);
      timings.second.add(choices.compared, this.otherResult, this.other.instance, pose);
      heat.longest = Math.max(heat.longest, this.otherResult.longest);
    }
    this.placeBody(figure.instance.jointMatrices(pose));
    this.contact.draw(this.theme?.accent ?? '#ffffff');
    timings.crowd.add(this.crowd.update(choices.crowd, this.clip, this.time, pose, this.stage.camera.position));
    // Whoever came last may have made memory grow.
    figure.attach();
    if (choices.compared !== null) this.other?.attach();
    this.crowd.attach();
  }

  private placeBody(models: Float32Array): void {
    const root = 16 * this.root;
    if (this.choices.follow) this.stage.follow(this.followedPlace(models));
    this.stage.placeGround(models[root + 12] ?? 0, models[root + 14] ?? 0, this.ground);
    this.lines!.group.visible = this.choices.skeleton;
    if (this.choices.skeleton) this.lines!.update(models, this.theme?.accent ?? '#ffffff');
  }

  // What the first figure shows: three floats a vertex of the level that was reached.
  positions(): Float32Array {
    return this.figure!.positions(this.result!.level);
  }

  measure(character: number, rounds: number): number[][] {
    return measureLevels(this.loaded[character]!.character, rounds);
  }

  get crowdVertices(): number {
    return this.crowd.vertices;
  }
  get crowdLevels(): number[] {
    return this.crowd.levels;
  }

  private makeOther(character: Character): Figure {
    const made = new Figure(character, this.materials);
    this.stage.second.add(made.group);
    return made;
  }

  private truthReader(): ((level: number, out: Float32Array) => boolean) | null {
    const truth = this.current!.truth, frame = this.clip?.truth?.[this.frame];
    if (truth === null || frame === undefined) return null;
    // The next ones, so that they are there in time.
    for (let ahead = 1; ahead <= 3; ++ahead) void truth.load(this.clip!.truth![this.frame + ahead] ?? -1);
    return (level, out) => truth.positions(frame, level, out);
  }
}

function startsWith(bytes: Uint8Array, magic: string): boolean {
  return new TextDecoder().decode(bytes.subarray(0, magic.length)) === magic;
}
