import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runWithRestarts } from './restarts.mjs';
import { onNpmDeath } from './npm-watchdog.mjs';
import { onTerminationSignal } from './signals.mjs';
import { toExitCode, BootstrapError } from './bootstrap-error.mjs';

const watchdog = new URL('parent-watchdog.mjs', import.meta.url);
const hasProcessGroups = process.platform !== 'win32';
/** Time between SIGTERM and SIGKILL for child processes that still run after the program has ended, in milliseconds. */
const LEFTOVER_TIMEOUT_MS = 2_000;

/**
 * Runs the program until it ends, and passes each termination signal on to it once. When the program ends, the
 * processes that it started are ended too. When this process dies for any reason, the program ends too (see
 * parent-watchdog.mjs).
 *
 * @param {{ node: string, entry: string, args: readonly string[], cwd: string, restarts?: boolean }} program `restarts`
 * is true for a program that is run again after a crash. It must send the IPC message `started` when it has started.
 * @returns {Promise<number>} Exit code of the program, or 128 plus the number of the signal that ended it.
 * @throws {BootstrapError} When the program cannot be started.
 */
export async function run({ restarts = false, ...program }) {
  const stopping = new AbortController();
  let child = null;
  const stopListening = onTerminationSignal((signal) => {
    stopping.abort();
    child?.kill(signal);
  });
  const stopWatching = onNpmDeath(() => {
    stopping.abort();
    child?.kill('SIGTERM');
  });
  const runOnce = () =>
    runProgram(program, (started) => {
      child = started;
    });
  try {
    if (!restarts) return (await runOnce()).exitCode;
    return await runWithRestarts(runOnce, { signal: stopping.signal, print: (line) => console.log(line) });
  } finally {
    stopWatching();
    stopListening();
  }
}

/** Runs the program once. `onSpawn` gets its process. */
async function runProgram({ node, entry, args, cwd }, onSpawn) {
  const child = spawn(node, ['--import', watchdog.href, entry, ...args], {
    cwd,
    env: getEnvironment(cwd),
    // The program is in a separate process group, so it does not get Ctrl-C from the terminal. It gets the signal once,
    // from this process.
    detached: hasProcessGroups,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  onSpawn(child);
  let hasStarted = false;
  child.on('message', (message) => {
    hasStarted ||= message === 'started';
  });
  const end = await waitForExit(child);
  if (hasProcessGroups) await killGroup(child.pid);
  return { ...end, hasStarted };
}

function getEnvironment(root) {
  const bin = join(root, 'node_modules/.bin');
  const path = process.env.PATH ?? '';
  const withBin = path.split(delimiter).includes(bin) ? path : `${bin}${delimiter}${path}`;
  return { ...process.env, PATH: withBin, TOUCHSTONE_PARENT_WATCHDOG: fileURLToPath(watchdog) };
}

function waitForExit(child) {
  return new Promise((resolve, reject) => {
    child.on('error', (error) => {
      if (child.pid === undefined)
        reject(new BootstrapError(`${child.spawnfile} could not be started: ${error.message}`));
    });
    child.on('exit', (code, signal) =>
      resolve({
        exitCode: code ?? toExitCode(signal),
        reason: signal === null ? `exit code ${code}` : `killed by ${signal}`,
      }),
    );
  });
}

async function killGroup(groupId) {
  if (!signalGroup(groupId, 'SIGTERM')) return;
  const deadline = performance.now() + LEFTOVER_TIMEOUT_MS;
  while (performance.now() < deadline) {
    await sleep(50);
    if (!signalGroup(groupId, 0)) return;
  }
  signalGroup(groupId, 'SIGKILL');
}

/** Sends a signal to a process group. Returns false when the group has no processes. */
function signalGroup(groupId, signal) {
  try {
    process.kill(-groupId, signal);
    return true;
  } catch {
    return false;
  }
}
