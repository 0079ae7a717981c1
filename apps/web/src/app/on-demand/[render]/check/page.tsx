import { createPageMetadata } from '../../../../page-parts/create-page-metadata.ts';
import { CheckStart } from '../../../../views/check/check-page.tsx';

export const metadata = createPageMetadata({
  title: 'Check your x402 endpoint',
  description:
    'See whether the clients of agents pay your x402 endpoint, whether the money arrives, and how to repair it as code for Express, Hono, Next.js, FastAPI or Go. Free.',
  path: '/check',
  indexed: true,
});

export default function CheckStartPage() {
  return <CheckStart />;
}
