import { ClaimShell } from '../../../../interactive/claim/claim-shell.tsx';
import { createPageMetadata } from '../../../../page-parts/create-page-metadata.ts';
import { getSiteOrigin } from '../../../../platform/config/config.ts';

export const metadata = createPageMetadata({
  title: 'Claim your host',
  description:
    'Prove that you control the host of your x402 endpoints with one line, without an account: state your view, announce maintenance, recheck after a repair, or opt out.',
  path: '/claim',
  indexed: true,
});

export default function ClaimPage() {
  return (
    <>
      <ClaimShell baseUrl={getSiteOrigin(process.env)} />
      <script src="/claim.js" defer />
    </>
  );
}
