// The part of the plane that the picture shows.

export interface Point {
  x: number;
  y: number;
}

const kMargin = 0.09, kLeast = 0.2, kMost = 12;  // zoom, of the scale that shows the whole scene

export class View {
  width = 1;
  height = 1;
  private scale = 1;  // pixels per metre
  private middle: Point = { x: 0, y: 0 };
  private box = { left: -1, right: 1, low: -1, high: 1 };
  private moved = false;

  // Shows a box of the plane, whole.
  show(box: { left: number; right: number; low: number; high: number }): void {
    this.box = box;
    this.fit();
  }
  fit(): void {
    const { left, right, low, high } = this.box;
    this.middle = { x: (left + right) / 2, y: (low + high) / 2 };
    this.scale = this.wholeScale();
    this.moved = false;
  }

  resize(width: number, height: number): void {
    if (width === this.width && height === this.height) return;
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
    if (!this.moved) this.fit();
  }

  get pixelsPerMetre(): number {
    return this.scale;
  }
  toPage(x: number, y: number): Point {
    return { x: this.width / 2 + this.scale * (x - this.middle.x), y: this.height / 2 - this.scale * (y - this.middle.y) };
  }
  toPlane(x: number, y: number): Point {
    return { x: this.middle.x + (x - this.width / 2) / this.scale, y: this.middle.y - (y - this.height / 2) / this.scale };
  }
  // From pixels of the page to the plane and back, for a canvas: a, b, c, d, e, f.
  get matrix(): [number, number, number, number, number, number] {
    const origin = this.toPage(0, 0);
    return [this.scale, 0, 0, -this.scale, origin.x, origin.y];
  }

  pan(dx: number, dy: number): void {
    this.middle = { x: this.middle.x - dx / this.scale, y: this.middle.y + dy / this.scale };
    this.moved = true;
  }
  // What is below the pixel stays there.
  zoom(factor: number, x: number, y: number): void {
    const whole = this.wholeScale(), at = this.toPlane(x, y);
    this.scale = Math.min(kMost * whole, Math.max(kLeast * whole, this.scale * factor));
    const after = this.toPlane(x, y);
    this.middle = { x: this.middle.x + at.x - after.x, y: this.middle.y + at.y - after.y };
    this.moved = true;
  }

  private wholeScale(): number {
    const { left, right, low, high } = this.box, share = 1 - 2 * kMargin;
    return share * Math.min(this.width / Math.max(right - left, 1e-6), this.height / Math.max(high - low, 1e-6));
  }
}
