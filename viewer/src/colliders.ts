// The learned colliders of the character on screen: which are on, where they are, and what carries them.
import { Matrix4, Quaternion, Vector3 } from 'three';
import { kMaxColliders, type LearnedCollider, type PosedCollider } from './runtime/contact';
import type { Character } from './runtime/runtime';

// Rigid, in model space or in the frame of `joint` without its scale.
export interface HeldCollider {
  on: boolean;
  joint: number;  // that carries it; -1: none
  place: Vector3;
  turn: Quaternion;
}

const kOne = new Vector3(1, 1, 1);
const kLongestWay = 4000;  // steps toward the skin

export class Colliders {
  held: HeldCollider[] = [];
  selected = 0;
  private character: Character | null = null;

  // All off.
  setCharacter(character: Character): void {
    this.character = character;
    this.selected = 0;
    this.held = character.contacts.map(() => ({ on: false, joint: -1, place: new Vector3(), turn: new Quaternion() }));
  }

  get any(): boolean {
    return this.held.some(({ on }) => on);
  }
  learned(contact: number): LearnedCollider {
    return this.character!.collider(contact);
  }

  // Switching it on selects it. Throws an Error with a sentence where there would be too many.
  set(contact: number, on: boolean): void {
    const held = this.held[contact]!;
    if (on && !held.on && this.held.filter((other) => other.on).length >= kMaxColliders) {
      throw new Error(`At most ${kMaxColliders} colliders press at once: switch one off first`);
    }
    held.on = on;
    if (on) this.selected = contact;
  }

  // For the runtime.
  posed(): PosedCollider[] {
    return this.held.flatMap(({ on, joint, place, turn }, contact) =>
      (on ? [{ contact, joint, pose: new Matrix4().compose(place, turn, kOne).elements }] : []));
  }

  // In model space. models: column-major 4x4 matrices of the joints there.
  matrix(contact: number, models: Float32Array): Matrix4 {
    const { joint, place, turn } = this.held[contact]!, own = new Matrix4().compose(place, turn, kOne);
    return joint < 0 ? own : carrier(joint, models).multiply(own);
  }

  // Puts it somewhere in model space; what carries it stays.
  put(contact: number, to: Matrix4, models: Float32Array): void {
    const held = this.held[contact]!, own = held.joint < 0 ? to : carrier(held.joint, models).invert().multiply(to);
    own.decompose(held.place, held.turn, new Vector3());
    held.turn.normalize();
  }

  // From now on a joint carries it, or none (-1); it stays where it is.
  carry(contact: number, joint: number, models: Float32Array): void {
    const now = this.matrix(contact, models);
    this.held[contact]!.joint = joint;
    this.put(contact, now, models);
  }

  move(contact: number, by: Vector3, models: Float32Array): void {
    this.put(contact, new Matrix4().makeTranslation(by).multiply(this.matrix(contact, models)), models);
  }

  // About its own origin; the rotation is one of model space.
  rotate(contact: number, by: Quaternion, models: Float32Array): void {
    const now = this.matrix(contact, models), place = new Vector3().setFromMatrixPosition(now);
    const turned = new Matrix4().makeRotationFromQuaternion(by).multiply(now.setPosition(0, 0, 0));
    this.put(contact, turned.setPosition(place), models);
  }

  // Comes from `from` straight toward `to` until it touches the skin, then goes on by a share of the largest depth that was learned.
  // skin: three floats a vertex, not pressed. Returns false, and leaves it where it was, where there is no skin on the way.
  press(contact: number, skin: Float32Array, from: Vector3, to: Vector3, share: number, models: Float32Array): boolean {
    const collider = this.learned(contact), way = to.clone().sub(from), length = way.length(), along = way.normalize();
    const rotation = this.matrix(contact, models).setPosition(0, 0, 0), at = from.clone(), now = new Matrix4();
    let gone = 0;
    for (let step = 0; step < kLongestWay && gone <= length; ++step) {
      // It can go as far as it is from the nearest skin, and touches nothing.
      const free = collider.nearest(skin, now.copy(rotation).setPosition(at).elements);
      if (free <= 1e-3 * collider.window) {
        this.put(contact, now.setPosition(at.addScaledVector(along, Math.min(share * collider.depth, length - gone) + free)), models);
        return true;
      }
      at.addScaledVector(along, free);
      gone += free;
    }
    return false;
  }
}

// The frame of a joint without its scale.
function carrier(joint: number, models: Float32Array): Matrix4 {
  const place = new Vector3(), turn = new Quaternion();
  new Matrix4().fromArray(models, 16 * joint).decompose(place, turn, new Vector3());
  return new Matrix4().compose(place, turn, kOne);
}
