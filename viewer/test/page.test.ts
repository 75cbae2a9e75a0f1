// The page in headless Chromium, on a character that `sinew view` serves: plays, changes levels and methods, positions
// read back against the native program's, files dropped, pictures taken. What it opens with and how it compares: compare.test.ts.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';
import type { Page } from 'playwright-core';
import type { App } from '../src/app';
import { choose, drop, fixture, kHeight, kPhone, picture, site_page, test, Viewer } from './browser';
import { readNpy, readPoses, worstDistance } from './files';
import { serve } from './server';

const kTolerance = 1e-5;  // of the body's height
const poses = readPoses(join(fixture, 'test.poses'));

let viewer: Viewer, page: Page;

before(async () => {
  viewer = await Viewer.start();
  page = await viewer.open(viewer.address);
});

after(async () => viewer.stop());

// What the page shows of a pose after one frame.
async function shown(on: Page, pose: Float32Array): Promise<{ positions: number[]; level: number; outOfRange: number }> {
  return on.evaluate((values) => {
    const app = window.sinew as App;
    app.setPose(Float32Array.from(values));
    app.drawFrame();
    return { positions: Array.from(app.positions()), level: app.result!.level, outOfRange: app.result!.outOfRange };
  }, Array.from(pose));
}

test('opens quickly and plays', async () => {
  console.log(`the page was ready ${(await page.evaluate(() => window.sinew!.readyAfter)).toFixed(0)} ms after it was asked for`);
  const time = () => page.evaluate(() => (window.sinew as App).time);
  const first = await time();
  await page.keyboard.press('Space');
  await page.waitForFunction((then) => (window.sinew as App).time !== then, first);
  await page.keyboard.press('Space');
  const stopped = await time();
  await page.waitForTimeout(300);
  assert.equal(await time(), stopped);
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction((then) => (window.sinew as App).time !== then, stopped);
});

test('all of a motion is in the picture', async () => {
  const outside = await page.evaluate(() => {
    const app = window.sinew as App, { camera } = app.stage, clip = app.current!.clips.find(({ truth }) => truth === undefined)!;
    app.choices.playing = false;
    app.setClip(clip);
    app.look();
    let farthest = 0;
    for (let f = 0; f < clip.frames.length; f += 3) {
      app.setTime(f / clip.rate);
      app.drawFrame();
      camera.updateMatrixWorld();
      const positions = app.positions(), at = camera.position.clone();
      for (let i = 0; i < positions.length; i += 3) {
        at.set(positions[i]!, positions[i + 1]!, positions[i + 2]!).project(camera);
        farthest = Math.max(farthest, Math.abs(at.x), Math.abs(at.y));
      }
    }
    return farthest;
  });
  assert.ok(outside < 1, `${outside} of the way to the edge`);
});

test('shows the skeleton in the body, in its pose, when asked for', async () => {
  // Ends of the bones that are drawn, and how many of them are outside of the body's box.
  const bones = () => page.evaluate(() => {
    const app = window.sinew as App, low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    app.drawFrame();
    app.positions().forEach((x, i) => {
      low[i % 3] = Math.min(low[i % 3]!, x);
      high[i % 3] = Math.max(high[i % 3]!, x);
    });
    const ends: number[] = [];
    app.stage.both.traverseVisible((drawn) => {
      const line = drawn as unknown as { isLineSegments?: boolean; geometry: { attributes: { position: { array: Float32Array } } } };
      if (line.isLineSegments === true) ends.push(...line.geometry.attributes.position.array);
    });
    const margin = 0.05 * (high[1]! - low[1]!);
    const outside = ends.filter((x, i) => x < low[i % 3]! - margin || x > high[i % 3]! + margin).length;
    return { ends, outside, on: app.choices.skeleton };
  });
  assert.deepEqual(await bones(), { ends: [], outside: 0, on: false });
  await page.keyboard.press('s');
  const first = await bones();
  assert.ok(first.on && first.ends.length > 0 && first.outside === 0, `${first.outside} of ${first.ends.length} are outside`);
  assert.ok(await page.getByRole('switch', { name: 'Skeleton' }).isChecked());
  await shown(page, poses[5]!);
  const bent = await bones();
  assert.ok(worstDistance(bent.ends, Float32Array.from(first.ends)) > 0.01, 'it follows the pose');
  await picture(page, 'skeleton');
  await page.getByRole('switch', { name: 'Skeleton' }).click();
  assert.deepEqual((await bones()).ends, []);
});

test('the camera sees bodies of any size whole', async () => {
  const [before, after, near] = await page.evaluate(() => {
    const { stage } = window.sinew as App, { camera } = stage;
    stage.frame(150, { height: 150, width: 60 }, 0);
    const used = [...camera.projectionMatrix.elements];
    camera.updateProjectionMatrix();
    const seen = [used, [...camera.projectionMatrix.elements], camera.near] as const;
    (window.sinew as App).look();
    return seen;
  });
  assert.equal(near, 1.5);
  assert.deepEqual(before, after);
});

