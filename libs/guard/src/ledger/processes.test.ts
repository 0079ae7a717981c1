import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { createFileJournal } from './file-journal.ts';

const PROGRAM = fileURLToPath(new URL('../testing/pay-until-refused.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'journal-processes-'));
const file = join(folder, 'payments.jsonl');
afterAll(() => rmSync(folder, { recursive: true }));

class Program {
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown>;
  readonly #received = new EventEmitter();
  #output = '';

  constructor(...args: readonly string[]) {
    const child = spawn(process.execPath, [PROGRAM, file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child = child;
    this.#closed = once(child, 'close');
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text;
      this.#received.emit('text');
    });
  }

  get lines(): readonly string[] {
    return this.#output.split('\n').filter((line) => line !== '');
  }

  /** Resolves when the program has written a number of lines. */
  async waitForLines(count: number): Promise<void> {
    while (this.lines.length < count) await once(this.#received, 'text');
  }

  start(): void {
    this.#child.stdin?.end('\n');
  }

  /** Resolves to the exit code, or to the signal that ended the program. */
  async waitForEnd(): Promise<number | string | null> {
    await this.#closed;
    return this.#child.signalCode ?? this.#child.exitCode;
  }
}

it('keeps one budget and one payment per request in several processes, of which one is killed with the lock', async () => {
  const killed = new Program('killed', '1', '6');
  const programs = [new Program('a', '1'), new Program('b', '1'), killed];
  await Promise.all(programs.map((program) => program.waitForLines(1)));
  killed.start();
  await killed.waitForLines(4);
  for (const program of programs.slice(0, 2)) program.start();
  const ends = await Promise.all(programs.map((program) => program.waitForEnd()));
  expect(ends).toEqual([0, 0, 'SIGKILL']);
  const lines = programs.flatMap((program) => program.lines);
  const { entries } = await createFileJournal(file).read(0);
  const headers = entries.flatMap((entry) => (entry.kind === 'payment' ? [entry.header] : []));
  // 100 payments of one cent. The killed process reserved a payment that it did not send.
  expect(headers).toHaveLength(100);
  const sent = lines.filter((line) => line.startsWith('sent '));
  expect(sent.map((line) => line.slice('sent '.length)).toSorted()).toEqual(
    headers.filter((header) => sent.includes(`sent ${header}`)).toSorted(),
  );
  expect(sent).toHaveLength(99);
  const shared = headers.filter((header) => header.endsWith(' 0'));
  expect(shared).toHaveLength(1);
  const resent = lines.filter((line) => line.startsWith('resent '));
  expect(new Set(resent)).toEqual(new Set([`resent ${shared[0] ?? ''}`]));
});
