import { createPageMetadata } from '../../../../page-parts/create-page-metadata.ts';
import { Status } from '../../../../views/status/status.tsx';
import { loadStatus } from '../../../../views/status/load-status.ts';

export const metadata = createPageMetadata({
  title: 'Status',
  description: 'State of the service itself: probes, directories, embedder and chains.',
  path: '/status',
  indexed: false,
});

export default async function StatusPage() {
  return <Status report={await loadStatus()} />;
}
