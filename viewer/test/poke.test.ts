// The page of soft objects in headless Chromium, as `sinew view` serves it: colliders are dragged, handles pulled, and the object answers.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';
import type { Page } from 'playwright-core';
import type { SoftApp } from '../src/soft/app';
import { drop, fixture, kPhone, picture, site_page, test, Viewer } from './browser';
import { serve } from './server';

const data = (file: string) => join(fixture, 'soft', 'data', file);

let viewer: Viewer, page: Page;

before(async () => {
  viewer = await Viewer.start([data('floater.json'), data('jelly.json'), '--triangles', '800', '--field', data('floater.dent')]);
  page = await viewer.open(viewer.address);
});

after(async () => viewer.stop());

const state = (on = page) => on.evaluate(() => {
  const app = window.soft as SoftApp, play = app.play!;
  return { positions: Array.from(play.simulation.positions()), poses: play.colliders.map(({ pose }) => ({ ...pose })), time: play.time,
    steps: play.steps, touched: play.touched, touching: play.report.touching, flags: app.flags, choices: { ...app.choices },
    rest: Array.from(play.object.rest), size: play.object.size, comparing: play.comparing };
});

// Steps that only the test makes, so that every run is the same.
const steps = (count: number, on = page) => on.evaluate((n) => {
  for (let i = 0; i < n; ++i) (window.soft as SoftApp).step();
}, count);

const onPage = (x: number, y: number) => page.evaluate(({ x: px, y: py }) => {
  const app = window.soft as SoftApp, at = app.view.toPage(px, py), box = app.drawing.canvas.getBoundingClientRect();
  return { x: box.left + at.x, y: box.top + at.y };
}, { x, y });

const farthest = (a: number[], b: number[]) => a.reduce((most, x, i) => Math.max(most, Math.abs(x - b[i]!)), 0);

// Nothing falls or moves by itself, and the object is in its place.
async function still(): Promise<void> {
  await page.evaluate(() => {
    const app = window.soft as SoftApp;
    Object.assign(app.choices, { playing: false, gravity: false, dents: true, comparing: false });
    app.reset();
  });
}

test('the scene plays by itself', async () => {
  await page.waitForFunction(() => (window.soft as SoftApp).play!.steps > 5);
  const { touched, positions, size } = await state();
  assert.ok(!touched && positions.every(Number.isFinite) && size > 0);
  await page.waitForFunction(() => document.getElementById('status')!.textContent!.includes('plays until you take something'));
});

test('keys and buttons: pause, one step, gravity, begin again', async () => {
  await page.keyboard.press(' ');
  const paused = await state();
  assert.equal(paused.choices.playing, false);
  await page.waitForTimeout(150);
  assert.equal((await state()).steps, paused.steps);
  await page.keyboard.press('ArrowRight');
  assert.equal((await state()).steps, paused.steps + 1);
  await page.getByRole('button', { name: 'Step' }).click();
  assert.equal((await state()).steps, paused.steps + 2);
  await page.getByRole('button', { name: 'Restart' }).click();
  const start = await state();
  assert.equal(start.steps, 0);
  await steps(10);
  const fallen = await state();
  await page.keyboard.press('r');
  assert.deepEqual((await state()).positions, start.positions);
  await page.getByRole('switch', { name: 'Gravity' }).click();
  assert.equal((await state()).choices.gravity, false);
  await steps(10);
  const floating = await state(), low = (of: number[]) => of.filter((_, i) => i % 2 === 1).reduce((a, b) => Math.min(a, b));
  assert.ok(low(fallen.positions) < low(start.positions) - 0.01, 'it falls');
  assert.ok(Math.abs(low(floating.positions) - low(start.positions)) < 1e-6, 'it does not');
});

