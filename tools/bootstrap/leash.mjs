/**
 * Loaded into the program before its entry. When the bootstrap that started it is gone, killed so hard that it could
 * not say so, the channel between the two breaks: then the program ends itself as if it had been asked to, and after
 * ten seconds without further ado, with everything it started.
 */
import { isMainThread } from 'node:worker_threads';

const patienceMs = 10_000;

// Processes and threads that the program starts inherit the flag that loads this file, but are not meant.
if (isMainThread && process.env.TOUCHSTONE_LEASH !== undefined && process.channel) {
  process.once('disconnect', () => {
    process.kill(process.pid, 'SIGTERM');
    setTimeout(
      () => process.kill(process.platform === 'win32' ? process.pid : 0, 'SIGKILL'),
      patienceMs,
    ).unref();
  });
  // The channel alone is no reason to keep running.
  process.channel.unref();
}
delete process.env.TOUCHSTONE_LEASH;
