import { disputeFormRoute } from '../../../../views/dispute/dispute-form-route.ts';

export const dynamic = 'force-dynamic';

export const { POST } = disputeFormRoute;
