// Poses that are saved and links to what is on screen: in headless Chromium, and read by the native program.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import type { Page } from 'playwright-core';
import type { App } from '../src/app';
import { choose, drop, fixture, picture, program, test, Viewer } from './browser';
import { readPoses } from './files';

let viewer: Viewer, page: Page;
const folder = mkdtempSync(join(tmpdir(), 'sinew_poses_'));

before(async () => {
  viewer = await Viewer.start();
  page = await viewer.open(viewer.address);
  await page.locator('summary', { hasText: 'Pose by hand' }).click();
});

after(async () => {
  await viewer.stop();
  rmSync(folder, { recursive: true, force: true });
});

// By sliders, beginning with the frame on screen.
async function turnBySlider(on: Page, joint: string, share: number): Promise<void> {
  await on.locator('select[aria-label="Joint"]').selectOption({ label: joint });
  const slider = on.locator('input[aria-label="Bend"]'), ends = await Promise.all(['min', 'max'].map((end) => slider.getAttribute(end)));
  await slider.fill(String(Number(ends[0]) + share * (Number(ends[1]) - Number(ends[0]))));
}

const poseOf = (on: Page) => on.evaluate(() => {
  (window.sinew as App).drawFrame();
  return Array.from((window.sinew as App).pose);
});

// The largest difference of two poses; a rotation has two signs.
function worst(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let most = a.length === b.length ? 0 : Infinity;
  for (let j = 0; j < a.length; j += 10) {
    const signed = [1, -1].map((sign) => Math.max(...[3, 4, 5, 6].map((k) => Math.abs(a[j + k]! - sign * b[j + k]!))));
    most = Math.max(most, Math.min(...signed), ...[0, 1, 2, 7, 8, 9].map((k) => Math.abs(a[j + k]! - b[j + k]!)));
  }
  return most;
}

test('a saved pose is the same when the page opens it again, and for the native program', async () => {
  await turnBySlider(page, 'left elbow', 0.8);
  await turnBySlider(page, 'right knee', 0.6);
  const saved = await poseOf(page), file = join(folder, 'pose.bvh');
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('button', { hasText: 'Save pose' }).click()]);
  assert.equal(download.suggestedFilename(), 'body_i8_pose.bvh');
  await download.saveAs(file);
  const rest = await page.evaluate(() => Array.from((window.sinew as App).current!.character.restPose));
  assert.ok(worst(saved, rest) > 0.2, 'it is not the rest pose');

  await page.locator('button', { hasText: 'Rest pose' }).click();
  assert.ok(worst(await poseOf(page), rest) < 1e-6);
  await drop(page, 'pose.bvh', readFileSync(file));
  await page.waitForFunction(() => (window.sinew as App).clip?.name === 'pose');
  const again = worst(await poseOf(page), saved);
  assert.ok(again < 1e-4, `off by ${again} on the page`);

  execFileSync(program, ['poses', join(fixture, 'body.glb'), '--from', file, '--allow-overlap', '-o', join(folder, 'pose.poses'), '--quiet']);
  const native = readPoses(join(folder, 'pose.poses'));
  assert.equal(native.length, 1);
  assert.ok(worst(native[0]!, saved) < 1e-4, `off by ${worst(native[0]!, saved)} natively`);
});

