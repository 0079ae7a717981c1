import { EXPLORER_SCRIPT } from '../../../../operations/documents/explorer-script.ts';
import { createPageMetadata } from '../../../../page-parts/create-page-metadata.ts';
import { Explorer } from '../../../../views/docs/explorer.tsx';

/** Same value as `PAGE_LIFETIME_S`, because Next requires a literal here. The page changes only with a release. */
export const revalidate = 3600;

export const metadata = createPageMetadata({
  title: 'API explorer',
  description:
    'Every field of every request and response of the Touchstone API, with a form to send requests.',
  path: '/docs/explorer',
  indexed: false,
});

export default function ExplorerPage() {
  return (
    <>
      <Explorer />
      <script src="/explorer.js" data-component={EXPLORER_SCRIPT} defer />
    </>
  );
}