test('a collider that is dragged comes along and dents the object, and nothing else moves', async () => {
  await still();
  const start = await state(), post = start.poses[0]!, from = await onPage(post.x, post.y);
  const top = start.positions.filter((_, i) => i % 2 === 1).reduce((a, b) => Math.max(a, b));
  const drag = (x: number, y: number) => onPage(x, y).then((to) => page.mouse.move(to.x, to.y));
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  // Over it, without a touch: no node moves.
  await drag(0.6, top + 0.35);
  await steps(25);
  await drag(0, top + 0.35);
  await steps(25);
  const above = await state();
  assert.ok(above.touched && Math.hypot(above.poses[0]!.x, above.poses[0]!.y - top - 0.35) < 2e-3, JSON.stringify(above.poses[0]));
  assert.ok(farthest(above.positions, start.positions) < 1e-9, `moved by ${farthest(above.positions, start.positions)} m`);
  // Down into it.
  await drag(0, top + 0.04);
  const stretches = await page.evaluate(() => {
    const app = window.soft as SoftApp, largest: number[] = [];
    app.choices.stretch = true;
    // Until it answers the most: then it flies off.
    for (let i = 0; i < 20 && (largest.length < 2 || largest.at(-1)! >= largest.at(-2)! || largest.at(-1)! < 0.01); ++i) {
      app.step();
      app.drawFrame();
      largest.push(app.drawing.largestStretch);
    }
    app.choices.stretch = false;
    return largest;
  });
  const pressed = await state();
  assert.ok(Math.max(...stretches) > 0.01 && farthest(pressed.positions, start.positions) > 0.005, `stretched by ${stretches.join(' ')}`);
  assert.deepEqual(pressed.poses.slice(1), start.poses.slice(1));
  await page.evaluate(() => (window.soft as SoftApp).drawFrame());
  await picture(page, 'poke_dent');
  await page.mouse.up();
});

test('the learned dent can be switched off, and the linear shape is dashed beside it', async () => {
  // The same press, with and without.
  const press = async (dents: boolean) => {
    await still();
    await page.evaluate((on) => ((window.soft as SoftApp).choices.dents = on), dents);
    const { positions } = await state(), top = positions.filter((_, i) => i % 2 === 1).reduce((a, b) => Math.max(a, b));
    await page.evaluate((y) => (window.soft as SoftApp).play!.move(0, { x: 0, y: y + 0.08, angle: 0 }), top);
    await steps(30);
    return state();
  };
  const linear = await press(false), dented = await press(true);
  const apart = farthest(linear.positions, dented.positions);
  assert.ok(apart > 1e-4, `${apart} m apart`);
  await page.keyboard.press('f');
  assert.equal((await state()).choices.dents, false);
  await page.keyboard.press('f');
  await still();
  await page.keyboard.press('c');
  await steps(1);
  assert.equal((await state()).comparing, true);
  await page.waitForFunction(() => [...document.querySelectorAll<HTMLElement>('#status .chip')].some((chip) => !chip.hidden && chip.textContent!.startsWith('Dashed')));
  await page.evaluate(() => ((window.soft as SoftApp).choices.gravity = true));
  await steps(75);
  await page.evaluate(() => (window.soft as SoftApp).drawFrame());
  await picture(page, 'poke_floater');
  await page.keyboard.press('c');
});

test('the object is pulled by its nearest handle, and let go', async () => {
  await still();
  const start = await state(), handle = await page.evaluate(() => (window.soft as SoftApp).play!.handleAt(0));
  const from = await onPage(handle.x, handle.y), to = await onPage(handle.x - 0.1, handle.y + 0.1);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y);
  await steps(20);
  const pulled = await page.evaluate(() => ({ at: (window.soft as SoftApp).play!.handleAt(0), grab: (window.soft as SoftApp).play!.grab }));
  assert.equal(pulled.grab?.handle, 0);
  assert.ok(Math.hypot(pulled.at.x - handle.x, pulled.at.y - handle.y) > 0.02, JSON.stringify(pulled));
  assert.deepEqual((await state()).poses, start.poses);
  await page.evaluate(() => (window.soft as SoftApp).drawFrame());
  await picture(page, 'poke_pull');
  await page.mouse.up();
  assert.equal(await page.evaluate(() => (window.soft as SoftApp).play!.grab), null);
});

