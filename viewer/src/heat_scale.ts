// Characters are in metres, unless they are larger than anything that walks: then lengths are shares of the height.
export function unitOf(height: number): { length: number; name: string } {
  return height < 10 ? { length: 0.001, name: ' mm' } : { length: height / 100, name: '% of the height' };
}

// A length of a character of that height.
export function lengthText(length: number, height: number): string {
  const unit = unitOf(height), value = length / unit.length;
  return `${value >= 10 ? value.toFixed(0) : value.toPrecision(2)}${unit.name}`;
}

// The scale of the heat map: one for both figures that stays as long as what is shown does, and grows when it must.
export class HeatScale {
  longest = 0;  // of what is coloured now
  end = 0.01;   // of the scale
  private of = '';
  private height = 1;

  text(length: number): string {
    return lengthText(length, this.height);
  }

  // Before a frame. height: of the body, in the space of what is coloured.
  begin(of: string, height: number): void {
    this.height = height;
    if (of !== this.of) {
      this.of = of;
      this.end = this.niceAbove(0.002 * height);
      this.longest = 0;
    }
    if (this.longest > this.end) this.end = this.niceAbove(this.longest);
  }

  // In steps of 1, 2, 5.
  private niceAbove(length: number): number {
    const unit = unitOf(this.height).length, value = length / unit;
    const power = 10 ** Math.floor(Math.log10(Math.max(1e-9, value)));
    return unit * power * ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10);
  }
}
