import { WATCH_EVENTS } from '@touchstone/contract';
import { toPlainText } from '@touchstone/ui';
import { useState } from 'react';
import { type Attempt, toCallError } from '../api/watch-client.ts';
import { useAttempts } from '../api/session.tsx';
import { Button, ErrorMessage, Section } from '../shared/controls.tsx';
import { StateMark } from '../shared/state-mark.tsx';
import { TimeWithAge } from '../shared/time-with-age.tsx';
import { CHANNEL_NAMES, formatCause } from './destination-section.tsx';

/** Latest attempts to send events, newest first. */
export function AttemptSection() {
  const { data: attempts, error, isPending } = useAttempts();
  return (
    <Section id="attempts" title="Delivery attempts">
      {isPending ? (
        <p role="status" className="mt-4 text-ink-soft">
          Loading the attempts…
        </p>
      ) : null}
      {error === null ? null : (
        <div className="mt-4">
          <ErrorMessage>The attempts could not be read: {toCallError(error).text}</ErrorMessage>
        </div>
      )}
      {attempts === undefined ? null : <Attempts attempts={attempts} />}
    </Section>
  );
}

/** Number of attempts that are shown at first. */
const FIRST_SHOWN = 10;

/** Table of attempts. On a phone it scrolls sideways inside its frame. */
export function Attempts({ attempts }: { readonly attempts: readonly Attempt[] }) {
  const [showsAll, setShowsAll] = useState(false);
  if (attempts.length === 0) return <p className="mt-4 text-ink-soft">No event has been sent yet.</p>;
  const shown = showsAll ? attempts : attempts.slice(0, FIRST_SHOWN);
  return (
    <>
      <div
        role="region"
        aria-label="Table of delivery attempts"
        // The focus lets people scroll the table with the keyboard.
        tabIndex={0}
        className="mt-4 overflow-x-auto border-b border-line"
      >
        <table className="w-full min-w-[46rem] text-left text-sm">
          <thead className="text-ink-soft">
            <tr>
              {['Time', 'Event', 'Destination', 'Result', 'Duration', 'Next attempt'].map((title) => (
                <th key={title} scope="col" className="py-2 pr-6 font-semibold">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((attempt) => (
              <AttemptRow key={`${attempt.at} ${attempt.url} ${attempt.event_id}`} attempt={attempt} />
            ))}
          </tbody>
        </table>
      </div>
      {attempts.length > shown.length ? (
        <p className="mt-4">
          <Button
            onClick={() => {
              setShowsAll(true);
            }}
          >
            Show {attempts.length - shown.length} older
          </Button>
        </p>
      ) : null}
    </>
  );
}

const CELL = 'py-2 pr-6 align-top';

function AttemptRow({ attempt }: { readonly attempt: Attempt }) {
  const { at, type, event_id: eventId, channel, url, next_attempt_at: next } = attempt;
  const sequence = eventId.slice(eventId.lastIndexOf('_') + 1);
  return (
    <tr className="border-t border-line">
      <td className={CELL}>
        <TimeWithAge iso={at} />
      </td>
      <td className={CELL}>
        {WATCH_EVENTS[type].title} <span className="whitespace-nowrap text-ink-soft">no. {sequence}</span>
      </td>
      <td className={CELL}>
        {CHANNEL_NAMES[channel]} <bdi className="font-mono [overflow-wrap:anywhere]">{url}</bdi>
      </td>
      <td className={CELL}>
        <Result attempt={attempt} />
      </td>
      <td className={`${CELL} whitespace-nowrap tabular-nums`}>
        {attempt.duration_ms.toLocaleString('en-US')} ms
      </td>
      <td className={CELL}>{next === null ? 'none' : <TimeWithAge iso={next} isPlanned />}</td>
    </tr>
  );
}

function Result({
  attempt: { ok, http_status: status, error, phase, reply },
}: {
  readonly attempt: Attempt;
}) {
  return (
    <>
      {ok ? <StateMark kind="good">Delivered</StateMark> : <StateMark kind="bad">Failed</StateMark>}
      <span className="block">
        {status === null ? formatCause(error) : `HTTP status ${status}`}
        {ok || phase === null || phase === 'response' ? '' : `, in the phase ${phase}`}
      </span>
      {reply === null || reply === '' ? null : (
        <details>
          <summary className="cursor-pointer text-ink-soft">Response of the receiver</summary>
          <bdi className="block max-w-xs font-mono text-xs [overflow-wrap:anywhere]">
            {toPlainText(reply)}
          </bdi>
        </details>
      )}
    </>
  );
}
