import { describe, expect, it } from 'vitest';
import {
  createFirstContacts,
  MAX_CONTACTS_PER_PAYER,
  MAX_UNPAID_CONTACTS,
  MAX_UNPAID_CONTACTS_PER_HOST,
} from './first-contacts.ts';
import type { ReportProblem } from '../problem.ts';

const MINUTE = 60_000;
const NOT_PROBEABLE: ReportProblem = { kind: 'problem', code: 'not-probeable', detail: 'No response.' };
const FINDINGS = { kind: 'report-data' } as const;

const open = () => {
  const clock = { now: 1_000_000_000 };
  const contacts = createFirstContacts(() => clock.now);
  const contact = (payer: string, client: string, result: typeof FINDINGS | ReportProblem = FINDINGS) =>
    contacts.run({ payer, client, host: 'a.example' }, () => Promise.resolve(result));
  const contactHost = (host: string, result: typeof FINDINGS | ReportProblem = FINDINGS) =>
    contacts.run({ payer: '0xone', client: 'client', host }, () => Promise.resolve(result));
  return { clock, contacts, contact, contactHost };
};

/** Returns the code of a problem, or the kind of another result. */
const toCode = (result: { readonly kind: string } | ReportProblem): string =>
  'code' in result ? result.code : result.kind;

describe('createFirstContacts', () => {
  it('runs the first contact of a client while another client waits for endpoints that never respond', async () => {
    const { contacts, contact } = open();
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    let running = 0;
    const pending = Array.from({ length: 200 }, (_, index) =>
      contacts.run({ payer: `0x${index}`, client: 'attacker', host: 'a.example' }, async () => {
        running += 1;
        await ended;
        return NOT_PROBEABLE;
      }),
    );
    expect(toCode(await contact('0xhonest', 'honest'))).toBe('report-data');
    expect(running).toBe(4);
    end();
    const codes = (await Promise.all(pending)).map(toCode);
    expect(codes.filter((code) => code === 'not-probeable')).toHaveLength(12);
    expect(codes.filter((code) => code === 'rate-limited')).toHaveLength(188);
  });

  it('limits one payer that uses several clients', async () => {
    const { contacts, contact } = open();
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const pending = Array.from({ length: MAX_CONTACTS_PER_PAYER }, (_, index) =>
      contacts.run({ payer: '0xone', client: `client ${index}`, host: 'a.example' }, () =>
        ended.then(() => FINDINGS),
      ),
    );
    expect(await contact('0xone', 'next')).toMatchObject({ code: 'rate-limited', retryAfterSeconds: 10 });
    expect(toCode(await contact('0xother', 'next'))).toBe('report-data');
    end();
    await Promise.all(pending);
    expect(toCode(await contact('0xone', 'next'))).toBe('report-data');
  });

  it('pauses a payer for one host for ten minutes after three contacts of this host without a report', async () => {
    const { clock, contact, contactHost } = open();
    for (let sent = 0; sent < MAX_UNPAID_CONTACTS_PER_HOST; sent += 1) {
      expect(toCode(await contact('0xone', 'client', NOT_PROBEABLE))).toBe('not-probeable');
    }
    clock.now += 9 * MINUTE;
    expect(await contact('0xone', 'client')).toEqual({
      ...{ kind: 'problem', code: 'rate-limited', retryAfterSeconds: 60 },
      detail:
        'This URL is not in the catalog, and 3 URLs of a.example that this payer requested within 10 minutes could not be added. Check the URL. URLs of the catalog and of other hosts are not affected. Send the request again in 60 seconds.',
    });
    expect(toCode(await contactHost('b.example'))).toBe('report-data');
    expect(toCode(await contact('0xother', 'client'))).toBe('report-data');
    clock.now += MINUTE;
    expect(toCode(await contact('0xone', 'client'))).toBe('report-data');
  });

  it('pauses a payer for all hosts after 60 contacts without a report', async () => {
    const { contactHost } = open();
    for (let sent = 0; sent < MAX_UNPAID_CONTACTS; sent += 1) {
      expect(toCode(await contactHost(`${sent}.example`, NOT_PROBEABLE))).toBe('not-probeable');
    }
    expect(await contactHost('new.example')).toMatchObject({ code: 'rate-limited', retryAfterSeconds: 600 });
  });

  it('ends the wait of other contacts of a payer that was paused in the meantime', async () => {
    const { contact } = open();
    const results = await Promise.all(
      Array.from({ length: 8 }, () => contact('0xone', 'client', NOT_PROBEABLE)),
    );
    expect(results.map(toCode).filter((code) => code === 'rate-limited')).toHaveLength(4);
  });

  it('does not pause a payer if no probe was sent', async () => {
    const { contact } = open();
    const refused: ReportProblem = { ...NOT_PROBEABLE, isProbeRefused: true };
    for (let sent = 0; sent < 5; sent += 1) await contact('0xone', 'client', refused);
    expect(toCode(await contact('0xone', 'client'))).toBe('report-data');
  });

  it('does not pause a payer for failures of this service', async () => {
    const { contact } = open();
    const failure: ReportProblem = { kind: 'problem', code: 'internal', detail: 'Our network failed.' };
    for (let sent = 0; sent < 5; sent += 1) await contact('0xone', 'client', failure);
    expect(toCode(await contact('0xone', 'client'))).toBe('report-data');
  });
});
