import type { Snapshot } from '@touchstone/store';
import { formatGrade } from '@touchstone/ui';
import { BADGE_SIZE } from '../../../badge/create-badge.ts';
import { CodeBlock } from '../../shared/code-block.tsx';
import { Section } from '../section.tsx';
import { createBadgeHtml, createBadgeMarkdown } from './badge-snippets.ts';

/** Badge of the endpoint with its code, and the link to the same data as JSON. */
export function BadgeSection({
  snapshot,
  baseUrl,
}: {
  readonly snapshot: Snapshot;
  readonly baseUrl: string;
}) {
  const { endpointId, slug, host, grade } = snapshot;
  const options = { endpointId, slug, host, baseUrl };
  return (
    <Section id="badge" title="Badge and data">
      <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <img
          src={`/badge/${endpointId}.svg`}
          alt={`Badge: Touchstone, ${formatGrade(grade)}`}
          {...BADGE_SIZE}
          loading="lazy"
        />
        <span className="text-ink-soft">The badge always shows the present grade.</span>
      </p>
      <CodeBlock label="Badge, Markdown" code={createBadgeMarkdown(options)} isWrapped />
      <CodeBlock label="Badge, HTML" code={createBadgeHtml(options)} isWrapped />
      <p className="mt-4">
        <a href={`/endpoint/${slug}.json`}>This page as signed JSON</a>
        <span className="text-ink-soft">, with the same figures, free and for programs.</span>
      </p>
    </Section>
  );
}
