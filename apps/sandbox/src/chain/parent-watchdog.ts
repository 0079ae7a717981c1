import { spawn } from 'node:child_process';

/**
 * Runs the program given as arguments, and kills it when the process that started this one exits for any reason. A direct
 * child would keep running after a `kill -9` of its parent.
 */
const [program = '', ...programArguments] = process.argv.slice(2);
const child = spawn(program, programArguments, { stdio: ['ignore', 'ignore', 'inherit'] });
process.once('disconnect', () => child.kill('SIGKILL'));
process.on('SIGTERM', () => child.kill('SIGKILL'));
// Ctrl-C in a terminal reaches the whole process group. It is ignored here: the parent stops the program.
process.on('SIGINT', () => undefined);
child.once('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
child.once('exit', (code) => process.exit(code ?? 0));
