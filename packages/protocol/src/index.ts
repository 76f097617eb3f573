export { action, endpoint, event } from './kernel/contract.ts'
export type {
  Action,
  Credential,
  Endpoint,
  Event,
  Method,
  Rate,
  ContractSchema,
  Who,
} from './kernel/contract.ts'
export * from './kernel/captcha.ts'
export * from './kernel/dialogs.ts'
export * from './kernel/entities.ts'
export * from './kernel/envelope.ts'
export * from './kernel/limits.ts'
export * from './kernel/locale-schemas.ts'
export * from './kernel/locales.ts'
export * from './kernel/primitives.ts'
export * from './kernel/profile-fields.ts'
export * from './kernel/refusals.ts'
export * from './kernel/sanctions.ts'
export * from './contracts/signaling.ts'
export * from './kernel/who.ts'
export * from './wire.ts'

export { AuditEntry } from './contracts/audit.ts'
export {
  FoundCase,
  OfficeUser,
  PersonCall,
  PersonCard,
  PersonDevices,
  PersonDialog,
  PersonMovement,
  PersonNote,
} from './contracts/people.ts'
export { StaffMember } from './contracts/staff.ts'
export { AppealCase } from './contracts/appeals-desk.ts'
export {
  ComplaintCase,
  type DeskAppeal,
  DeskComplaint,
  StaffStatement,
} from './contracts/moderation-desk.ts'
export { TimelineEntry } from './contracts/complaint-timeline.ts'
export { FindingsCase, type FindingKind, FoundUser } from './contracts/findings-desk.ts'
export { MaskedCase, MaskedWriter } from './contracts/masked-desk.ts'
export { DeskPerson, DeskStatement } from './contracts/staff-desk.ts'
export { WallCall, WallNetwork, WatchedCall } from './contracts/wall.ts'
export { SealedCase, SealedExport } from './contracts/moderation-sealed.ts'
export { Claim, CountedPage, QueueName } from './contracts/staff-desk.ts'
export {
  Order,
  Package,
  PaymentStart,
  PayMethod,
  payMethods,
  PayPlace,
  SpendingLimits,
} from './contracts/billing.ts'
export {
  CallbackLine,
  KeptCallback,
  MethodLine,
  MethodPreview,
  PaymentCase,
  QuarantinedOrder,
} from './contracts/payments-desk.ts'
export { Blocked } from './contracts/blocks.ts'
export { Boy } from './contracts/boys.ts'
export { CatalogueGirl, Recommendation } from './contracts/catalogue.ts'
export { Change } from './contracts/change-feed.ts'
export { OwnPlace, Ranking } from './contracts/contests.ts'
export { DateMinutes, DateState, OpenHours, OpenWeek, VirtualDate } from './contracts/dates.ts'
export { ReportKind, ReportState } from './contracts/reports.ts'
export { Favourite } from './contracts/favourites.ts'
export { GivenGift, ReceivedGift } from './contracts/gifts.ts'
export { UserSettings } from './contracts/identity.ts'
export { AuthSuccess, Login, Passkey, PasskeyAnswer, PasskeyQuestion } from './contracts/logins.ts'
export { PairClosedReason } from './contracts/matchmaking.ts'
export {
  ComplaintReason,
  complaintReasons,
  Penalty,
  PenaltyPlace,
  RuleName,
  Statement,
} from './contracts/moderation.ts'
export { Notice, NoticeKind, PushSubscription } from './contracts/notices.ts'
export { UserStatus } from './contracts/presence.ts'
export { GirlProfile, ProfileChange } from './contracts/profile.ts'
export { AdultMedia, Crop, Gallery } from './contracts/profile-pictures.ts'
export { ReferralEntry } from './contracts/referrals.ts'
export { PublicSettings } from './contracts/settings.ts'
export { Upload, UploadProduct } from './contracts/media.ts'
export { Ticket, TicketMessage } from './contracts/support.ts'
export { CastMember, errorEvent, Features, System } from './contracts/system.ts'
export { Camscore, CamscorePart, Studio } from './contracts/rating.ts'
export { Challenge, DocumentType, Verification } from './contracts/verification.ts'
export { CallAccount, CloseReason, PastCall, Receipt } from './contracts/calls.ts'
export { Balance, BalanceReason, Earning, EarningKind } from './contracts/ledger.ts'
export { Withdrawal, WithdrawalStatus, WithdrawalStep } from './contracts/withdrawals.ts'
