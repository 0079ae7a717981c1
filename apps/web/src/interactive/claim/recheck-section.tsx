import type { Rechecked } from '@touchstone/contract/operations/claim/recheck';
import { RecommendationChip, formatGrade } from '@touchstone/ui';
import { useState } from 'react';
import { TextField } from '../../page-parts/form-parts.tsx';
import { Section } from '../../page-parts/section.tsx';
import { recheckEndpoint } from './claim-api.ts';
import { SectionForm } from './form.tsx';
import { getRootUrl, useSession } from './session.ts';
import { useCall } from './use-call.ts';

/** Form that probes and scores one endpoint of the host now. */
export function RecheckSection() {
  const { credentials, claim } = useSession();
  const { run, ...state } = useCall();
  const [resource, setResource] = useState(getRootUrl(claim));
  const [result, setResult] = useState<Rechecked | null>(null);
  return (
    <Section id="recheck" title="Probe and score now" className="mt-12">
      <p className="mt-2 max-w-3xl text-ink-soft">
        After a repair, at most once in 10 minutes for each endpoint. The probe counts in no uptime figure.
      </p>
      <SectionForm
        state={state}
        button="Probe now"
        done={result === null ? '' : formatResult(result)}
        onSubmit={() => void run(async () => setResult(await recheckEndpoint(credentials, resource.trim())))}
      >
        <TextField
          label="URL of the endpoint"
          hint="As its page shows it."
          field={{ type: 'text', value: resource, onChange: ({ target }) => setResource(target.value) }}
        />
      </SectionForm>
      {result === null ? null : (
        <p className="mt-3 flex flex-wrap items-center gap-x-4">
          <RecommendationChip recommendation={result.recommendation} /> {formatGrade(result.grade)}{' '}
          <a href={URL.parse(result.endpoint_page)?.pathname}>Page of the endpoint</a>
        </p>
      )}
    </Section>
  );
}

function formatResult({ is_live: isLive, outcome, http_status: status, detail }: Rechecked): string {
  const probe = `${outcome ?? 'no outcome'}${status === null ? '' : `, status ${status}`}.`;
  return [isLive ? `Probed: ${probe}` : 'Not probed.', detail].filter((part) => part !== null).join(' ');
}
