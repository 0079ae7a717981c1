import { submitDispute } from '../../../../views/dispute/submit-dispute.ts';

export const dynamic = 'force-dynamic';

export const POST = submitDispute;