test('the right button, the wheel and keys turn a collider; beside everything the mouse moves the view', async () => {
  await still();
  const start = await state(), post = start.poses[0]!, at = await onPage(post.x, post.y);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down({ button: 'right' });
  await page.mouse.move(at.x - 40, at.y);
  await page.mouse.up({ button: 'right' });
  await steps(20);
  const turned = await state();
  assert.ok(Math.abs(turned.poses[0]!.angle - post.angle) > 0.1);
  assert.deepEqual([turned.poses[0]!.x, turned.poses[0]!.y], [post.x, post.y]);
  await page.keyboard.press('q');
  await steps(5);
  assert.ok(Math.abs((await state()).poses[0]!.angle - turned.poses[0]!.angle - Math.PI / 36) < 1e-9);
  const empty = await page.evaluate(() => document.getElementById('canvas')!.getBoundingClientRect().toJSON() as { x: number; y: number; width: number });
  const before_pan = await onPage(0, 0);
  await page.mouse.move(empty.x + 0.8 * empty.width, empty.y + 60);
  await page.mouse.down();
  await page.mouse.move(empty.x + 0.8 * empty.width + 30, empty.y + 80);
  await page.mouse.up();
  const panned = await onPage(0, 0);
  assert.ok(Math.abs(panned.x - before_pan.x - 30) < 1 && Math.abs(panned.y - before_pan.y - 20) < 1);
  await page.keyboard.press('v');
  assert.deepEqual(await onPage(0, 0), before_pan);
});

test('broken files get a sentence, and the page goes on', async () => {
  const whole = readFileSync(data('jelly.soft')), dent = readFileSync(data('floater.dent'));
  await page.keyboard.press('n');
  await page.waitForFunction(() => (window.soft as SoftApp).current!.object.name === 'jelly');
  for (const [name, bytes, sentence] of [['cut.soft', whole.subarray(0, 5000), 'is cut short'], ['other.dent', dent, 'other handles than jelly'],
    ['noise.soft', Buffer.from('what is this'), 'is not a soft object'], ['noise.xyz', Buffer.from('what is this'), 'is neither']] as const) {
    await drop(page, name, bytes);
    await page.waitForFunction((text) => [...document.querySelectorAll('.message.error')].some((box) => box.textContent!.includes(text)), sentence);
  }
  const { steps: had } = await state();
  await steps(1);
  assert.equal((await state()).steps, had + 1);
});

test('a served file that is damaged is told, and others are shown', async () => {
  const broken = join(fixture, 'broken.soft'), bytes = readFileSync(data('floater.soft'));
  bytes[bytes.length - 9]! ^= 4;
  writeFileSync(broken, bytes);
  const { url, server } = await serve(join(fixture, 'soft'), { '/data/floater.soft': broken });
  const told = await viewer.open(url);
  await told.waitForFunction(() => document.querySelector('.message.error')!.textContent!.includes('floater: is damaged: its checksum is wrong'));
  assert.deepEqual(await told.evaluate(() => (window.soft as SoftApp).loaded.map(({ object }) => object.name)), ['worm', 'jelly']);
  await told.close();
  server.close();
  await page.bringToFront();
});

test('an empty page asks for an object, gives it a ball, and fits a phone', async () => {
  const { url, server } = await serve(site_page), phone = await viewer.open(`${url}soft.html`, kPhone, 'light');
  assert.ok(await phone.locator('#empty').isVisible());
  await drop(phone, 'worm.soft', readFileSync(data('worm.soft')));
  await phone.waitForFunction(() => (window.soft as SoftApp).play !== null);
  assert.deepEqual(await phone.evaluate(() => (window.soft as SoftApp).play!.colliders.map(({ of }) => of.shape)), ['plane', 'circle']);
  assert.ok(await phone.evaluate(() => document.documentElement.scrollWidth) <= kPhone.width);
  await picture(phone, 'poke_phone');
  await phone.close();
  server.close();
  await page.bringToFront();
});

test('pictures', async () => {
  await page.evaluate(() => {
    const app = window.soft as SoftApp;
    app.show(app.loaded[1]!);
    Object.assign(app.choices, { playing: false, gravity: true, stretch: true });
    for (let i = 0; i < 78; ++i) app.step();
  });
  await picture(page, 'poke_jelly');
});

test('nothing went wrong but what was broken on purpose', () => {
  assert.deepEqual(viewer.problems, []);
});
