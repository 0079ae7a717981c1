import { WATCH_EVENT_TYPES, type Watch, type WatchEventType } from '@touchstone/contract';
import type { EditBody } from '../api/watch-client.ts';

/** Settings in the form, before they are saved. */
export interface Draft {
  readonly events: readonly WatchEventType[];
  readonly sensitivity: number;
  /** New webhook URLs, one per line; null keeps the present ones. */
  readonly webhooks: string | null;
  /** New chat URLs, one per line; null keeps the present ones. */
  readonly chats: string | null;
}

/** Returns the settings of a watch as a draft without a change. */
export function toDraft({ events, liveness_sensitivity_n: sensitivity }: Watch): Draft {
  return { events, sensitivity, webhooks: null, chats: null };
}

/** Adds a type of event to a list or removes it. The result has the order of the API. */
export function toggleType(
  events: readonly WatchEventType[],
  type: WatchEventType,
): readonly WatchEventType[] {
  const isIncluded = events.includes(type);
  return WATCH_EVENT_TYPES.filter((each) => (each === type ? !isIncluded : events.includes(each)));
}

function listLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/**
 * Returns the edit that makes a draft effective. It has only the settings that the owner changed, so that it does not
 * undo changes that were made elsewhere in the meantime.
 *
 * @param saved Settings from which the draft began.
 * @returns null if the draft changes nothing
 */
export function toEdit(draft: Draft, saved: Draft): EditBody | null {
  const { events, sensitivity, webhooks, chats } = draft;
  const delivery = {
    ...(webhooks === null ? {} : { webhook_urls: listLines(webhooks) }),
    ...(chats === null ? {} : { slack_urls: listLines(chats) }),
  };
  const edit = {
    ...(events.join() === saved.events.join() ? {} : { events: [...events] }),
    ...(sensitivity === saved.sensitivity ? {} : { liveness_sensitivity_n: sensitivity }),
    ...(Object.keys(delivery).length === 0 ? {} : { delivery }),
  };
  return Object.keys(edit).length === 0 ? null : edit;
}

type Mistake = { readonly path: string; readonly message: string };

/** Field of the form that a mistake belongs to. */
export type DraftField = 'events' | 'sensitivity' | 'webhooks' | 'chats';

const FIELD_PATHS: readonly (readonly [DraftField, string])[] = [
  ['events', 'events'],
  ['sensitivity', 'liveness_sensitivity_n'],
  ['webhooks', 'delivery.webhook'],
  ['chats', 'delivery.slack'],
];

/** Returns the messages for one field. A message on one of several URLs names its line. */
export function listFieldMistakes(mistakes: readonly Mistake[], field: DraftField): readonly string[] {
  const [, prefix = ''] = FIELD_PATHS.find(([name]) => name === field) ?? [];
  return mistakes
    .filter(({ path }) => path.startsWith(prefix))
    .map(({ path, message }) => {
      const index = /^delivery\.\w+\.(\d+)/.exec(path)?.[1];
      return index === undefined ? message : `URL ${Number(index) + 1}: ${message}`;
    });
}

/** Returns the messages that belong to no field. */
export function listOtherMistakes(mistakes: readonly Mistake[]): readonly string[] {
  return mistakes
    .filter(({ path }) => !FIELD_PATHS.some(([, prefix]) => path.startsWith(prefix)))
    .map(({ message }) => message);
}
