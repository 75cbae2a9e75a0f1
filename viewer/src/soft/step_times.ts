// What the last steps took, and what they reported.
import type { StepReport } from './module';

const kKept = 120;

export class StepTimes {
  private readonly milliseconds: number[] = [];
  private readonly reports: StepReport[] = [];

  add(milliseconds: number, report: StepReport): void {
    this.milliseconds.push(milliseconds);
    this.reports.push(report);
    if (this.milliseconds.length <= kKept) return;
    this.milliseconds.shift();
    this.reports.shift();
  }
  clear(): void {
    this.milliseconds.length = this.reports.length = 0;
  }

  // Of the kept steps, 0 to 1; 0 without any.
  quantile(share: number): number {
    const sorted = [...this.milliseconds].sort((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  }
  get iterations(): number {
    return this.reports.reduce((sum, { iterations }) => sum + iterations, 0) / Math.max(1, this.reports.length);
  }
  // All that the kept steps had.
  get flags(): number {
    return this.reports.reduce((all, { flags }) => all | flags, 0);
  }
  // How many of them have a flag, as a share.
  share(flag: number): number {
    return this.reports.filter(({ flags }) => (flags & flag) !== 0).length / Math.max(1, this.reports.length);
  }
}
