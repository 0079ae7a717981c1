import { join } from 'node:path';
import { acquireInstallLock } from './install-lock.mjs';
import { isInstalled, markInstalled, markIncomplete } from './install-state.mjs';
import { npmCi } from './npm-ci.mjs';
import { showProgress } from './progress.mjs';
import { onTerminationSignal } from './signals.mjs';
import { toExitCode, BootstrapError } from './bootstrap-error.mjs';

/**
 * Installs the dependencies in package-lock.json. Takes only milliseconds if they are already installed.
 *
 * @param {string} root
 * @returns {Promise<void>}
 * @throws {BootstrapError} When npm failed, or a signal ended the installation.
 */
export async function ensureInstalled(root) {
  if (isInstalled(root)) return;
  const termination = new AbortController();
  const stopListening = onTerminationSignal((signal) => termination.abort(signal));
  try {
    await installWithLock(root, termination.signal);
    termination.signal.throwIfAborted();
  } catch (error) {
    throw termination.signal.aborted ? toInterruptedError(termination.signal.reason) : error;
  } finally {
    stopListening();
  }
}

function toInterruptedError(signal) {
  return new BootstrapError(
    'The installation was interrupted. The next start repeats it.',
    toExitCode(signal),
  );
}

async function installWithLock(root, signal) {
  const lock = await acquireInstallLock(join(root, '.touchstone/install.lock'), {
    signal,
    onWait: () => console.error('Waiting for another installation of the dependencies to end…'),
  });
  try {
    // Another process that held the lock before may have installed the dependencies.
    if (!isInstalled(root)) await install(root, { signal, onStart: lock.setWorker });
  } finally {
    lock.release();
  }
}

async function install(root, { signal, onStart }) {
  signal.throwIfAborted();
  const progress = showProgress('Installing dependencies (a minute or two)');
  markIncomplete(root);
  const { exitCode, output } = await npmCi(root, { signal, onStart });
  if (exitCode !== 0) {
    progress.end(signal.aborted ? 'interrupted' : 'failed');
    throw new BootstrapError(formatFailure(exitCode, output));
  }
  markInstalled(root);
  progress.end('done');
}

function formatFailure(exitCode, output) {
  return [
    output.trimEnd(),
    '',
    `The dependencies could not be installed (npm ci exited with ${exitCode}). The lines above are the output of npm.`,
    'Check the connection to the package registry and the free disk space (2 GB), then run the command again.',
  ].join('\n');
}
