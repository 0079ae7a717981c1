import type { EndpointDay, EventEntry, ProviderNotes, Snapshot } from '@touchstone/store';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { extractText } from '../../testing/html-text.ts';
import { createOptedOutMetadata, OptedOut } from './opted-out.tsx';
import { renderReport } from './testing/render-report.tsx';

const DAY: EndpointDay = {
  ...{ day: '2026-03-02', probes: 48, scored: 48, up: 40, latencyMsP50: 290, latencyMsP95: 410 },
  amountUsd: '0.005000',
};
const OUTAGE: EventEntry = { id: '7', kind: 'outage', at: '2026-03-02T10:30:00.000Z' };
const WINDOW = {
  startsAt: '2026-03-02T10:00:00.000Z',
  endsAt: '2026-03-02T11:00:00.000Z',
  text: 'Database upgrade.',
  announcedAt: '2026-03-01T09:00:00.000Z',
};
const toStatement = (subject: string, text: string) => ({
  subject,
  text,
  statedAt: '2026-03-03T09:00:00.000Z',
});
const NOTES: ProviderNotes = { claimedSince: '2026-02-01T00:00:00.000Z', statements: [], maintenance: [] };

const render = (
  notes: Partial<ProviderNotes> | null,
  { snapshot = {}, events = [] }: { snapshot?: Partial<Snapshot>; events?: readonly EventEntry[] } = {},
) => renderReport(snapshot, {}, { days: [DAY], events, notes: notes && { ...NOTES, ...notes } });

describe('the page of a claimed endpoint', () => {
  it('says since when the host is claimed', () => {
    expect(extractText(render({}))).toContain('Claimed by its provider since 2026-02-01.');
    expect(extractText(render(null))).not.toContain('Claimed by its provider');
  });

  it('shows statements as words of the provider, escaped and without links', () => {
    const html = render({ statements: [toStatement('down-now', '<b>We</b> moved.')] });
    const text = extractText(html);
    expect(text).toContain('What the provider says These are the words of the provider.');
    expect(text).toContain('About down-now , stated on 2026-03-03');
    expect(html).toContain('<q class="[overflow-wrap:anywhere]"><bdi>&lt;b&gt;We&lt;/b&gt; moved.</bdi></q>');
    expect(extractText(render({}))).not.toContain('What the provider says');
  });

  it('shows a statement about an event beside the event', () => {
    const statements = [toStatement(OUTAGE.id, 'A cable was cut.'), toStatement('3', 'Long ago.')];
    const text = extractText(render({ statements }, { events: [OUTAGE] }));
    expect(text).toMatch(/Outage up again The provider stated on 2026-03-03: A cable was cut\./);
    expect(text).toContain('About an earlier event, stated on 2026-03-03 Long ago.');
    expect(text.match(/A cable was cut/g)).toHaveLength(1);
  });

  it('shows announced maintenance on the strip, beside an outage and beside the current failure', () => {
    const snapshot = { failingSince: '2026-03-02T10:30:00.000Z' };
    const html = render({ maintenance: [WINDOW] }, { snapshot, events: [OUTAGE] });
    const text = extractText(html);
    expect(html).toContain('<title>2026-03-02: Outage, Announced maintenance</title>');
    expect(text).toContain('Outage during announced maintenance');
    expect(text).toContain(
      '2026-03-02 10:00 UTC to 2026-03-02 11:00 UTC : Database upgrade. Announced on 2026-03-01.',
    );
    expect(text).toContain(
      'It began during maintenance that the provider announced until 2026-03-02 11:00 UTC',
    );
    expect(text).toContain('still count toward uptime');
    const later = { ...WINDOW, startsAt: '2026-03-02T10:31:00.000Z' };
    expect(extractText(render({ maintenance: [later] }, { snapshot, events: [OUTAGE] }))).not.toMatch(
      /during (announced )?maintenance that|Outage during/,
    );
  });
});

describe('the page of an endpoint whose provider opted out', () => {
  const OPT_OUT = {
    resource: 'https://api.example.com/v1/<b>',
    optedOutAt: '2026-03-04T09:00:00.000Z',
    avoidedOn: null,
  };

  it('has the date, no score, and the changes of the wallet before', () => {
    const event = { id: '9', kind: 'takeover-suspected', at: '2026-03-01T09:00:00.000Z' } as const;
    const html = renderToStaticMarkup(<OptedOut {...OPT_OUT} events={[event]} />);
    const text = extractText(html);
    expect(text).toContain('Opted out by the provider on 2026-03-04.');
    expect(text).toContain('payTo changed 2026-03-01');
    expect(text).not.toMatch(/of 100|Grade/);
    expect(html).toContain('&lt;b&gt;');
    expect(extractText(renderToStaticMarkup(<OptedOut {...OPT_OUT} events={[]} />))).not.toContain('Before');
  });

  it('does not hide that the last recommendation was to avoid it', () => {
    const render = (avoidedOn: string | null) =>
      extractText(renderToStaticMarkup(<OptedOut {...OPT_OUT} avoidedOn={avoidedOn} events={[]} />));
    expect(render('2026-03-04')).toContain('at its last score on 2026-03-04, the recommendation was: avoid');
    expect(render(null)).not.toContain('avoid.');
  });

  it('is not for search engines', () => {
    expect(createOptedOutMetadata('a-abcdefgh27', OPT_OUT).robots).toMatchObject({ index: false });
  });
});
