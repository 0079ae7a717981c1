import { spawn } from 'node:child_process';

/**
 * Parent watchdog: starts the program given by the command-line arguments, and kills it when the parent process of
 * the watchdog exits for any reason. Without the watchdog, the program would survive a `kill -9` of the parent
 * process.
 */
const [program = '', ...programArguments] = process.argv.slice(2);
const child = spawn(program, programArguments, { stdio: ['ignore', 'ignore', 'inherit'] });
process.once('disconnect', () => child.kill('SIGKILL'));
process.on('SIGTERM', () => child.kill('SIGKILL'));
// Ctrl-C in a terminal sends SIGINT to the whole process group. The watchdog ignores this signal, because the parent
// process stops the program.
process.on('SIGINT', () => undefined);
child.once('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
child.once('spawn', () => process.send?.(child.pid));
child.once('exit', (code, signal) => {
  if (signal === null) process.exit(code ?? 1);
  // Ends with the signal that ended the program, so that the parent process sees the signal.
  process.kill(process.pid, signal);
});
