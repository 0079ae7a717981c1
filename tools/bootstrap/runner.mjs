import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const hasProcessGroups = process.platform !== 'win32';
/** Time between SIGTERM and SIGKILL for processes that still run after their program has ended, in milliseconds. */
const LEFTOVER_TIMEOUT_MS = 2_000;

/**
 * @typedef {{ exitCode: number }} End Result of a program that has ended.
 * @typedef {object} Runner Runs programs one after the other.
 * @property {AbortSignal} signal Aborted by a request to stop.
 * @property {(command: string, args: readonly string[], options: object) => Promise<End>} run Runs a program until it
 * and all processes that it has started have ended. The option `stopSignal` is the signal that stops the program.
 */

/**
 * Creates a runner. The runner passes each request to stop on to the running program.
 *
 * @returns {Runner}
 */
export function createRunner() {
  const stopping = new AbortController();
  let child = null;
  let stopSignal;
  onStopRequest((signal) => {
    stopping.abort();
    child?.kill(stopSignal ?? signal);
  });
  const run = async (command, args, options) => {
    stopSignal = options.stopSignal;
    // The program is in a separate process group, so the terminal does not send Ctrl-C to it. Only this process passes
    // the signal on.
    child = spawn(command, args, { ...options, detached: hasProcessGroups });
    const end = await waitForEnd(child);
    if (hasProcessGroups) await endGroup(child.pid);
    return end;
  };
  return { signal: stopping.signal, run };
}

function waitForEnd(child) {
  return new Promise((resolve, reject) => {
    child.on('error', (error) => {
      if (child.pid === undefined)
        reject(new Error(`${child.spawnfile} could not be started: ${error.message}`));
    });
    child.on('exit', (code, signal) => resolve({ exitCode: code ?? 128 + constants.signals[signal] }));
  });
}

async function endGroup(groupId) {
  const deadline = performance.now() + LEFTOVER_TIMEOUT_MS;
  let hasProcesses = signalGroup(groupId, 'SIGTERM');
  while (hasProcesses && performance.now() < deadline) {
    await sleep(50);
    hasProcesses = signalGroup(groupId, 0);
  }
  if (hasProcesses) signalGroup(groupId, 'SIGKILL');
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

/**
 * Time in which repeated signals are ignored, in milliseconds. After Ctrl-C, this process gets one signal from the
 * terminal and a second one from npm.
 */
const REPEAT_INTERVAL_MS = 500;
const NPM_POLL_MS = 1_000;

/**
 * Reports each request to stop once: Ctrl-C, SIGTERM, a closed terminal, or the end of the npm that started this script.
 *
 * @param {(signal: 'SIGINT' | 'SIGTERM') => void} listener
 */
function onStopRequest(listener) {
  let lastAt = -Infinity;
  const handle = (signal) => {
    const now = performance.now();
    if (now - lastAt < REPEAT_INTERVAL_MS) return;
    lastAt = now;
    listener(signal);
  };
  process.on('SIGINT', () => handle('SIGINT'));
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => handle('SIGTERM'));
  onNpmEnd(() => handle('SIGTERM'));
}

/**
 * Calls a listener when npm has ended without a signal to this process, for example after SIGKILL. npm starts this
 * script in a shell, and most shells survive npm. So the parent of the shell is watched as well.
 */
function onNpmEnd(listener) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const before = readAncestors();
  const timer = setInterval(() => {
    if (readAncestors() === before) return;
    clearInterval(timer);
    listener();
  }, NPM_POLL_MS);
  timer.unref();
}

/**
 * Returns the process id of the parent, and on Linux also the process id of the grandparent if the grandparent is npm.
 */
function readAncestors() {
  const { ppid } = process;
  try {
    const [, grandparent] = /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${ppid}/status`, 'utf8'));
    const isNpm = readFileSync(`/proc/${grandparent}/comm`, 'utf8').startsWith('npm');
    return isNpm ? `${ppid} ${grandparent}` : `${ppid}`;
  } catch {
    return `${ppid}`;
  }
}
