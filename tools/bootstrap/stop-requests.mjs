import { readFileSync } from 'node:fs';

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
export function onStopRequest(listener) {
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
 * Calls a listener when npm has ended without a signal to this process, as after SIGKILL. npm starts this script in a
 * shell, and most shells survive npm. So the parent of the shell is watched as well.
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

/** Returns the process id of the parent, and on Linux that of its parent if this is npm. */
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
