export { adoptEndpoint, holdAdoption, undoAdoption, type AdoptedEndpoint } from './adoption.ts';
export { connect, type ConnectOptions, type Db } from './client.ts';
export {
  finishDiscovery,
  recordListings,
  startDiscovery,
  type DiscoveryEnd,
  type DiscoveryPlace,
  type DiscoveryRun,
  type ListedEndpoint,
  type ListedPage,
} from './discovery.ts';
export { countDueSlots } from './due.ts';
export { handBackSlots, type Slot } from './hand-back.ts';
export { readEndpointHistory, type StoredHistory } from './history.ts';
export { readReportSubject, recordLive, type ReportSubject } from './live.ts';
export {
  claimDueEndpoints,
  recordObservations,
  releaseLeases,
  watchEndpoints,
  type ClaimedEndpoint,
  type Observation,
  type StoredChallenge,
  type Terms,
} from './observations.ts';
export {
  auditPayment,
  claimPayment,
  failPayment,
  findPayment,
  keepPaymentResult,
  prunePayments,
  refusePayment,
  releasePayment,
  settlePayment,
  takeUncheckedPayments,
  type ClaimedPayment,
  type Payment,
  type PaymentClaim,
  type PaymentKey,
} from './payments.ts';
export { createPublicStore, type PublicStore } from './public-store.ts';
export { pruneRateLimits, takeRateLimit, type RateLimit, type TakenRateLimit } from './rate-limits.ts';
export { readScoringInputs, saveSnapshots, type SnapshotRow, type StoredScoringInput } from './scoring.ts';
export { queueAgedSnapshots, setBackScores, takeScores } from './scoring-queue.ts';
export { payOnSchema, type Ecosystem, type PayOn, type Snapshot } from './snapshot.ts';
export { StoreError } from './store-error.ts';
export {
  readReportSources,
  readSampleRanks,
  type ReportFigures,
  type ReportSource,
  type SampleRanks,
} from './reports.ts';
export { maintainPartitions, pruneAged, pruneHostQueues } from './retention.ts';
export {
  openChainLanes,
  pruneSettlements,
  readChainLanes,
  recordSettlements,
  type ChainLane,
  type RecordedStep,
} from './settlements.ts';
export {
  readSettlementFigures,
  type PaidFigures,
  type SetFigures,
  type SetWallet,
  type WalletFigures,
} from './settlement-figures.ts';
export { readWalletDays, type WalletDay } from './wallet-days.ts';
