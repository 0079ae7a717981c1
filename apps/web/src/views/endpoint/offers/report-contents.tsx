import type { Snapshot } from '@touchstone/store';
import { formatCount } from '@touchstone/ui';
import type { ReactNode } from 'react';

/** List of the contents of the trust report that this page does not have. */
export function ReportContents({ snapshot }: { readonly snapshot: Snapshot }) {
  return (
    <dl className="mt-3 grid gap-x-8 sm:grid-cols-2 xl:grid-cols-3">
      <Item title="Score components">
        Value, weight, points and input figures of uptime, compliance, stability, activity, age and latency.
      </Item>
      <Item title="Flags">{describeFlags(snapshot)}</Item>
      <Item title="Compliance">Each failed check of the payment challenge, with its fix.</Item>
      <Item title="Settlements on chain">
        US dollars, payments and distinct payers of its payTo addresses in the last 30 days.
      </Item>
      <Item title="Live probe">
        {snapshot.templated
          ? 'A URL with real values instead of the placeholders is probed when you buy its report. A template is not.'
          : 'The endpoint is probed when you buy, and the report contains the result.'}
      </Item>
      <Item title="Signature">
        Anyone can <a href="/methodology#recompute">verify the report</a> and recompute the score.
      </Item>
    </dl>
  );
}

function Item({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="border-t border-line py-3">
      <dt className="font-semibold">{title}</dt>
      <dd className="text-ink-soft">{children}</dd>
    </div>
  );
}

function describeFlags({ errorFlags, warningFlags }: Snapshot): string {
  const counts = [
    ...(errorFlags === 0 ? [] : [formatNumber(errorFlags, 'error flag')]),
    ...(warningFlags === 0 ? [] : [formatNumber(warningFlags, 'warning')]),
  ];
  const details = 'Each flag has its evidence, the time since which it applies, and advice for payers.';
  return counts.length === 0
    ? `No flag is raised now. ${details}`
    : `The ${counts.join(' and the ')} of this endpoint by name. ${details}`;
}

function formatNumber(count: number, noun: string): string {
  return count === 1 ? `one ${noun}` : `${formatCount(count)} ${noun}s`;
}
