import { ConfigError, readConfig, type Mode } from './config/config.ts';
import { startService, type Service } from './service.ts';

/** Runs `npm start` or `npm run live` until SIGINT or SIGTERM, and returns the exit code. */
async function main(mode: Mode): Promise<number> {
  const stopping = new AbortController();
  let service: Service | undefined;
  const stopRequested = new Promise<null>((resolve) => {
    const stop = (): void => {
      if (stopping.signal.aborted) service?.skipWaiting();
      else process.stdout.write('\n  stopping …\n');
      stopping.abort();
      resolve(null);
    };
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
  });
  process.stdout.write('\nTouchstone\n\n');
  try {
    service = await startService(readConfig(process.env, mode), print, stopping.signal);
  } catch (error) {
    // Errors after a stop request are ignored, because the stop causes them.
    if (stopping.signal.aborted) return 0;
    throw error;
  }
  try {
    await Promise.race([stopRequested, service.failed]);
    return 0;
  } finally {
    await service.stop();
  }
}

function print(part: string, text: string): void {
  process.stdout.write(`  ${part.padEnd(11)} ${text}\n`);
}

main(process.argv[2] === 'live' ? 'live' : 'sandbox').then(
  (code) => process.exit(code),
  (error: unknown) => {
    const isConfigError = error instanceof ConfigError;
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(
      `\n  ${isConfigError ? '' : 'Touchstone stopped because of an error: '}${message}\n`,
    );
    process.exit(1);
  },
);
