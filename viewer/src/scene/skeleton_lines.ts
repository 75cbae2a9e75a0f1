// A skeleton drawn over the character: its bones as lines, a dot on each joint.
import { BufferAttribute, BufferGeometry, Color, Group, LineBasicMaterial, LineSegments, Points, PointsMaterial } from 'three';

export class SkeletonLines {
  readonly group = new Group();
  private readonly lines: BufferAttribute;
  private readonly dots: BufferAttribute;
  private readonly pairs: [number, number][];
  private readonly line_material = new LineBasicMaterial({ depthTest: false, transparent: true, opacity: 0.9 });
  private readonly dot_material = new PointsMaterial({ depthTest: false, transparent: true, size: 6, sizeAttenuation: false });

  // above: for each joint the one that a bone leads to it from, negative for none.
  constructor(above: number[]) {
    this.pairs = above.flatMap((from, j) => (from >= 0 ? [[from, j] as [number, number]] : []));
    this.lines = new BufferAttribute(new Float32Array(6 * this.pairs.length), 3);
    this.dots = new BufferAttribute(new Float32Array(3 * above.length), 3);
    const line = new LineSegments(new BufferGeometry().setAttribute('position', this.lines), this.line_material);
    const dot = new Points(new BufferGeometry().setAttribute('position', this.dots), this.dot_material);
    for (const drawn of [line, dot]) {
      drawn.frustumCulled = false;
      drawn.renderOrder = 10;
      this.group.add(drawn);
    }
  }

  // matrices: column-major 4x4, one a joint.
  update(matrices: Float32Array, colour: string): void {
    const place = (to: BufferAttribute, i: number, joint: number) =>
      to.setXYZ(i, matrices[16 * joint + 12]!, matrices[16 * joint + 13]!, matrices[16 * joint + 14]!);
    this.pairs.forEach(([parent, joint], i) => {
      place(this.lines, 2 * i, parent);
      place(this.lines, 2 * i + 1, joint);
    });
    for (let j = 0; j < this.dots.count; ++j) place(this.dots, j, j);
    this.lines.needsUpdate = this.dots.needsUpdate = true;
    this.line_material.color = this.dot_material.color = new Color(colour);
  }
}
