import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readChallenge, type ChallengeResponse } from '@touchstone/x402';
import { decodePaymentRequiredHeader } from '@x402/core/http';
import { parsePaymentRequired } from '@x402/core/schemas';
import { createChallengeHeaders, type ChallengeShape } from './support/challenge.ts';

/**
 * Measures the time and memory that all compliance rules need to check one challenge.
 *
 * The comparison is the reference package `@x402/core` in the same run. It decodes the same header, but checks only its
 * schema. Run the benchmark with `npm run bench:compliance`. If `REAL_DATA_DIR` is set, it also measures recorded
 * responses of real endpoints.
 */
const SECONDS_PER_WORKLOAD = 1.5;
const MEMORY_TEST_READS = 200_000;
const ENDPOINT_URL = 'https://api.example.com/v1/weather';

function createResponse(shape: ChallengeShape): ChallengeResponse {
  const headers = Object.entries(createChallengeHeaders(ENDPOINT_URL, shape));
  return { url: ENDPOINT_URL, method: 'GET', status: 402, headers, body: '{}' };
}

/**
 * One line of real-402.jsonl, a file of recorded responses. Our own tools wrote the file, so its lines are not
 * validated.
 */
interface RecordedResponse {
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

function readRecordedResponses(): ChallengeResponse[] {
  const folder = process.env['REAL_DATA_DIR'];
  const file = join(folder ?? '', 'real-402.jsonl');
  if (folder === undefined || !existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { url, status, headers, body } = JSON.parse(line) as RecordedResponse;
      return { url, status, headers: Object.entries(headers), body };
    });
}

/**
 * Returns the duration of one call, in microseconds. The result is the fastest of five rounds, because other load on
 * the machine disturbed that round least.
 */
function measureMicroseconds(call: () => void): number {
  const rounds = Array.from({ length: 5 }, () => {
    const startedAt = performance.now();
    let calls = 0;
    while (performance.now() - startedAt < (SECONDS_PER_WORKLOAD * 1_000) / 5) {
      for (let repeat = 0; repeat < 50; repeat += 1) call();
      calls += 50;
    }
    return ((performance.now() - startedAt) * 1_000) / calls;
  });
  return Math.min(...rounds);
}

function findPaymentHeader({ headers }: ChallengeResponse): string | undefined {
  return headers.find(([name]) => name === 'payment-required')?.[1];
}

/**
 * Returns the number of checks that rules performed on the responses. Skipped rules are not counted, because they cost
 * almost nothing.
 */
function countRules(responses: readonly ChallengeResponse[]): number {
  const checks = responses.flatMap((response) => readChallenge(response).checks);
  return checks.filter(({ result }) => result !== 'skip').length;
}

const COLUMNS = ['response', 'µs each', 'responses/s', 'rules/s', '@x402/core µs', 'ratio'];

function printRow(cells: readonly string[]): void {
  const [name = '', ...figures] = cells;
  console.log(name.padEnd(22) + figures.map((figure) => figure.padStart(14)).join(''));
}

/** Measures one workload (a list of responses) and prints the result as a table row. */
function measureWorkload(name: string, responses: readonly ChallengeResponse[]): void {
  const ours = measureMicroseconds(() => {
    for (const response of responses) readChallenge(response);
  });
  const headers = responses.flatMap((response) => findPaymentHeader(response) ?? []);
  const theirs =
    headers.length === responses.length
      ? measureMicroseconds(() => {
          for (const header of headers) parsePaymentRequired(decodePaymentRequiredHeader(header));
        })
      : null;
  const each = ours / responses.length;
  printRow([
    name,
    each.toFixed(1),
    Math.round(1e6 / each).toLocaleString('en'),
    Math.round((countRules(responses) * 1e6) / ours).toLocaleString('en'),
    theirs === null ? '' : (theirs / responses.length).toFixed(1),
    theirs === null ? '' : (ours / theirs).toFixed(1),
  ]);
}

/**
 * Returns the peak resident memory of a child process that reads one response many times, in megabytes. V8's young
 * generation is limited, because Node otherwise collects garbage late and the peak would not describe our library.
 */
function measurePeakMemory(workload: string): number {
  const script = fileURLToPath(import.meta.url);
  const flags = ['--max-semi-space-size=1', '--max-old-space-size=48'];
  const { stdout } = spawnSync(process.execPath, [...flags, script, '--memory', workload], {
    encoding: 'utf8',
  });
  return Number(stdout) / 1_024;
}

const WORKLOADS = new Map<string, () => ChallengeResponse>([
  ['1 option', () => createResponse({ discovery: false })],
  ['1 option, discovery', () => createResponse({})],
  ['64 options, 20 KB', () => createResponse({ options: 64 })],
]);

function printPeakMemory(workload: string): void {
  const response = WORKLOADS.get(workload)?.();
  for (
    let read = 0;
    response !== undefined && read < MEMORY_TEST_READS / (workload.startsWith('64') ? 20 : 1);
    read += 1
  ) {
    readChallenge(response);
  }
  process.stdout.write(String(process.resourceUsage().maxRSS));
}

if (process.argv[2] === '--memory') {
  printPeakMemory(process.argv[3] ?? '');
} else {
  const recorded = readRecordedResponses();
  printRow(COLUMNS);
  for (const [name, make] of WORKLOADS) measureWorkload(name, [make()]);
  if (recorded.length > 0) measureWorkload(`${String(recorded.length)} recorded`, recorded);
  const idle = measurePeakMemory('nothing');
  console.log(`Peak memory of a process that only loads the library: ${idle.toFixed(0)} MB`);
  for (const name of WORKLOADS.keys()) {
    console.log(`Additional peak memory for ${name}: ${(measurePeakMemory(name) - idle).toFixed(0)} MB`);
  }
}
