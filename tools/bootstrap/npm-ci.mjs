import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';

/** How much of npm's output is kept for the case that it fails: its start says what is wrong, its end what came of it. */
const headLength = 3_000;
const tailLength = 3_000;
/** npm tidies up when it is ended; it does not get longer for it than this. */
const patienceMs = 5_000;

/** Packages for other platforms and engines would fill the screen with warnings that nobody can act on. */
const quiet = ['--loglevel=error', '--no-progress', '--no-audit', '--no-fund', '--no-update-notifier'];
/** Whatever the surroundings say: the build needs the development packages, and Node itself is an optional one. */
const complete = ['--include=dev', '--include=optional', '--engine-strict=false'];

/** Settings of the npm that runs this script which would send the inner one somewhere else. */
const outerOnly =
  /^npm_config_(prefix|local_prefix|global|location|workspaces?|include_workspace_root|omit|only|production|dry_run|package_lock_only)$/i;

/**
 * Runs `npm ci` in the workspace.
 *
 * @param {string} root
 * @param {{ signal: AbortSignal, onStart: (pid: number) => void }} options The signal's reason is the name of the
 * process signal that npm is to get.
 * @returns {Promise<{ exitCode: number, output: string }>} The output's two ends. An npm that could not be started is 127.
 */
export function npmCi(root, { signal, onStart }) {
  return new Promise((resolve) => {
    const { command, args, shell } = npmCommand();
    const child = spawn(command, [...args, 'ci', ...quiet, ...complete], {
      cwd: root,
      env: environment(root),
      shell,
      // In a group of its own a Ctrl-C reaches it through us only, once.
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    if (child.pid !== undefined) onStart(child.pid);
    const output = keepEnds(child);
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

/** The npm that started this script, run by its own Node: the one on the PATH may be about to be removed. */
function npmCommand() {
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  if (npm?.endsWith('npm-cli.js') && node !== undefined) return { command: node, args: [npm], shell: false };
  return { command: 'npm', args: [], shell: process.platform === 'win32' };
}

function environment(root) {
  const kept = Object.entries(process.env).filter(([name]) => !outerOnly.test(name));
  const local = join(root, 'node_modules');
  return Object.fromEntries(
    kept.map(([name, value]) =>
      name.toUpperCase() === 'PATH' ? [name, pathWithout(local, value)] : [name, value],
    ),
  );
}

function pathWithout(folder, path) {
  return path
    .split(delimiter)
    .filter((entry) => !entry.startsWith(folder))
    .join(delimiter);
}

function keepEnds(child) {
  let head = '';
  let tail = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text) => {
      const room = headLength - head.length;
      head += text.slice(0, room);
      tail = (tail + text.slice(room)).slice(-tailLength);
    });
  }
  return () => (tail.length < tailLength ? head + tail : `${head}\n[…]\n${tail}`);
}

function stop(child, signal) {
  child.kill(signal);
  setTimeout(() => child.kill('SIGKILL'), patienceMs).unref();
}
