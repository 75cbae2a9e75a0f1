// How fast the runtime is in headless Chromium, against the native one on one thread in the same run: every level of a
// bundle (SINEW_BUNDLE) with positions and skinned normals. The two take turns, so that a busy machine slows both.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { chromium } from 'playwright-core';
import type { App } from '../src/app';
import { serve } from './server';

const bundle = process.env['SINEW_BUNDLE']!, site_page = process.env['SINEW_PAGE']!, program = process.env['SINEW']!;
const kTurns = 5;
const kAllowed = 3;  // times the native time of the finest level

function native(): number[] {
  const text = execFileSync(program, ['bench', bundle, '--rounds', '15', '--threads', '1', '--json', '--quiet']).toString();
  const { timings } = JSON.parse(text) as { timings: { stage: string; level: number; threads: number; hot_us: { median: number } }[] };
  const frames = timings.filter(({ stage, level, threads }) => stage === 'frame' && level > 0 && threads === 1);
  return frames.sort((a, b) => a.level - b.level).map(({ hot_us }) => hot_us.median / 1000);
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

test('WebAssembly is within three times the native time', async () => {
  const { url, server } = await serve(site_page, { '/measured.sinew': bundle });
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', headless: true, args: ['--no-sandbox'] });
  const page = await browser.newPage();
  await page.goto(url);
  await page.waitForFunction(() => document.documentElement.dataset['ready'] === 'yes');
  // Without drawing, which on a machine without a GPU takes all the time there is.
  const levels = await page.evaluate(async () => {
    const app = window.sinew as App;
    app.drawFrame = () => {};
    const response = await fetch('./measured.sinew');
    return app.addCharacter('measured', new Uint8Array(await response.arrayBuffer())).levels.length;
  });
  const here: number[][] = [], there: number[][] = [];
  for (let turn = 0; turn < kTurns; ++turn) {
    there.push(native());
    here.push(await page.evaluate((count) => (window.sinew as App).measure(count), 15));
  }
  await browser.close();
  server.close();
  for (let i = 0; i < levels; ++i) {
    const wasm = median(here.map((turn) => turn[i]!)), cpp = median(there.map((turn) => turn[i]!));
    const ratio = median(here.map((turn, k) => turn[i]! / there[k]![i]!));
    console.log(`level ${i + 1}: native ${cpp.toFixed(3)} ms, WebAssembly ${wasm.toFixed(3)} ms, ratio ${ratio.toFixed(2)}`);
    if (i === levels - 1) assert.ok(ratio <= kAllowed, `the finest level takes ${ratio.toFixed(2)} times as long`);
  }
});
