import { Timestamp } from '@touchstone/ui';
import { TextField } from '../../page-parts/form-parts.tsx';
import { Section } from '../../page-parts/section.tsx';
import { RemovableItem, SectionForm, useDraft } from './form.tsx';
import { useEdit, useSession } from './session.ts';
import type { CallState } from './use-call.ts';

const EMPTY = { resource: '', starts: '', ends: '', text: '' };

/** Maintenance windows, with a form that announces another one. Started windows cannot be removed. */
export function MaintenanceSection() {
  const { claim } = useSession();
  const { edit, ...state } = useEdit();
  const { maintenance } = claim.settings;
  const planned = maintenance
    .filter(({ starts_at: start }) => Date.parse(start) > Date.now())
    .map(({ resource, starts_at, ends_at, text }) => ({ resource, starts_at, ends_at, text }));
  return (
    <Section id="maintenance" title="Maintenance" className="mt-12">
      <p className="mt-2 max-w-3xl text-ink-soft">
        Announce it at least 10 minutes before its start, for at most 24 hours. Pages show it beside the
        uptime, and it is not erased from the uptime. A window that has started stays.
      </p>
      <ul className="mt-3 max-w-3xl">
        {maintenance.map(({ resource, starts_at: start, ends_at: end, text }) => {
          const at = planned.findIndex((each) => each.starts_at === start && each.resource === resource);
          return (
            <RemovableItem
              key={`${start} ${resource ?? ''}`}
              label={text}
              onRemove={
                at === -1 ? undefined : () => edit({ maintenance: planned.filter((_, each) => each !== at) })
              }
            >
              <p>
                <Timestamp iso={start} /> to <Timestamp iso={end} />
                {at === -1 ? ' (started)' : ''}
              </p>
              <p className="text-sm text-ink-soft">
                <bdi>“{text}”</bdi>,{' '}
                {resource === null ? 'all endpoints' : <bdi className="font-mono">{resource}</bdi>}
              </p>
            </RemovableItem>
          );
        })}
      </ul>
      <MaintenanceForm
        state={state}
        onAnnounce={(added, onSaved) => edit({ maintenance: [...planned, added] }, onSaved)}
      />
    </Section>
  );
}

function MaintenanceForm({
  state,
  onAnnounce,
}: {
  readonly state: CallState;
  readonly onAnnounce: (added: ReturnType<typeof toWindow>, onSaved: () => void) => void;
}) {
  const { draft, bind, clear } = useDraft(EMPTY);
  return (
    <SectionForm
      state={state}
      button="Announce the maintenance"
      done="Announced."
      onSubmit={() => onAnnounce(toWindow(draft), clear)}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Start (UTC)"
          hint="At least 10 minutes from now."
          field={{ type: 'datetime-local', ...bind('starts') }}
        />
        <TextField
          label="End (UTC)"
          hint="At most 24 hours after the start."
          field={{ type: 'datetime-local', ...bind('ends') }}
        />
      </div>
      <TextField
        label="URL of one endpoint"
        hint="Leave it empty for all endpoints of the host."
        field={{ type: 'text', ...bind('resource') }}
      />
      <TextField
        label="Reason"
        hint="One line without links, such as: Database upgrade."
        field={{ type: 'text', maxLength: 280, ...bind('text') }}
      />
    </SectionForm>
  );
}

/** Converts typed values to a window. The fields of a date and time have no time zone, and mean UTC. */
export function toWindow({ resource, starts, ends, text }: typeof EMPTY) {
  const toTime = (value: string): string =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(value) ? `${value}:00Z` : value;
  return {
    resource: resource.trim() === '' ? null : resource.trim(),
    ...{ starts_at: toTime(starts), ends_at: toTime(ends), text: text.trim() },
  };
}
