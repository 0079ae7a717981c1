import { EventEmitter } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { PassThrough, Readable } from 'node:stream';
import type { TimerOptions } from 'node:timers';
import timers from 'node:timers/promises';
import { formatEventId } from '@touchstone/contract';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Host } from '../command-tools.ts';
import { run } from '../run.ts';
import { openBuyer, RESOURCE, type TestBuyer } from '../testing/buyer.ts';
import { EXECUTABLE, HOSTILE_TEXT } from '../testing/hostile-text.ts';
import { jsonLines } from '../testing/run-command.ts';
import { skipTime } from '../testing/run-in-process.ts';
import {
  openWatchService,
  type TestEventType,
  WATCH_ID,
  type WatchService,
} from '../testing/watch-service.ts';

let buyer: TestBuyer;
let service: WatchService;
beforeEach(async () => {
  buyer = openBuyer();
  service = await openWatchService();
  await buyer.run(['watch', 'create', '--service', service.base, '--yes', RESOURCE]);
});
afterEach(async () => {
  buyer[Symbol.dispose]();
  await service[Symbol.asyncDispose]();
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});
const events = (...more: readonly string[]) => ['watch', 'events', WATCH_ID, ...more];
const appendAll = (
  types: readonly TestEventType[] = [
    'created',
    'price_change',
    'edited',
    'payto_change',
    'delisting',
    'renewed',
  ],
) => {
  for (const type of types) service.append(type);
};
const readNumbers = (text: string) => [...text.matchAll(/^#(\d+)/gm)].map(([, number]) => Number(number));

describe('touchstone watch events', () => {
  it('prints all events of both lists in the order of the log, over several responses', async () => {
    appendAll();
    const { code, stdout, stderr } = await buyer.run(events());
    expect([code, readNumbers(stdout)]).toEqual([0, [1, 2, 3, 4, 5, 6]]);
    expect(stdout).toContain(
      '#4    2026-11-23 00:04 UTC  critical  payto_change\n      Event of type payto_change.\n',
    );
    expect(stderr).toBe(`Read to event #6; continue with --since ${formatEventId(WATCH_ID, 6)}\n`);
    expect(service.requests.length).toBe(2);
  });

  it.each([['4'], [formatEventId(WATCH_ID, 4)]])('continues after the event %s', async (since) => {
    appendAll();
    const { code, stdout } = await buyer.run(events('--since', since));
    expect([code, readNumbers(stdout)]).toEqual([0, [5, 6]]);
    const rest = await buyer.run(events('--since', '6'));
    expect([rest.code, rest.stdout, rest.stderr]).toEqual([0, '', expect.stringContaining('No new event.')]);
  });

  it('prints one event as JSON on each line', async () => {
    appendAll();
    const { code, stdout } = await buyer.run(events('--json', '--since', '3'));
    expect(code).toBe(0);
    expect(jsonLines(stdout)).toMatchObject([
      { event_id: formatEventId(WATCH_ID, 4), type: 'payto_change', severity: 'critical' },
      { type: 'delisting', data: { sequence: 5, before: null, after: null } },
      { type: 'renewed' },
    ]);
  });

  it.each([
    [['--since', 'evt_aaaaaaaaaaaaaaaaaaaaaaaaaa_4'], '--since must be the id or the number of an event'],
    [
      ['--follow', '--interval', '0'],
      '--interval must be a whole number of seconds from 1 to 3600; received "0"',
    ],
    [['--follow', '--interval', 'x'], 'received "x"'],
    [['--interval', '5'], '--interval is for --follow only'],
  ])('rejects %j', async (options, message) => {
    const { code, stderr } = await buyer.run(events(...options));
    expect([code, service.requests, stderr]).toEqual([2, [], expect.stringContaining(message)]);
  });

  it('reports an error without --follow, after the events that were read', async () => {
    appendAll();
    service.state.fault = (_request, response) => {
      if (service.requests.length < 2) return false;
      response.statusCode = 503;
      response.end('{"code":"internal","detail":"Try again."}');
      return true;
    };
    const { code, stdout, stderr } = await buyer.run(events());
    expect([code, readNumbers(stdout)]).toEqual([2, [1, 2, 3, 4]]);
    expect(stderr).toContain('503 internal: Try again.');
    // The second list ends with event 3. A run that continues there prints event 4 again.
    expect(stderr).toContain(`Read to event #3; continue with --since ${formatEventId(WATCH_ID, 3)}\n`);
  });

  it('names the position before the first event that was not read, after an incomplete read', async () => {
    appendAll(['created', 'delisting', 'delisting', 'delisting', 'edited', 'renewed']);
    service.state.fault = (_request, response) => {
      if (service.requests.length < 2) return false;
      response.writeHead(503).end();
      return true;
    };
    // The first response has two alerts and two events on the watch. Event 4 is in the second response.
    const { stdout, stderr } = await buyer.run(events());
    expect(readNumbers(stdout)).toEqual([1, 2, 3, 5]);
    expect(stderr).toContain(`Read to event #3; continue with --since ${formatEventId(WATCH_ID, 3)}\n`);
    service.state.fault = null;
    const rest = await buyer.run(events('--since', '3'));
    expect(readNumbers(rest.stdout)).toEqual([4, 5, 6]);
    expect(rest.stderr).toContain('Read to event #6');
  });

  it('rejects a cursor of another watch', async () => {
    const body = {
      watch_id: WATCH_ID,
      status: 'active',
      endpoint: RESOURCE,
      expires_at: '2026-12-23T00:00:00.000Z',
      events: [],
      next_cursor: `evt_${'a'.repeat(26)}_3`,
      watch_events: [],
      watch_events_cursor: formatEventId(WATCH_ID, 0),
      has_more: true,
    };
    service.state.fault = (_request, response) => {
      response.end(JSON.stringify(body));
      return true;
    };
    const { code, stderr } = await buyer.run(events());
    expect([code, stderr]).toEqual([2, expect.stringContaining('a cursor that is not of this watch')]);
  });

  it('prints no control characters of an event', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(HOSTILE_TEXT, async (text) => {
        service.append('price_change', text);
        for (const more of [[], ['--json']]) {
          const { code, stdout } = await buyer.run(events('--since', '0', ...more));
          expect([code, EXECUTABLE.test(stdout)]).toEqual([0, false]);
        }
      }),
      { numRuns: 10 },
    );
  });
});

