import type { Metadata } from 'next';
import { EXPLORER_SCRIPT } from '../../../../docs/explorer-script.ts';
import { Explorer } from '../../../../views/docs/explorer.tsx';

/** As long as every page; see page-lifetime.ts. What it says only changes with a release. */
export const revalidate = 3600;

export const metadata: Metadata = {
  title: 'API explorer',
  description: 'Every field of every request and answer of the Touchstone API, with calls from the page.',
  alternates: { canonical: '/docs/explorer' },
};

export default function ExplorerPage() {
  return (
    <>
      <Explorer />
      <script src="/explorer.js" data-component={EXPLORER_SCRIPT} defer />
    </>
  );
}
