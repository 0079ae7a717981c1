import {
  WATCH_EVENTS,
  LIVENESS_SENSITIVITY,
  MAX_DELIVERY_URLS,
  WATCH_EVENT_TYPES,
  type WatchDestination,
  type Watch,
  type WatchEventType,
} from '@touchstone/contract';
import { useId } from 'react';
import { FIELD_CLASS } from '../../page-parts/form-parts.tsx';
import type { EditBody } from '../trpc/client.ts';

interface FieldProps {
  readonly draft: Draft;
  readonly onChange: (differs: Partial<Draft>) => void;
  /** Error messages about this field. */
  readonly mistakes: readonly string[];
}

function Mistakes({ id, mistakes }: { readonly id: string; readonly mistakes: readonly string[] }) {
  return (
    <div id={id} className="font-semibold text-bad [overflow-wrap:anywhere]">
      {mistakes.map((mistake) => (
        <p key={mistake}>{mistake}</p>
      ))}
    </div>
  );
}

/** Field with one checkbox for each type of event. */
export function EventsField({ draft, onChange, mistakes }: FieldProps) {
  const id = useId();
  return (
    <fieldset aria-describedby={id}>
      <legend className="font-semibold">Events that the watch reports</legend>
      <ul className="mt-2 grid gap-x-8 sm:grid-cols-2">
        {WATCH_EVENT_TYPES.map((type) => (
          <li key={type}>
            <label className="flex cursor-pointer items-start gap-3 py-1.5">
              <input
                type="checkbox"
                className="mt-1 size-5 shrink-0 accent-accent"
                checked={draft.events.includes(type)}
                onChange={() => {
                  onChange({ events: toggleType(draft.events, type) });
                }}
              />
              <span>
                {WATCH_EVENTS[type].title}{' '}
                <span className="text-sm text-ink-soft">({WATCH_EVENTS[type].severity})</span>
              </span>
            </label>
          </li>
        ))}
      </ul>
      <Mistakes id={id} mistakes={mistakes} />
    </fieldset>
  );
}

const SENSITIVITIES = Array.from(
  { length: LIVENESS_SENSITIVITY.max - LIVENESS_SENSITIVITY.min + 1 },
  (_, index) => LIVENESS_SENSITIVITY.min + index,
);

/** Field for the number of missed probes before an outage is reported. */
export function SensitivityField({ draft, onChange, mistakes }: FieldProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="block font-semibold">
        Missed probes in a row before an outage is reported
      </label>
      <select
        id={id}
        className={`mt-2 max-w-48 ${FIELD_CLASS}`}
        value={draft.sensitivity}
        aria-describedby={`${id}-hint ${id}-mistake`}
        onChange={({ target }) => {
          onChange({ sensitivity: Number(target.value) });
        }}
      >
        {SENSITIVITIES.map((count) => (
          <option key={count} value={count}>
            {count}
          </option>
        ))}
      </select>
      <p id={`${id}-hint`} className="mt-1 text-sm text-ink-soft">
        {LIVENESS_SENSITIVITY.min} reports the shortest outages. A watched endpoint is probed every 5 minutes.
      </p>
      <Mistakes id={`${id}-mistake`} mistakes={mistakes} />
    </div>
  );
}

const KINDS = {
  webhooks: {
    title: 'Webhook URLs',
    hint: 'Every event is sent as a signed POST.',
  },
  chats: {
    title: 'Chat URLs',
    hint: 'Incoming webhooks of Slack or Discord. These URLs are secrets: they are never shown again.',
  },
} as const;

interface UrlsFieldProps {
  readonly kind: keyof typeof KINDS;
  readonly present: readonly WatchDestination[];
  /** New URLs, one per line; null keeps the present URLs. */
  readonly text: string | null;
  readonly onChange: (text: string | null) => void;
  readonly mistakes: readonly string[];
}

/** Checkbox that replaces the URLs of one kind, and a text area for the new URLs. */
export function UrlsField({ kind, present, text, onChange, mistakes }: UrlsFieldProps) {
  const id = useId();
  const { title, hint } = KINDS[kind];
  const replaced = present.length === 0 ? 'none are set' : `${present.length} set`;
  return (
    <fieldset>
      <legend className="font-semibold">{title}</legend>
      {present.length === 0 ? null : (
        <p id={`${id}-stored`} className="mt-1 text-sm text-ink-soft">
          {present.length === 1
            ? 'The stored URL is not shown again. To change it or to add one, enter all URLs.'
            : `Stored URLs are not shown again. To add or change one, enter all ${present.length} again.`}
        </p>
      )}
      <label className="mt-1 flex cursor-pointer items-start gap-3 py-1.5">
        <input
          type="checkbox"
          className="mt-1 size-5 shrink-0 accent-accent"
          checked={text !== null}
          aria-describedby={present.length === 0 ? undefined : `${id}-stored`}
          onChange={() => {
            onChange(text === null ? '' : null);
          }}
        />
        <span>
          Replace all {kind === 'webhooks' ? 'webhook' : 'chat'} URLs{' '}
          <span className="text-sm text-ink-soft">({replaced})</span>
        </span>
      </label>
      {text === null ? null : (
        <>
          <label htmlFor={id} className="sr-only">
            New {kind === 'webhooks' ? 'webhook' : 'chat'} URLs, one per line
          </label>
          <textarea
            id={id}
            rows={3}
            value={text}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            aria-invalid={mistakes.length > 0}
            aria-describedby={`${id}-hint ${id}-mistake`}
            className={`mt-2 font-mono text-sm ${FIELD_CLASS}`}
            onChange={({ target }) => {
              onChange(target.value);
            }}
          />
          <Mistakes id={`${id}-mistake`} mistakes={mistakes} />
          <p id={`${id}-hint`} className="mt-1 text-sm text-ink-soft">
            {hint} One https URL per line, at most {MAX_DELIVERY_URLS}. An empty field removes all. Each new
            URL is tested first; if a test fails, nothing changes.
          </p>
        </>
      )}
    </fieldset>
  );
}

/** Settings in the form that are not saved yet. */
export interface Draft {
  readonly events: readonly WatchEventType[];
  readonly sensitivity: number;
  /** New webhook URLs, one per line; null keeps the present webhook URLs. */
  readonly webhooks: string | null;
  /** New chat URLs, one per line; null keeps the present chat URLs. */
  readonly chats: string | null;
}

/** Returns the settings of a watch as a draft without a change. */
export function toDraft({ events, liveness_sensitivity_n: sensitivity }: Watch): Draft {
  return { events, sensitivity, webhooks: null, chats: null };
}

/** Adds a type of event to a list, or removes a type that the list has. The result has the order of the API. */
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
 * Returns the edit that saves a draft. The edit has only the settings that the owner changed, so it does not undo
 * changes that were made elsewhere.
 *
 * @param saved saved settings when the draft was created
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
type DraftField = 'events' | 'sensitivity' | 'webhooks' | 'chats';

const FIELD_PATHS: readonly (readonly [DraftField, string])[] = [
  ['events', 'events'],
  ['sensitivity', 'liveness_sensitivity_n'],
  ['webhooks', 'delivery.webhook'],
  ['chats', 'delivery.slack'],
];

/** Returns the messages for one field. A message on one of several URLs names the line of the URL. */
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
