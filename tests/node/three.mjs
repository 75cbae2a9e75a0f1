// node three.mjs MODULES FOLDER: loads the files of FOLDER/posed.json in three.js in a headless browser, poses them at
// the time given there, and compares every vertex with ours.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';

const [modules, folder] = process.argv.slice(2).map((path) => resolve(path));
const { chromium } = createRequire(join(modules, 'package.json'))('playwright-core');
const kTolerance = 1e-4;  // of a metre, or of the character's size where that is more than a metre

const page_text = `<!doctype html><script type="importmap">{"imports": {
  "three": "/modules/three/build/three.module.js", "three/addons/": "/modules/three/examples/jsm/"}}</script>
<script type="module">
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
window.pose = async (file, animation, time) => {
  const gltf = await new GLTFLoader().loadAsync('/files/' + file);
  const mixer = new THREE.AnimationMixer(gltf.scene);
  mixer.clipAction(gltf.animations[animation]).play();
  mixer.setTime(time);
  gltf.scene.updateMatrixWorld(true);
  const parts = [];
  gltf.scene.traverse((mesh) => {
    if (!mesh.isMesh) return;
    const { nodes } = gltf.parser.associations.get(mesh.parent && mesh.parent.isGroup && !mesh.isBone &&
      gltf.parser.associations.get(mesh).nodes === undefined ? mesh.parent : mesh);
    const { primitives } = gltf.parser.associations.get(mesh);
    const positions = [], point = new THREE.Vector3();
    for (let i = 0; i < mesh.geometry.attributes.position.count; ++i) {
      mesh.getVertexPosition(i, point).applyMatrix4(mesh.matrixWorld);
      positions.push(point.x, point.y, point.z);
    }
    parts.push({ node: nodes, primitive: primitives ?? 0, positions });
  });
  return parts;
};
window.ready = true;
</script>`;

const types = { js: 'text/javascript', html: 'text/html', glb: 'model/gltf-binary' };
const server = createServer((request, response) => {
  const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
  const [root, rest] = path.startsWith('/modules/') ? [join(modules, 'node_modules'), path.slice(9)]
    : path.startsWith('/files/') ? [folder, path.slice(7)] : [null, ''];
  try {
    const full = root === null ? null : resolve(root, rest);
    if (full !== null && !full.startsWith(root + sep)) throw new Error('outside');
    const body = full === null ? page_text : readFileSync(full);
    response.writeHead(200, { 'Content-Type': types[full === null ? 'html' : full.split('.').pop()] ?? 'text/plain' });
    response.end(body);
  } catch {
    response.writeHead(404);
    response.end();
  }
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));

function worstDistance(ours, theirs) {
  if (ours.length !== theirs.length) return Infinity;
  let worst = 0;
  for (let i = 0; i < ours.length; i += 3) {
    worst = Math.max(worst, Math.hypot(ours[i] - theirs[i], ours[i + 1] - theirs[i + 1], ours[i + 2] - theirs[i + 2]));
  }
  return Number.isFinite(worst) ? worst : Infinity;
}

const profile = mkdtempSync(join(tmpdir(), 'sinew_chromium_'));
let failures = 0, compared = 0;
try {
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: '/usr/bin/chromium', headless: true,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update',
      '--disable-sync', '--no-first-run'] });
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.log('page:', error.message));
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.waitForFunction('window.ready === true', null, { timeout: 60000 });
  for (const expected of JSON.parse(readFileSync(join(folder, 'posed.json')))) {
    const parts = await page.evaluate(([file, animation, time]) => window.pose(file, animation, time),
      [expected.file, expected.animation, expected.time]);
    for (const part of expected.parts) {
      const theirs = parts.find((p) => p.node === part.node && p.primitive === part.primitive);
      const worst = theirs ? worstDistance(part.positions, theirs.positions) : Infinity;
      const good = worst <= kTolerance * Math.max(1, expected.size);
      compared += part.positions.length / 3;
      if (!good) failures += 1;
      if (!good || expected.file.startsWith('asset_')) {
        console.log(`${expected.file}, animation ${expected.animation} at ${expected.time} s, node ${part.node}: ` +
          `${theirs ? `off by ${worst.toExponential(2)} of ${expected.size.toFixed(2)}` : 'not found'}`);
      }
    }
  }
  await browser.close();
} finally {
  rmSync(profile, { recursive: true, force: true });
  server.close();
}
console.log(`${compared} vertices compared, ${failures} parts differ`);
process.exit(compared > 0 && failures === 0 ? 0 : 1);