test('a character without a skeleton for motions says so instead of saving', async () => {
  await page.evaluate(() => {
    const current = (window.sinew as App).current!, { skeleton } = current;
    current.skeleton = null;
    [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Save pose')!.click();
    current.skeleton = skeleton;
  });
  await page.waitForFunction(() => document.querySelector('.message.error')?.textContent?.includes('takes no motions'));
});

// What a link must bring back.
const state = (on: Page) => on.evaluate(() => {
  const app = window.sinew as App, { shown, compared, comparison, split, level, surface, playing } = app.choices;
  app.drawFrame();
  return { choices: { shown, compared, comparison, split, level, surface, playing }, character: app.current!.character.name,
    clip: app.clip?.name ?? null, frame: app.frame, pose: Array.from(app.pose), positions: Array.from(app.positions()),
    camera: [...app.stage.camera.position.toArray(), ...app.stage.controls.target.toArray()], followed: app.followedJoint };
});

async function checkLink(name: string): Promise<void> {
  await page.keyboard.press('l');
  await page.waitForFunction(() => location.hash.length > 10);
  const there = await state(page), other = await viewer.open(page.url()), here = await state(other);
  for (const key of ['choices', 'character', 'clip', 'frame', 'followed'] as const) assert.deepEqual(here[key], there[key], key);
  assert.ok(worst(here.pose, there.pose) < 1e-5, `the pose is off by ${worst(here.pose, there.pose)}`);
  const far = (a: number[], b: number[]) => Math.max(...a.map((value, i) => Math.abs(value - b[i]!)));
  assert.ok(far(here.camera, there.camera) < 1e-4, `the camera is off by ${far(here.camera, there.camera)}`);
  assert.ok(here.positions.length === there.positions.length && far(here.positions, there.positions) < 1e-4);
  await picture(other, name);
  await other.close();
  await page.bringToFront();
}

test('a link shows the same frame of the same motion, from the same side', async () => {
  await page.evaluate(() => {
    const app = window.sinew as App;
    app.setClip(app.current!.clips.find(({ name, truth }) => truth === undefined && name === 'exercise')!);
    app.step(40);
    app.look();
    app.stage.look(app.stage.camera.position.clone().add({ x: -1.3, y: 0.4, z: -0.6 }), app.stage.controls.target.clone().add({ x: 0.1, y: 0.2, z: 0 }));
  });
  await choose(page, 'Show', 'Dual q.');
  await choose(page, 'Compare with', 'Sinew');
  await choose(page, 'How to compare', 'Split');
  await choose(page, 'Detail level', '2');
  await page.evaluate(() => ((window.sinew as App).choices.split = 0.375));
  await checkLink('link');
});

test('a link shows joints that were turned by hand, from a motion on', async () => {
  await choose(page, 'Show', 'Sinew');
  await choose(page, 'Compare with', 'Linear');
  await choose(page, 'How to compare', 'Side by side');
  await choose(page, 'Colours', 'Corrections');
  await turnBySlider(page, 'left elbow', 0.9);
  assert.equal(await page.evaluate(() => (window.sinew as App).clip), null);
  await page.keyboard.press('f');
  await checkLink('link_turned');
  const words = new URLSearchParams((await page.evaluate(() => location.hash)).slice(1));
  assert.equal(words.get('motion'), 'exercise');
  assert.equal(words.getAll('turn').length, 1, 'only the joint that was turned');
});

test('a link to true shapes opens on them', async () => {
  await page.evaluate(() => {
    const app = window.sinew as App;
    app.setClip(app.current!.clips.find(({ truth }) => truth !== undefined)!);
    app.step(3);
  });
  await page.waitForFunction(() => (window.sinew as App).hasTruth());
  await choose(page, 'Colours', 'Material');
  await choose(page, 'Compare with', 'Truth');
  await page.waitForFunction(() => (window.sinew as App).otherResult?.truthMissing === false);
  await checkLink('link_truth');
});

test('a link to what is not here, or that makes no sense, is told, and the page goes on', async () => {
  const tell = async (fragment: string, sentence: string) => {
    await page.evaluate((hash) => (location.hash = hash), fragment);
    await page.waitForFunction((text) => [...document.querySelectorAll('.message.error')].some((m) => m.textContent!.includes(text)), sentence);
    await page.evaluate(() => (window.sinew as App).drawFrame());
  };
  await tell('#character=nobody', 'the character "nobody", which is not here');
  await tell('#character=body_i8&motion=flight', 'the motion "flight", which is not here');
  await tell('#character=body_i8&camera=1,2,3', '"camera" is not 6 numbers');
  await tell('#character=body_i8&camera=1,2,1e999,0,0,0', '"camera" is not 6 numbers');
  await tell('#character=body_i8&show=magic', '"show" is none of linear, dual, sinew, truth');
  await tell('#character=body_i8&turn=0,0,0,1,tail', 'the joint "tail"');
  await tell('#character=body_i8&turn=0,x,0,1,left_elbow', '"turn" is not 4 numbers and a joint');
  assert.deepEqual(viewer.problems, []);
});
