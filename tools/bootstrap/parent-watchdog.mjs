/**
 * Ends the program when the bootstrap that started it has died. Node loads this module before the program's entry. The
 * death of the bootstrap, even by SIGKILL, closes the IPC channel between the two. The program then gets SIGTERM, and
 * ten seconds later its whole process group gets SIGKILL.
 */
import { isMainThread } from 'node:worker_threads';

const KILL_DELAY_MS = 10_000;

// The program's own child processes and threads inherit the flag that loads this module, but must not run it.
if (isMainThread && process.env.TOUCHSTONE_PARENT_WATCHDOG !== undefined && process.channel) {
  process.once('disconnect', () => {
    process.kill(process.pid, 'SIGTERM');
    setTimeout(
      () => process.kill(process.platform === 'win32' ? process.pid : 0, 'SIGKILL'),
      KILL_DELAY_MS,
    ).unref();
  });
  // The channel must not keep the process alive.
  process.channel.unref();
}
delete process.env.TOUCHSTONE_PARENT_WATCHDOG;
