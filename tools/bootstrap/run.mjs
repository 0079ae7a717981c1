import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { onNpmGone } from './npm-gone.mjs';
import { onEnding } from './signals.mjs';
import { exitCodeOf, Stop } from './stop.mjs';

const leash = new URL('leash.mjs', import.meta.url);
const hasGroups = process.platform !== 'win32';
/** What the program left running gets this long to end by itself. */
const leftoverMs = 2_000;

/**
 * Runs the program until it ends. Signals are passed on to it, once each; nothing it started outlives it, and it does
 * not outlive us, whatever kills us (see leash.mjs).
 *
 * @param {{ node: string, entry: string, args: readonly string[], cwd: string }} program
 * @returns {Promise<number>} Its exit code; 128 and the signal's number when a signal ended it.
 * @throws {Stop} When it could not be started.
 */
export async function run({ node, entry, args, cwd }) {
  const child = spawn(node, ['--import', leash.href, entry, ...args], {
    cwd,
    env: environment(cwd),
    // A group of its own: the terminal's Ctrl-C reaches it through us only.
    detached: hasGroups,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const stopListening = onEnding((signal) => child.kill(signal));
  const stopWatching = onNpmGone(() => child.kill('SIGTERM'));
  const exitCode = await exitOf(child);
  if (hasGroups) await endGroup(child.pid);
  stopWatching();
  stopListening();
  return exitCode;
}

function environment(root) {
  const bin = join(root, 'node_modules/.bin');
  const path = process.env.PATH ?? '';
  const withBin = path.split(delimiter).includes(bin) ? path : `${bin}${delimiter}${path}`;
  return { ...process.env, PATH: withBin, TOUCHSTONE_LEASH: fileURLToPath(leash) };
}

function exitOf(child) {
  return new Promise((resolve, reject) => {
    child.on('error', (error) => {
      if (child.pid === undefined)
        reject(new Stop(`${child.spawnfile} could not be started: ${error.message}`));
    });
    child.on('exit', (code, signal) => resolve(code ?? exitCodeOf(signal)));
  });
}

async function endGroup(groupId) {
  if (!signalGroup(groupId, 'SIGTERM')) return;
  const deadline = performance.now() + leftoverMs;
  while (performance.now() < deadline) {
    await sleep(50);
    if (!signalGroup(groupId, 0)) return;
  }
  signalGroup(groupId, 'SIGKILL');
}

/** False when nobody is left in the group. */
function signalGroup(groupId, signal) {
  try {
    process.kill(-groupId, signal);
    return true;
  } catch {
    return false;
  }
}
