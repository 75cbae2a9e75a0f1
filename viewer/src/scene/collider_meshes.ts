// Colliders as they are drawn: see-through, so that the dent is seen.
import { Color, Group, Mesh, MeshStandardMaterial, type BufferGeometry, type Raycaster, type Vector3 } from 'three';
import type { Colliders } from '../colliders';
import { colliderGeometry } from './collider_shape';

export class ColliderMeshes {
  readonly group = new Group();
  private readonly meshes = new Map<number, Mesh<BufferGeometry, MeshStandardMaterial>>();

  constructor(private readonly colliders: Colliders) {}

  // Of another character from now on.
  clear(): void {
    for (const { geometry, material } of this.meshes.values()) {
      geometry.dispose();
      material.dispose();
    }
    this.meshes.clear();
    this.group.clear();
  }

  // models: column-major 4x4 matrices of the joints in model space.
  update(models: Float32Array, colour: string): void {
    this.colliders.held.forEach(({ on }, contact) => {
      if (!on) {
        this.meshes.get(contact)?.removeFromParent();
        return;
      }
      const mesh = this.meshOf(contact);
      this.group.add(mesh);
      mesh.matrix.copy(this.colliders.matrix(contact, models));
      mesh.matrixWorldNeedsUpdate = true;
      mesh.material.color = new Color(colour);
      mesh.material.opacity = contact === this.colliders.selected ? 0.42 : 0.26;
    });
  }

  // The nearest that a ray meets, and where.
  hit(ray: Raycaster): { contact: number; point: Vector3 } | null {
    const found = ray.intersectObjects(this.group.children, false)[0];
    if (found === undefined) return null;
    for (const [contact, mesh] of this.meshes) if (mesh === found.object) return { contact, point: found.point };
    return null;
  }

  private meshOf(contact: number): Mesh<BufferGeometry, MeshStandardMaterial> {
    const known = this.meshes.get(contact);
    if (known !== undefined) return known;
    const material = new MeshStandardMaterial({ roughness: 0.5, metalness: 0, transparent: true, depthWrite: false });
    const made = new Mesh(colliderGeometry(this.colliders.learned(contact).grid), material);
    made.matrixAutoUpdate = false;
    made.renderOrder = 5;
    this.meshes.set(contact, made);
    return made;
  }
}
