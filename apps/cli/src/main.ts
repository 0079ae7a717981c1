import { run } from './run.ts';

// The IPC channel closes when the launcher ends. After SIGKILL the launcher cannot forward a signal, so this process
// ends itself.
process.once('disconnect', () => process.exit());
// Without this call, the open channel would keep the process alive after the command has ended.
process.channel?.unref();

// process.exit() would discard output that a slow reader has not read yet, so only the exit code is set.
process.exitCode = await run(process.argv.slice(2), process);