test('without a motion it plays what the truth is of', async () => {
  await viewer.browser.route('**/site.json', async (route) => {
    const site = (await (await route.fetch()).json()) as object;
    await route.fulfill({ json: { ...site, motions: [] } });
  });
  const still = await viewer.open(viewer.address);
  await viewer.browser.unroute('**/site.json');
  assert.ok(await still.evaluate(() => (window.sinew as App).clip?.truth !== undefined));
  await still.close();
});

test('every level by hand is where the native runtime puts it', async () => {
  let worst = 0;
  for (const level of [1, 2, 3]) {
    await choose(page, 'Detail level', String(level));
    const native = readNpy(join(fixture, `sinew_i8_${level}.npy`));
    for (const frame of [0, 5, 11]) {
      const got = await shown(page, poses[frame]!), floats = got.positions.length;
      assert.equal(got.level, level);
      const off = worstDistance(got.positions, native.values.subarray(frame * floats, (frame + 1) * floats));
      worst = Math.max(worst, off);
    }
  }
  assert.ok(worst <= kTolerance * kHeight, `off by ${worst} m`);
});

test('skinning and dual quaternions are those of the native program', async () => {
  await choose(page, 'Detail level', '3');
  for (const [option, file] of [['Linear', 'lbs.npy'], ['Dual q.', 'dqs.npy']] as const) {
    await choose(page, 'Show', option);
    const native = readNpy(join(fixture, file)), got = await shown(page, poses[2]!), floats = got.positions.length;
    const off = worstDistance(got.positions, native.values.subarray(2 * floats, 3 * floats));
    assert.ok(off <= kTolerance * kHeight, `${option}: off by ${off} m`);
  }
  await choose(page, 'Show', 'Sinew');
});

test('a pose far from what was trained is reported', async () => {
  const bent = poses[0]!.slice();
  for (let j = 0; j < bent.length; j += 10) bent.set([Math.SQRT1_2, 0, 0, Math.SQRT1_2], j + 3);
  assert.ok((await shown(page, bent)).outOfRange > 0);
  await page.waitForFunction(() => document.getElementById('status')!.textContent!.includes('beyond what Sinew learned'));
});

test('a small time budget gives coarser levels, no budget the finest', async () => {
  await page.evaluate(() => ((window.sinew as App).choices.budgetMs = 0.0001));
  assert.equal((await shown(page, poses[1]!)).level, 1);
  await page.evaluate(() => ((window.sinew as App).choices.budgetMs = 0));
  assert.equal((await shown(page, poses[1]!)).level, 3);
});

test('the truth is shown and compared with', async () => {
  await page.evaluate(() => {
    const app = window.sinew as App;
    app.setClip(app.current!.clips.find((clip) => clip.truth !== undefined)!);
    app.choices.playing = false;
  });
  await choose(page, 'Compare with', 'Truth');
  await choose(page, 'Colours', 'Error');
  await page.waitForFunction(() => (window.sinew as App).result?.truthMissing === false && (window.sinew as App).heat.longest > 0);
  const [sinew_error, linear_error] = await page.evaluate(() => {
    const app = window.sinew as App;
    app.drawFrame();
    const with_sinew = app.result!.longest;
    app.choices.shown = 'linear';
    app.drawFrame();
    app.choices.shown = 'sinew';
    return [with_sinew, app.result!.longest];
  });
  console.log(`largest error in a trained pose: Sinew ${(1000 * sinew_error!).toFixed(1)} mm, skinning ${(1000 * linear_error!).toFixed(1)} mm`);
  assert.ok(sinew_error! < linear_error!);
  await picture(page, 'error');
  await choose(page, 'Colours', 'Material');
  await choose(page, 'Compare with', 'Off');
});

test('a motion is dropped and plays; broken files get a message, and the page goes on', async () => {
  const clips = () => page.evaluate(() => (window.sinew as App).current!.clips.length);
  const had = await clips();
  await drop(page, 'other.bvh', readFileSync(join(fixture, 'other.bvh')));
  await page.waitForFunction((count) => (window.sinew as App).current!.clips.length === count + 1, had);
  await page.waitForFunction(() => [...document.querySelectorAll<HTMLElement>('#status .chip')]
    .some((chip) => !chip.hidden && chip.textContent!.includes('limbs may pass through')));
  for (const [name, bytes] of [['broken.bvh', Buffer.from('HIERARCHY\nROOT hips\n{ OFFSET 0 0')],
    ['broken.sinew', readFileSync(join(fixture, 'body_i8.sinew')).subarray(0, 5000)],
    ['noise.xyz', Buffer.from('what is this')], ['noise.xyz', Buffer.from('what is this')]] as const) {
    await drop(page, name, bytes);
    await page.waitForFunction((file) => [...document.querySelectorAll('.message.error')].some((m) => m.textContent!.includes(file)), name);
  }
  assert.equal(await page.locator('.message', { hasText: 'noise.xyz' }).count(), 1);
  assert.equal(await clips(), had + 1);
  const frames = await page.evaluate(() => new Promise<number>((done) => {
    const first = (window.sinew as App).result;
    const look = () => ((window.sinew as App).result !== first ? done(1) : requestAnimationFrame(look));
    requestAnimationFrame(look);
  }));
  assert.equal(frames, 1, 'frames go on');
});

