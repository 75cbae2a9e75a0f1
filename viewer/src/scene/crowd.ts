// Many of the same character around the first, each at the level that its distance asks for.
import { Group, Vector3 } from 'three';
import type { Character } from '../runtime/runtime';
import type { Clip } from '../motion/motions';
import { duration, poseAt } from '../motion/pose';
import { Figure } from './figure';
import type { Materials } from './materials';

interface Member {
  figure: Figure;
  pose: Float32Array;
  place: Vector3;
  delay: number;  // seconds by which it is ahead of the first
}

const kGoldenAngle = Math.PI * (3 - Math.sqrt(5));

export class Crowd {
  readonly group = new Group();
  vertices = 0;
  levels: number[] = [];  // how many are at each level
  private members: Member[] = [];
  private character: Character | null = null;
  private size = 1;

  constructor(private readonly materials: Materials) {}

  // size: of its body as it stands.
  setCharacter(character: Character, size: number): void {
    this.resize(0);
    this.character = character;
    this.size = size;
  }

  // Returns the milliseconds that evaluating took.
  update(count: number, clip: Clip | null, time: number, pose: Float32Array, camera: Vector3): number {
    this.vertices = 0;
    this.levels = [];
    if (this.character === null) return 0;
    this.resize(count);
    if (count === 0) return 0;
    const start = performance.now();
    const finest = this.character.levels.length;
    this.levels = new Array<number>(finest).fill(0);
    for (const member of this.members) {
      if (clip === null) member.pose.set(pose);
      else poseAt(clip, (time + member.delay) % duration(clip), member.pose);
      const level = this.levelAt(member.place.distanceTo(camera), finest);
      member.figure.update(member.pose,
        { shown: 'sinew', level, budgetMs: 0, towardCoarser: 0, surface: 'material', scale: 1, truth: null, colliders: [] });
      this.levels[level - 1]! += 1;
      this.vertices += this.character.level(level).vertices;
    }
    return performance.now() - start;
  }

  attach(): void {
    for (const { figure } of this.members) figure.attach();
  }

  // One level coarser with every doubling of the distance, beginning below the finest.
  private levelAt(distance: number, finest: number): number {
    const doublings = Math.floor(Math.log2(Math.max(1, distance / (1.6 * this.size))));
    return Math.min(finest, Math.max(1, finest - 1 - doublings));
  }

  private resize(count: number): void {
    while (this.members.length > count) {
      const gone = this.members.pop()!;
      this.group.remove(gone.figure.group);
      gone.figure.close();
    }
    while (this.members.length < count) this.members.push(this.make(this.members.length));
  }

  // On a spiral, so that any number fills the ground evenly.
  private make(i: number): Member {
    const character = this.character!;
    const radius = 0.85 * this.size * Math.sqrt(i + 1.6), angle = i * kGoldenAngle + 2.2;
    const place = new Vector3(radius * Math.cos(angle), 0, radius * Math.sin(angle));
    const figure = new Figure(character, this.materials, false);
    figure.group.position.copy(place);
    this.group.add(figure.group);
    return { figure, pose: character.restPose.slice(), place, delay: (i * 0.618) % 7 };
  }
}
