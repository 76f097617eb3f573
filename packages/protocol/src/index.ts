export { action, endpoint, event } from './contract.ts'
export type { Action, Credential, Endpoint, Event, Method, Rate, Schema, Who } from './contract.ts'
export * from './entities.ts'
export * from './envelope.ts'
export * from './limits.ts'
export * from './locales.ts'
export * from './primitives.ts'
export * from './refusals.ts'
export * from './sanctions.ts'
export * from './signal.ts'
export * from './who.ts'
export * from './wire.ts'

export { AuditEntry, Complaint, OfficeUser, Staff } from './audit.ts'
export { Order, Package, PaymentStart, PayMethod, payMethods, PayPlace, SpendingLimits } from './billing.ts'
export { Blocked } from './blocks.ts'
export { Boy, Recommendation } from './catalogue.ts'
export { Change } from './changes.ts'
export { OwnPlace, Ranking } from './contests.ts'
export { DateMinutes, DateState, OpenHours, VirtualDate } from './dates.ts'
export { Favourite } from './favourites.ts'
export { GivenGift, ReceivedGift } from './gifts.ts'
export { Login, Passkey, PasskeyAnswer, PasskeyQuestion } from './identity-account.ts'
export { AuthSuccess, ProfileChange, UserSettings } from './identity.ts'
export { PairClosedReason } from './matching.ts'
export {
  ComplaintReason,
  complaintReasons,
  Penalty,
  PenaltyPlace,
  PhotoVerdict,
  RuleName,
  ruleNames,
  Statement,
} from './moderation.ts'
export { Notice, NoticeKind, PushSubscription } from './notices.ts'
export { UserStatus } from './presence.ts'
export { AdultMedia, Crop, Gallery, GirlProfile } from './profile.ts'
export { ReferralEntry } from './referrals.ts'
export { PublicSettings } from './settings.ts'
export { Upload, UploadProduct } from './storage.ts'
export { Ticket, TicketMessage } from './support.ts'
export { CastMember, errorEvent, Features, System } from './system.ts'
export { Camscore, CamscorePart, Studio } from './rating.ts'
export { Challenge, DocumentType, Verification } from './verification.ts'
export { CloseReason, PastCall, Receipt } from './video.ts'
export { Balance, BalanceReason, Earning, EarningKind } from './wallet.ts'
export { Withdrawal, WithdrawalStatus, WithdrawalStep } from './withdrawals.ts'
