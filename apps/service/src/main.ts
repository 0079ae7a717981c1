import { ConfigError, readConfig, type Mode } from './config.ts';
import { startService, type Service } from './service.ts';

/** `npm start` and `npm run live`: everything on one machine, until Ctrl-C. */
async function main(mode: Mode): Promise<number> {
  const stopping = new AbortController();
  const asked = new Promise<null>((resolve) => {
    const stop = (): void => {
      if (!stopping.signal.aborted) process.stdout.write('\n  stopping …\n');
      stopping.abort();
      resolve(null);
    };
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
  });
  process.stdout.write('\nTouchstone\n\n');
  let service: Service;
  try {
    service = await startService(readConfig(process.env, mode), say, stopping.signal);
  } catch (error) {
    // Whatever fails after the operator asked to stop is the stopping.
    if (stopping.signal.aborted) return 0;
    throw error;
  }
  try {
    await Promise.race([asked, service.failed]);
    return 0;
  } finally {
    await service.stop();
  }
}

function say(part: string, text: string): void {
  process.stdout.write(`  ${part.padEnd(11)} ${text}\n`);
}

main(process.argv[2] === 'live' ? 'live' : 'sandbox').then(
  (code) => process.exit(code),
  (error: unknown) => {
    const known = error instanceof ConfigError;
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`\n  ${known ? '' : 'Touchstone could not go on: '}${message}\n`);
    process.exit(1);
  },
);
