// Times the runtime in headless Chromium and the native one on one thread, in the same run: every level of every
// bundle (SINEW_BUNDLES, one a line) with positions and normals from triangles. The page and the native program take turns, a
// fraction of a second each, and every turn gives one ratio of medians: what else the machine does meets both. What must hold is the
// ratio of the fastest times of all turns: other programs only ever add to them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { basename } from 'node:path';
import { test } from 'node:test';
import { chromium, type Page } from 'playwright-core';
import type { App } from '../src/app';
import { serve } from './server';

const bundles = process.env['SINEW_BUNDLES']!.split('\n'), site_page = process.env['SINEW_PAGE']!, program = process.env['SINEW']!;
const kTurns = 15, kRounds = 8;
const kAllowed = 3;  // times the native time, at every level, by the fastest

interface Time {
  median: number;
  fastest: number;
}

function native(bundle: string): Time[] {
  const text = execFileSync(program, ['bench', bundle, '--hot', '--rounds', `${kRounds}`, '--threads', '1', '--json', '--quiet']).toString();
  const { timings } = JSON.parse(text) as { timings: { stage: string; level: number; hot_us: Time }[] };
  return timings.filter(({ stage, level }) => stage === 'frame' && level > 0).sort((a, b) => a.level - b.level)
    .map(({ hot_us }) => ({ median: hot_us.median / 1000, fastest: hot_us.fastest / 1000 }));
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

async function inPage(page: Page, character: number, rounds: number): Promise<Time[]> {
  const levels = await page.evaluate(([of, count]) => (window.sinew as App).measure(of!, count!), [character, rounds]);
  return levels.map((times) => ({ median: median(times), fastest: Math.min(...times) }));
}

test('WebAssembly is within three times the native time at every level', async () => {
  const { url, server } = await serve(site_page, Object.fromEntries(bundles.map((file, k) => [`/measured_${k}.sinew`, file])));
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', headless: true, args: ['--no-sandbox'] });
  const page = await browser.newPage();
  await page.goto(url);
  await page.waitForFunction(() => document.documentElement.dataset['ready'] === 'yes');
  // Without drawing, which on a machine without a GPU takes all the time there is.
  await page.evaluate(async (count) => {
    const app = window.sinew as App;
    app.drawFrame = () => {};
    for (let k = 0; k < count; ++k) {
      const response = await fetch(`./measured_${k}.sinew`);
      app.addCharacter(`measured ${k}`, new Uint8Array(await response.arrayBuffer()));
    }
  }, bundles.length);
  // Browsers compile what has run for a while once more, and better, beside what runs.
  for (let k = 0; k < bundles.length; ++k) await inPage(page, k, 100);
  await page.waitForTimeout(1000);
  const here: Time[][][] = bundles.map(() => []), there: Time[][][] = bundles.map(() => []);
  for (let turn = 0; turn < kTurns; ++turn) {
    for (const [k, file] of bundles.entries()) {
      there[k]!.push(native(file));
      here[k]!.push(await inPage(page, k, kRounds));
    }
  }
  await browser.close();
  server.close();
  const slow: string[] = [];
  for (const [k, file] of bundles.entries()) {
    console.log(`${basename(file)}: milliseconds, medians (fastest)`);
    for (let i = 0; i < there[k]![0]!.length; ++i) {
      const of = (turns: Time[][], which: keyof Time) => turns.map((turn) => turn[i]![which]);
      const ratio = median(here[k]!.map((turn, t) => turn[i]!.median / there[k]![t]![i]!.median));
      const fastest = [Math.min(...of(there[k]!, 'fastest')), Math.min(...of(here[k]!, 'fastest'))] as const;
      const at_best = fastest[1] / fastest[0];
      console.log(`  level ${i + 1}: native ${median(of(there[k]!, 'median')).toFixed(3)} (${fastest[0].toFixed(3)}), page ` +
        `${median(of(here[k]!, 'median')).toFixed(3)} (${fastest[1].toFixed(3)}), ratio ${ratio.toFixed(2)} (${at_best.toFixed(2)})`);
      if (at_best > kAllowed) slow.push(`level ${i + 1} of ${basename(file)} takes ${at_best.toFixed(2)} times as long`);
    }
  }
  assert.deepEqual(slow, []);
});
