import { join } from 'node:path';
import { acquireInstallLock } from './install-lock.mjs';
import { isInstalled, markInstalled, markUnfinished } from './installed.mjs';
import { npmCi } from './npm-ci.mjs';
import { showProgress } from './progress.mjs';
import { onEnding } from './signals.mjs';
import { exitCodeOf, Stop } from './stop.mjs';

/**
 * Brings node_modules in line with package-lock.json; costs some milliseconds when it is already.
 *
 * @param {string} root
 * @returns {Promise<void>}
 * @throws {Stop} When npm failed, or when a signal ended it.
 */
export async function ensureInstalled(root) {
  if (isInstalled(root)) return;
  const ending = new AbortController();
  const stopListening = onEnding((signal) => ending.abort(signal));
  try {
    await installAlone(root, ending.signal);
    ending.signal.throwIfAborted();
  } catch (error) {
    throw ending.signal.aborted ? interrupted(ending.signal.reason) : error;
  } finally {
    stopListening();
  }
}

function interrupted(signal) {
  return new Stop('The installation was interrupted; the next start begins it anew.', exitCodeOf(signal));
}

async function installAlone(root, signal) {
  const lock = await acquireInstallLock(join(root, '.touchstone/install.lock'), {
    signal,
    onWait: () => console.error('Waiting for another installation of the dependencies to end…'),
  });
  try {
    // Whoever held the lock may have done the work.
    if (!isInstalled(root)) await install(root, { signal, onStart: lock.worker });
  } finally {
    lock.release();
  }
}

async function install(root, { signal, onStart }) {
  signal.throwIfAborted();
  const progress = showProgress('Installing dependencies (a minute or two)');
  markUnfinished(root);
  const { exitCode, output } = await npmCi(root, { signal, onStart });
  if (exitCode !== 0) {
    progress.end(signal.aborted ? 'interrupted' : 'failed');
    throw new Stop(failure(exitCode, output));
  }
  markInstalled(root);
  progress.end('done');
}

function failure(exitCode, output) {
  return [
    output.trimEnd(),
    '',
    `The dependencies could not be installed (npm ci ended with ${exitCode}); the lines above are npm's own.`,
    'Check the connection to the package registry and the free space on the disk (2 GB), then run the command again.',
  ].join('\n');
}
