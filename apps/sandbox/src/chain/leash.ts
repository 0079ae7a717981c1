import { spawn } from 'node:child_process';

/**
 * Runs the program it is told to, and ends it when the process that started this one is gone, however that ended: a
 * program that is nobody's child of ours would otherwise live on after a `kill -9`.
 */
const [program = '', ...programArguments] = process.argv.slice(2);
const child = spawn(program, programArguments, { stdio: ['ignore', 'ignore', 'inherit'] });
process.once('disconnect', () => child.kill('SIGKILL'));
process.on('SIGTERM', () => child.kill('SIGKILL'));
// Ctrl-C in a terminal reaches the whole group; the parent decides when the program ends.
process.on('SIGINT', () => undefined);
child.once('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
child.once('exit', (code) => process.exit(code ?? 0));
