/**
 * Ends the program when the bootstrap process that started it has ended. Node loads this module before the program's
 * entry file. When the bootstrap process ends, even by SIGKILL, the IPC channel between both processes closes. The
 * program then gets SIGTERM, and ten seconds later SIGKILL ends its whole process group.
 */
import { isMainThread } from 'node:worker_threads';

const KILL_DELAY_MS = 10_000;

// Child processes and threads of the program also load this module, because they inherit the flag that loads it. Only
// the program itself runs the watchdog.
if (isMainThread && process.env.TOUCHSTONE_PARENT_WATCHDOG !== undefined && process.channel) {
  process.once('disconnect', () => {
    process.kill(process.pid, 'SIGTERM');
    setTimeout(
      () => process.kill(process.platform === 'win32' ? process.pid : 0, 'SIGKILL'),
      KILL_DELAY_MS,
    ).unref();
  });
  // Without unref, the open channel would keep a finished program running.
  process.channel.unref();
}
delete process.env.TOUCHSTONE_PARENT_WATCHDOG;