test('a second character is dropped onto the page', async () => {
  await drop(page, 'second.sinew', readFileSync(join(fixture, 'body_f32.sinew')));
  await page.waitForFunction(() => (window.sinew as App).loaded.length === 2);
  assert.equal(await page.locator('select[aria-label="Character"]').inputValue(), '1');
  assert.ok(await page.evaluate(() => (window.sinew as App).current!.clips.length > 0), 'motions come along');
  await page.keyboard.press('n');
  await page.waitForFunction(() => (window.sinew as App).current === (window.sinew as App).loaded[0]);
});

test('a crowd stands at mixed levels, and goes away again', async () => {
  const used = () => page.evaluate(() => (window.sinew as App).runtime.memory.usedBytes);
  await page.evaluate(() => ((window.sinew as App).choices.crowd = 0));
  await page.evaluate(() => (window.sinew as App).drawFrame());
  const before_crowd = await used();
  const levels = await page.evaluate(() => {
    const app = window.sinew as App;
    app.choices.crowd = 12;
    app.drawFrame();
    return app.crowdLevels;
  });
  assert.equal(levels.reduce((sum, count) => sum + count, 0), 12);
  assert.ok(levels.filter((count) => count > 0).length > 1);
  await page.evaluate(() => {
    (window.sinew as App).choices.crowd = 0;
    (window.sinew as App).drawFrame();
  });
  assert.equal(await used(), before_crowd);
});

test('a joint turned by hand stays inside its limits', async () => {
  await page.locator('summary', { hasText: 'Pose by hand' }).click();
  const slider = page.locator('input[aria-label="Bend"]');
  await slider.fill(await slider.getAttribute('max') ?? '0');
  await page.waitForFunction(() => (window.sinew as App).clip === null);
  await page.locator('button', { hasText: 'Rest pose' }).click();
  const rest = await page.evaluate(() => {
    const app = window.sinew as App;
    return app.pose.every((value, i) => value === app.current!.character.restPose[i]);
  });
  assert.ok(rest);
});

test('an empty page asks for a character; phones have a sheet of settings', async () => {
  const { url, server } = await serve(site_page);
  const phone = await viewer.open(url, kPhone, 'light');
  assert.ok(await phone.locator('#empty').isVisible());
  await drop(phone, 'body.bvh', readFileSync(join(fixture, 'other.bvh')));
  await phone.waitForFunction(() => document.querySelector('.message.error') !== null);
  await drop(phone, 'body.sinew', readFileSync(join(fixture, 'body_i8.sinew')));
  await phone.waitForFunction(() => (window.sinew as App).current !== null);
  await phone.locator('#panel-toggle').click();
  await phone.waitForFunction(() => getComputedStyle(document.getElementById('panel')!).visibility === 'visible');
  // Pictures move out from under it.
  const end = () => phone.evaluate(() => Math.max(...(window.sinew as App).stage.cells().map(({ y, height }) => y + height)));
  const whole = await phone.evaluate(() => document.getElementById('stage')!.clientHeight);
  await phone.waitForFunction((height) => (window.sinew as App).stage.cells()[0]!.height < 0.6 * height, whole);
  const sheet = await phone.evaluate(() => document.getElementById('panel')!.getBoundingClientRect().top -
    document.getElementById('stage')!.getBoundingClientRect().top);
  assert.ok(await end() <= sheet + 1, `pictures end at ${await end()}, the sheet begins at ${sheet}`);
  const wide = await phone.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= kPhone.width, `${wide} pixels wide`);
  await picture(phone, 'phone');
  await phone.mouse.click(200, 100);
  await phone.waitForFunction((height) => (window.sinew as App).stage.cells()[1]!.y + (window.sinew as App).stage.cells()[1]!.height === height,
    whole);
  await phone.close();
  server.close();
  // A page behind another one draws no frames.
  await page.bringToFront();
});

test('pictures', async () => {
  await page.evaluate(() => (window.sinew as App).openAtDifference());
  await picture(page, 'page');
  await choose(page, 'Compare with', 'Linear');
  await choose(page, 'Colours', 'Corrections');
  await page.keyboard.press('s');
  await picture(page, 'corrective');
});

test('nothing went wrong but what was broken on purpose', async () => {
  assert.deepEqual(viewer.problems, []);
});
