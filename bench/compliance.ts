import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readChallenge, type ChallengeResponse } from '@touchstone/x402';
import { decodePaymentRequiredHeader } from '@x402/core/http';
import { parsePaymentRequired } from '@x402/core/schemas';
import { challengeHeaders, type ChallengeShape } from './support/challenge.ts';

/**
 * How fast a challenge is judged by all rules, and how much memory that takes.
 *
 * The peer is the reference package's own reading of the same header, decoding and schema (`@x402/core`), in the same
 * run: it answers one question where the table answers all. Run it with `npm run bench:compliance`; with REAL_DATA_DIR
 * set, the recorded answers are measured too.
 */
const SECONDS_EACH = 1.5;
const READS_FOR_MEMORY = 200_000;
const URL_ASKED = 'https://api.example.com/v1/weather';

function v2Answer(shape: ChallengeShape): ChallengeResponse {
  const headers = Object.entries(challengeHeaders(URL_ASKED, shape));
  return { url: URL_ASKED, method: 'GET', status: 402, headers, body: '{}' };
}

/** A line of real-402.jsonl; a file of our own, so its shape is taken as it is. */
interface Recorded {
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

function recordedAnswers(): ChallengeResponse[] {
  const folder = process.env['REAL_DATA_DIR'];
  const file = join(folder ?? '', 'real-402.jsonl');
  if (folder === undefined || !existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { url, status, headers, body } = JSON.parse(line) as Recorded;
      return { url, status, headers: Object.entries(headers), body };
    });
}

/** Microseconds a call takes: the best of five rounds, in which other work on the machine disturbs least. */
function microseconds(call: () => void): number {
  const rounds = Array.from({ length: 5 }, () => {
    const startedAt = performance.now();
    let calls = 0;
    while (performance.now() - startedAt < (SECONDS_EACH * 1_000) / 5) {
      for (let repeat = 0; repeat < 50; repeat += 1) call();
      calls += 50;
    }
    return ((performance.now() - startedAt) * 1_000) / calls;
  });
  return Math.min(...rounds);
}

function headerOf({ headers }: ChallengeResponse): string | undefined {
  return headers.find(([name]) => name === 'payment-required')?.[1];
}

/** How many rules applied to the answers: a rule that was skipped cost next to nothing. */
function rulesJudged(answers: readonly ChallengeResponse[]): number {
  const checks = answers.flatMap((answer) => readChallenge(answer).checks);
  return checks.filter(({ result }) => result !== 'skip').length;
}

const COLUMNS = ['answer', 'µs each', 'answers/s', 'rules/s', '@x402/core µs', 'ratio'];

function printRow(cells: readonly string[]): void {
  const [name = '', ...figures] = cells;
  console.log(name.padEnd(22) + figures.map((figure) => figure.padStart(14)).join(''));
}

/** One line on a workload, printed as soon as it is known. */
function measure(name: string, answers: readonly ChallengeResponse[]): void {
  const ours = microseconds(() => {
    for (const answer of answers) readChallenge(answer);
  });
  const headers = answers.flatMap((answer) => headerOf(answer) ?? []);
  const theirs =
    headers.length === answers.length
      ? microseconds(() => {
          for (const header of headers) parsePaymentRequired(decodePaymentRequiredHeader(header));
        })
      : null;
  const each = ours / answers.length;
  printRow([
    name,
    each.toFixed(1),
    Math.round(1e6 / each).toLocaleString('en'),
    Math.round((rulesJudged(answers) * 1e6) / ours).toLocaleString('en'),
    theirs === null ? '' : (theirs / answers.length).toFixed(1),
    theirs === null ? '' : (ours / theirs).toFixed(1),
  ]);
}

/**
 * Peak resident memory in megabytes of a process of its own that reads an answer many times. Its young generation is
 * held small: left alone, Node lets garbage pile up as long as there is memory, which says nothing about the library.
 */
function peakMemory(workload: string): number {
  const script = fileURLToPath(import.meta.url);
  const flags = ['--max-semi-space-size=1', '--max-old-space-size=48'];
  const { stdout } = spawnSync(process.execPath, [...flags, script, '--memory', workload], {
    encoding: 'utf8',
  });
  return Number(stdout) / 1_024;
}

const WORKLOADS = new Map<string, () => ChallengeResponse>([
  ['1 option', () => v2Answer({ discovery: false })],
  ['1 option, discovery', () => v2Answer({})],
  ['64 options, 20 KB', () => v2Answer({ options: 64 })],
]);

function reportMemory(workload: string): void {
  const answer = WORKLOADS.get(workload)?.();
  for (
    let read = 0;
    answer !== undefined && read < READS_FOR_MEMORY / (workload.startsWith('64') ? 20 : 1);
    read += 1
  ) {
    readChallenge(answer);
  }
  process.stdout.write(String(process.resourceUsage().maxRSS));
}

if (process.argv[2] === '--memory') {
  reportMemory(process.argv[3] ?? '');
} else {
  const recorded = recordedAnswers();
  printRow(COLUMNS);
  for (const [name, make] of WORKLOADS) measure(name, [make()]);
  if (recorded.length > 0) measure(`${String(recorded.length)} recorded`, recorded);
  const idle = peakMemory('nothing');
  console.log(`Peak memory of a process that only loads the library: ${idle.toFixed(0)} MB`);
  for (const name of WORKLOADS.keys()) {
    console.log(`Peak memory over ${name}: ${(peakMemory(name) - idle).toFixed(0)} MB more`);
  }
}
