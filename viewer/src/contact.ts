// Contact on the page: the colliders of the character on screen, where they are drawn, and how they stand to its skin.
import { Vector3, type Quaternion, type Raycaster } from 'three';
import { Colliders } from './colliders';
import type { PosedCollider } from './runtime/contact';
import type { Character } from './runtime/runtime';
import { ColliderMeshes } from './scene/collider_meshes';
import type { FigureResult } from './scene/figure';
import type { Stage } from './scene/stage';

const kPressShare = 0.7;  // of the largest depth that was learned
const kPressed = 0.5;     // joints that have this much of the largest share are those that were pressed

// How the selected collider stands to the skin as it is without colliders.
export interface Pressing {
  depth: number;    // below 0: it does not touch
  learned: number;  // the largest depth that was learned
}

export class Contact {
  readonly colliders = new Colliders();
  pressing: Pressing | null = null;  // null: the selected collider is off, or no figure answers
  flags = 0;                         // of the runtime
  drawn = true;                      // colliders are seen
  answered = false;                  // a figure on screen answers to colliders: one of Sinew's
  private readonly meshes = new ColliderMeshes(this.colliders);
  private models: Float32Array = new Float32Array(0);

  constructor(private readonly stage: Stage) {}

  setCharacter(character: Character): void {
    this.colliders.setCharacter(character);
    this.pressing = null;
    this.meshes.clear();
    this.stage.both.add(this.meshes.group);
  }

  // Whether the selected one is on.
  get holds(): boolean {
    return this.colliders.held[this.colliders.selected]?.on === true;
  }

  posed(): PosedCollider[] {
    return this.colliders.posed();
  }

  // Once a frame, before anything is evaluated. models: column-major 4x4 matrices of the joints in model space; kept.
  begin(models: Float32Array): void {
    this.models = models;
    this.pressing = null;
    this.flags = 0;
    this.answered = false;
  }

  // What a figure made of them: the first that answers counts.
  see({ unpressed, flags }: FigureResult): void {
    const { colliders, models } = this, { selected } = colliders;
    if (unpressed === null || this.answered) return;
    this.answered = true;
    this.flags = flags;
    if (!this.holds) return;
    const learned = colliders.learned(selected);
    this.pressing = { depth: -learned.nearest(unpressed, colliders.matrix(selected, models).elements), learned: learned.depth };
  }

  draw(colour: string): void {
    this.meshes.update(this.models, colour);
    this.meshes.group.visible = this.drawn;
  }

  hit(ray: Raycaster): { contact: number; point: Vector3 } | null {
    return this.meshes.hit(ray);
  }

  // Of the selected one.
  move(by: Vector3): void {
    this.colliders.move(this.colliders.selected, by, this.models);
  }
  rotate(by: Quaternion): void {
    this.colliders.rotate(this.colliders.selected, by, this.models);
  }
  carry(joint: number): void {
    this.colliders.carry(this.colliders.selected, joint, this.models);
  }

  // The selected one comes from the camera toward what the picture is of, and presses the first skin on its way.
  // skin: as it is without colliders. Returns false where there is none.
  press(skin: Float32Array): boolean {
    const { colliders, models, stage } = this, { selected } = colliders;
    const to = this.aim(), from = stage.camera.position.clone();
    return colliders.press(selected, skin, from, to, kPressShare, models);
  }

  // The joint nearest to what the camera looks at, of those whose skin was pressed when contact was learned.
  private aim(): Vector3 {
    const { joints } = this.colliders.learned(this.colliders.selected), { target } = this.stage.controls;
    const most = Math.max(0, ...joints.map(({ share }) => share));
    const places = joints.filter(({ share }) => share >= kPressed * most)
      .map(({ joint }) => new Vector3().fromArray(this.models, 16 * joint + 12));
    places.sort((a, b) => a.distanceTo(target) - b.distanceTo(target));
    return places[0] ?? target.clone();
  }
}
