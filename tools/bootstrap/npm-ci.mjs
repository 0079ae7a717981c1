import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';

/** Maximum characters kept of the start and of the end of npm's output, to print when npm fails. */
const MAX_HEAD_LENGTH = 3_000;
const MAX_TAIL_LENGTH = 3_000;
/** Time that npm gets to clean up after a signal, in milliseconds. */
const KILL_DELAY_MS = 5_000;

/** Options that suppress warnings about packages for other platforms, about which a user can do nothing. */
const quiet = ['--loglevel=error', '--no-progress', '--no-audit', '--no-fund', '--no-update-notifier'];
/** Options that override the environment: the build needs development packages, and Node is an optional package. */
const complete = ['--include=dev', '--include=optional', '--engine-strict=false'];

/** Environment variables of the outer npm that would make the inner npm install elsewhere or less. */
const OUTER_NPM_VARIABLES =
  /^npm_config_(prefix|local_prefix|global|location|workspaces?|include_workspace_root|omit|only|production|dry_run|package_lock_only)$/i;

/**
 * Runs `npm ci` in the workspace.
 *
 * @param {string} root
 * @param {{ signal: AbortSignal, onStart: (pid: number) => void }} options On abort, npm gets the process signal named
 * by the signal's reason.
 * @returns {Promise<{ exitCode: number, output: string }>} The start and the end of the output. The exit code is 127 when
 * npm could not be started.
 */
export function npmCi(root, { signal, onStart }) {
  return new Promise((resolve) => {
    const { command, args, shell } = getNpmCommand();
    const child = spawn(command, [...args, 'ci', ...quiet, ...complete], {
      cwd: root,
      env: getEnvironment(root),
      shell,
      // In its own process group, npm gets each Ctrl-C once, from this process.
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    if (child.pid !== undefined) onStart(child.pid);
    const output = captureEnds(child);
    const end = () => stop(child, signal.reason);
    signal.addEventListener('abort', end);
    child.on('error', (error) =>
      resolve({ exitCode: 127, output: `npm could not be started: ${error.message}` }),
    );
    child.on('close', (code) => {
      signal.removeEventListener('abort', end);
      resolve({ exitCode: code ?? 1, output: output() });
    });
  });
}

/** Returns the npm that started this script, with its own Node: `npm ci` may remove the Node on the PATH. */
function getNpmCommand() {
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  if (npm?.endsWith('npm-cli.js') && node !== undefined) return { command: node, args: [npm], shell: false };
  return { command: 'npm', args: [], shell: process.platform === 'win32' };
}

function getEnvironment(root) {
  const kept = Object.entries(process.env).filter(([name]) => !OUTER_NPM_VARIABLES.test(name));
  const local = join(root, 'node_modules');
  return Object.fromEntries(
    kept.map(([name, value]) =>
      name.toUpperCase() === 'PATH' ? [name, removeFromPath(local, value)] : [name, value],
    ),
  );
}

function removeFromPath(folder, path) {
  return path
    .split(delimiter)
    .filter((entry) => !entry.startsWith(folder))
    .join(delimiter);
}

function captureEnds(child) {
  let head = '';
  let tail = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text) => {
      const remaining = MAX_HEAD_LENGTH - head.length;
      head += text.slice(0, remaining);
      tail = (tail + text.slice(remaining)).slice(-MAX_TAIL_LENGTH);
    });
  }
  return () => (tail.length < MAX_TAIL_LENGTH ? head + tail : `${head}\n[…]\n${tail}`);
}

function stop(child, signal) {
  child.kill(signal);
  setTimeout(() => child.kill('SIGKILL'), KILL_DELAY_MS).unref();
}
