import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';

/**
 * Maximum number of characters that are kept of the beginning and of the end of npm's output. Both are printed when npm
 * fails.
 */
const MAX_HEAD_LENGTH = 3_000;
const MAX_TAIL_LENGTH = 3_000;
/** Time between the termination signal to npm and SIGKILL, in milliseconds. npm cleans up in this time. */
const KILL_DELAY_MS = 5_000;

/** Options that suppress npm's warnings about packages for other platforms, because a user cannot resolve them. */
const quiet = ['--loglevel=error', '--no-progress', '--no-audit', '--no-fund', '--no-update-notifier'];
/**
 * Options that take precedence over npm settings of the environment. Development packages are needed for the build, and
 * Node is an optional package.
 */
const complete = ['--include=dev', '--include=optional', '--engine-strict=false'];

/**
 * Environment variables that npm sets for this script. They would make `npm ci` install to another folder or omit
 * packages.
 */
const OUTER_NPM_VARIABLES =
  /^npm_config_(prefix|local_prefix|global|location|workspaces?|include_workspace_root|omit|only|production|dry_run|package_lock_only)$/i;

/**
 * Runs `npm ci` in the workspace folder.
 *
 * @param {string} root
 * @param {{ signal: AbortSignal, onStart: (pid: number) => void }} options When `signal` aborts, its reason is the name
 *   of the process signal that npm gets.
 * @returns {Promise<{ exitCode: number, output: string }>} Exit code, and the beginning and end of the output. The exit
 *   code is 127 if npm could not be started.
 */
export function npmCi(root, { signal, onStart }) {
  return new Promise((resolve) => {
    const { command, args, shell } = getNpmCommand();
    const child = spawn(command, [...args, 'ci', ...quiet, ...complete], {
      cwd: root,
      env: getEnvironment(root),
      shell,
      // npm is in a separate process group, so it does not get Ctrl-C from the terminal. It gets the signal once, from
      // this process.
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

/**
 * Returns the command of npm. If npm started this script, the command is that npm with its Node, because `npm ci` may
 * remove the Node on PATH.
 */
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
