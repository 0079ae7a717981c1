import { formatMs } from '@touchstone/common';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ConnectionTest, type Watch, type WatchEditResponse, numberLabels } from '@touchstone/contract';
import { type SubmitEvent, useRef, useState } from 'react';
import { showChangedWatch, useSession } from './session.tsx';
import { type EditBody, toCallError } from '../trpc/client.ts';
import { formatCause } from './delivery.tsx';
import { Button, ErrorMessage } from '../../page-parts/form-parts.tsx';
import { StateMark } from '../../page-parts/state-mark.tsx';
import { Section } from './watch-parts.tsx';
import {
  type Draft,
  listFieldMistakes,
  listOtherMistakes,
  toDraft,
  toEdit,
  EventsField,
  SensitivityField,
  UrlsField,
} from './edit-fields.tsx';

/** Form with the settings of the watch. Only changed settings are sent. */
export function EditSection({ watch }: { readonly watch: Watch }) {
  const { draft, setDraft, nothingToSave, submit, save, outcome } = useEdit(watch);
  const { data: edited } = save;
  const failure = save.error === null ? null : toCallError(save.error);
  const mistakes = failure?.mistakes ?? [];
  const change = (differs: Partial<Draft>) => {
    setDraft({ ...draft, ...differs });
  };
  return (
    <Section id="settings" title="Settings">
      <ExpiredNote status={watch.status} />
      <form
        className="mt-4 max-w-3xl space-y-6"
        autoComplete="off"
        noValidate
        onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
          event.preventDefault();
          submit();
        }}
      >
        <EventsField draft={draft} onChange={change} mistakes={listFieldMistakes(mistakes, 'events')} />
        <SensitivityField
          draft={draft}
          onChange={change}
          mistakes={listFieldMistakes(mistakes, 'sensitivity')}
        />
        {(['webhooks', 'chats'] as const).map((kind) => (
          <UrlsField
            key={kind}
            kind={kind}
            present={watch.delivery[kind]}
            text={draft[kind]}
            onChange={(text) => {
              change({ [kind]: text });
            }}
            mistakes={listFieldMistakes(mistakes, kind)}
          />
        ))}
        <Button look="main" type="submit" aria-disabled={save.isPending}>
          {save.isPending ? 'Testing and saving…' : 'Save the settings'}
        </Button>
        <div ref={outcome} tabIndex={-1}>
          {failure === null ? null : <Failure text={failure.text} details={listOtherMistakes(mistakes)} />}
          <p role="status" className={nothingToSave || edited !== undefined ? 'font-semibold' : 'sr-only'}>
            {nothingToSave ? 'Nothing was changed, so there is nothing to save.' : ''}
            {edited === undefined ? '' : 'Saved.'}
          </p>
          {edited === undefined ? null : <ConnectionTests tests={edited.connection_test} />}
        </div>
      </form>
    </Section>
  );
}

function ExpiredNote({ status }: Pick<Watch, 'status'>) {
  if (status !== 'expired') return null;
  return (
    <p className="mt-2 max-w-3xl text-ink-soft">
      The watch has expired. Changed settings apply after a renewal.
    </p>
  );
}

/** State of the form: the saved settings, the draft, and the mutation that saves the draft. */
function useEdit(watch: Watch) {
  const { id, client } = useSession();
  const queries = useQueryClient();
  const [saved, setSaved] = useState(() => toDraft(watch));
  const [draft, setDraft] = useState(saved);
  const [nothingToSave, setNothingToSave] = useState(false);
  const outcome = useRef<HTMLDivElement>(null);
  const save = useMutation({
    mutationFn: (edit: EditBody): Promise<WatchEditResponse> => client.edit.mutate({ id, edit }),
    onSuccess: (edited) => {
      showChangedWatch(queries, edited);
      setSaved(toDraft(edited));
      setDraft(toDraft(edited));
    },
    onSettled: () => outcome.current?.focus(),
    // The body contains whole delivery URLs, so the cache must not keep the body after the form is gone.
    gcTime: 0,
  });
  const submit = () => {
    if (save.isPending) return;
    const edit = toEdit(draft, saved);
    setNothingToSave(edit === null);
    if (edit === null) save.reset();
    else save.mutate(edit);
  };
  return { draft, setDraft, nothingToSave, submit, save, outcome };
}

function Failure({ text, details }: { readonly text: string; readonly details: readonly string[] }) {
  return (
    <ErrorMessage>
      <p>
        <span className="font-semibold">Nothing was changed.</span> {text}
      </p>
      {details.map((detail) => (
        <p key={detail}>{detail}</p>
      ))}
    </ErrorMessage>
  );
}

/** Results of the connection tests of new delivery URLs. */
export function ConnectionTests({ tests }: { readonly tests: readonly ConnectionTest[] }) {
  if (tests.length === 0) return null;
  const labels = numberLabels(tests.map(({ url }) => url));
  return (
    <>
      <p className="mt-2">Connection tests:</p>
      <ul className="mt-1 space-y-1">
        {tests.map(({ ok, status, ms, error }, at) => (
          <li key={labels[at]} className="flex flex-wrap gap-x-3 [overflow-wrap:anywhere]">
            {ok ? <StateMark kind="good">Succeeded</StateMark> : <StateMark kind="bad">Failed</StateMark>}
            <bdi className="min-w-0 font-mono text-sm">{labels[at]}</bdi>
            <span className="text-sm text-ink-soft">
              {status === null ? formatCause(error) : `HTTP status ${status}`}, {formatMs(ms)}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