/**
 * Starts `events --follow` in this process, by default without real pauses. The returned `interrupt` simulates Ctrl-C.
 */
function startFollowing(seconds = 1, pause: Pick<Host, 'sleep'> = { sleep: skipTime }) {
  const signals = new EventEmitter();
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const printed = { out: '', err: '' };
  stdout.setEncoding('utf8').on('data', (text: string) => (printed.out += text));
  stderr.setEncoding('utf8').on('data', (text: string) => (printed.err += text));
  const host = {
    stdin: Readable.from([]),
    stdout,
    stderr,
    env: { XDG_STATE_HOME: buyer.home },
    on: signals.on.bind(signals),
    off: signals.off.bind(signals),
    ...pause,
  };
  const ended = run(events('--follow', '--interval', String(seconds)), host);
  return { printed, ended, signals, interrupt: () => signals.emit('SIGINT') };
}

const waitFor = (condition: () => boolean) =>
  vi.waitFor(() => expect(condition()).toBe(true), { timeout: 10_000, interval: 5 });

describe('touchstone watch events --follow', () => {
  it('prints events as they happen, continues after an outage, and ends with exit code 0', async () => {
    service.append('created');
    const { printed, ended, interrupt } = startFollowing();
    await waitFor(() => printed.out.includes('#1 '));
    service.append('payto_change');
    await waitFor(() => printed.out.includes('#2 '));
    let failures = 0;
    service.state.fault = (_request, response) => {
      failures += 1;
      if (failures % 2 === 0) response.destroy();
      else response.writeHead(503).end('<html>');
      return true;
    };
    service.append('liveness_down');
    await waitFor(() => failures >= 2);
    service.state.fault = null;
    await waitFor(() => printed.out.includes('#3 '));
    interrupt();
    expect(await ended).toBe(0);
    expect(readNumbers(printed.out)).toEqual([1, 2, 3]);
    expect(printed.err.match(/The request is repeated every 1 s\./g)).toHaveLength(1);
    expect(printed.err.match(/The service responds again\./g)).toHaveLength(1);
    expect(printed.err).toContain(`continue with --since ${formatEventId(WATCH_ID, 3)}`);
  });

  it('ends with the watch, after its last event', async () => {
    service.append('created');
    const { printed, ended } = startFollowing();
    await waitFor(() => printed.out.includes('#1 '));
    service.append('cancelled');
    service.state.status = 'cancelled';
    expect(await ended).toBe(0);
    expect(readNumbers(printed.out)).toEqual([1, 2]);
    expect(printed.err).toContain('The watch is cancelled, so no event will follow.');
  });

  it('ends at an error that is not temporary', async () => {
    const { printed, ended } = startFollowing();
    await waitFor(() => service.requests.length > 0);
    service.state.fault = (_request, response) => {
      response.writeHead(401).end('{"code":"unauthorized","detail":"Unknown."}');
      return true;
    };
    expect(await ended).toBe(2);
    expect(printed.err).toContain('401 unauthorized');
  });

  it('waits for the interval, and Ctrl-C ends the wait', { timeout: 10_000 }, async () => {
    const pauses: { readonly ms: number | undefined; readonly end: () => void }[] = [];
    vi.spyOn(timers, 'setTimeout').mockImplementation(
      <T>(ms?: number, value?: T, { signal }: TimerOptions = {}) =>
        new Promise<T>((resolve, reject) => {
          signal?.addEventListener('abort', () => reject(new Error('aborted')));
          pauses.push({ ms, end: () => resolve(value as T) });
        }),
    );
    syncBuiltinESMExports();
    const { ended, interrupt } = startFollowing(30, {});
    await waitFor(() => pauses.length === 1);
    expect([pauses[0]?.ms, service.requests.length]).toEqual([30_000, 1]);
    pauses[0]?.end();
    await waitFor(() => pauses.length === 2);
    expect(service.requests.length).toBe(2);
    interrupt();
    expect(await ended).toBe(0);
  });

  it('interrupts a request in progress', async () => {
    service.state.fault = () => true;
    const { printed, ended, signals, interrupt } = startFollowing();
    await waitFor(() => service.requests.length > 0);
    interrupt();
    expect(await ended).toBe(0);
    expect(printed.err).toContain('Read to event #0');
    // The launcher forwards Ctrl-C a second time. Without a listener, it would end the process with an error code.
    expect(signals.listenerCount('SIGINT')).toBe(1);
  });
});
