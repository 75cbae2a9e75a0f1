// How fast the runtime is in headless Chromium, against the native one on one thread in the same run: every level of a
// bundle (SINEW_BUNDLE) with positions and skinned normals. The two take turns, and the fastest times are compared: other
// programs only ever add to them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { chromium } from 'playwright-core';
import type { App } from '../src/app';
import { serve } from './server';

const bundle = process.env['SINEW_BUNDLE']!, site_page = process.env['SINEW_PAGE']!, program = process.env['SINEW']!;
const kTurns = 4;
const kAllowed = 3;  // times the native time of the finest level

interface Time {
  median: number;
  fastest: number;
}

function native(): Time[] {
  const text = execFileSync(program, ['bench', bundle, '--rounds', '5', '--threads', '1', '--json', '--quiet']).toString();
  const { timings } = JSON.parse(text) as { timings: { stage: string; level: number; threads: number; hot_us: Time }[] };
  const frames = timings.filter(({ stage, level, threads }) => stage === 'skinned normals' && level > 0 && threads === 1);
  return frames.sort((a, b) => a.level - b.level)
    .map(({ hot_us }) => ({ median: hot_us.median / 1000, fastest: hot_us.fastest / 1000 }));
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
  const here: Time[][] = [], there: Time[][] = [];
  for (let turn = 0; turn < kTurns; ++turn) {
    there.push(native());
    here.push(await page.evaluate((count) => (window.sinew as App).measure(count), 40));
  }
  await browser.close();
  server.close();
  const summary = (turns: Time[][], level: number) => ({
    median: median(turns.map((turn) => turn[level]!.median)),
    fastest: Math.min(...turns.map((turn) => turn[level]!.fastest)),
  });
  for (let i = 0; i < levels; ++i) {
    const wasm = summary(here, i), cpp = summary(there, i), ratio = wasm.fastest / cpp.fastest;
    console.log(`level ${i + 1}: native ${cpp.fastest.toFixed(3)} ms (median ${cpp.median.toFixed(3)}), WebAssembly ` +
      `${wasm.fastest.toFixed(3)} ms (median ${wasm.median.toFixed(3)}), ratio ${ratio.toFixed(2)}`);
    if (i === levels - 1) assert.ok(ratio <= kAllowed, `the finest level takes ${ratio.toFixed(2)} times as long`);
  }
});
