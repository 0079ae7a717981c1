import { runWorker, type WorkerSettings } from './run-worker.ts';

// The test that starts this process writes its settings, so they need no validation.
const settings = JSON.parse(process.env['WORKER'] ?? '{}') as WorkerSettings;
const stopping = new AbortController();

process.once('message', () => stopping.abort());
process.once('disconnect', () => process.exit(0));
await runWorker(settings, (message) => void process.send?.(message), stopping.signal);
process.disconnect();
