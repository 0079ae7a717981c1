import { watchEditSchema, WATCH_EVENT_TYPES } from '@touchstone/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTestWatch } from './testing/test-watch.tsx';
import {
  listFieldMistakes,
  listOtherMistakes,
  toDraft,
  toEdit,
  toggleType,
  type Draft,
} from './edit-fields.tsx';

const saved = toDraft(createTestWatch());
const edit = (differs: Partial<Draft>) => toEdit({ ...saved, ...differs }, saved);

describe('toEdit', () => {
  it.each([
    [{}, null],
    [{ events: saved.events, sensitivity: 2 }, null],
    [{ events: ['payto_change'] as const }, { events: ['payto_change'] }],
    [{ sensitivity: 5 }, { liveness_sensitivity_n: 5 }],
    [{ webhooks: '' }, { delivery: { webhook_urls: [] } }],
    [
      { webhooks: ' https://a.example/x \n\n https://b.example/y', chats: ' \n' },
      { delivery: { webhook_urls: ['https://a.example/x', 'https://b.example/y'], slack_urls: [] } },
    ],
  ])('sends for %j only what changed', (differs, expected) => {
    expect(edit(differs)).toEqual(expected);
  });

  it('creates a body that the API accepts, for every change of valid settings', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom(...WATCH_EVENT_TYPES), { minLength: 1 }),
        fc.integer({ min: 1, max: 10 }),
        fc.option(fc.uniqueArray(fc.webUrl({ validSchemes: ['https'] }), { maxLength: 5 })),
        (events, sensitivity, urls) => {
          const body = edit({ events, sensitivity, webhooks: urls?.join('\n') ?? null });
          if (body !== null) expect(watchEditSchema.safeParse(body).error).toBeUndefined();
        },
      ),
    );
  });
});

describe('toggleType', () => {
  it('adds and removes a type, and keeps the order of the API', () => {
    const added = toggleType(['liveness_down'], 'payto_change');
    expect(added).toEqual(['payto_change', 'liveness_down']);
    expect(toggleType(added, 'liveness_down')).toEqual(['payto_change']);
  });
});

describe('mistakes of an edit', () => {
  it('belong to the field of their path, and every mistake is shown once', () => {
    const refused = watchEditSchema.safeParse({
      events: [],
      liveness_sensitivity_n: 0,
      delivery: { slack_urls: ['x'] },
    });
    const mistakes = (refused.error?.issues ?? []).map(({ path, message }) => ({
      path: path.join('.'),
      message,
    }));
    const fields = (['events', 'sensitivity', 'webhooks', 'chats'] as const).map(
      (field) => listFieldMistakes(mistakes, field).length,
    );
    expect(fields).toEqual([1, 1, 0, 1]);
    expect(listOtherMistakes(mistakes)).toEqual([]);
    expect(listOtherMistakes([{ path: '', message: 'must be an object' }])).toEqual(['must be an object']);
  });

  it('name the position of a URL', () => {
    const mistakes = [{ path: 'delivery.webhook_urls.1', message: 'responded with 404.' }];
    expect(listFieldMistakes(mistakes, 'webhooks')).toEqual(['URL 2: responded with 404.']);
    expect(listFieldMistakes(mistakes, 'chats')).toEqual([]);
  });
});
