import type { ActName } from './acts.ts'

/** How the proof goes this way: by acts, by the rules of retention, by the jobs. `none`: why no evidence lies on it. */
type Way = ActName | 'rules' | 'jobs' | { readonly none: string }

const OWN_KEY = 'it writes one key of its own'
const NEW_KEY = 'the key of each file is new'

/**
 * Every place of the server that deletes rows or files, or changes what may be evidence. The proof fails where the source has
 * a place that is named neither here nor in PLACES_WITHOUT_EVIDENCE.
 */
export const PLACES: Readonly<Record<string, Way | readonly Way[]>> = {
  'modules/audit/kept-head.ts: storage put': { none: OWN_KEY },
  'modules/calls/store.ts: changes session_texts': ['delete_account of the girl', 'rules'],
  'modules/calls/store.ts: session_texts': 'delete_account of the girl',
  'modules/identity/guests/guests-store.ts: users': ['jobs', 'rules'],
  'modules/media/checks/store.ts: changes media':
    'a copy of the photo is reported as intimate, and removed',
  'modules/media/delete-media.ts: removeUploads': 'gallery/media/delete',
  'modules/media/delete-media.ts: storage delete': [
    'gallery/media/delete',
    'outbox delete_media_files',
    'delete_account of the girl',
    'rules',
    'jobs',
  ],
  'modules/media/store-files.ts: storage put': { none: NEW_KEY },
  'modules/media/store.ts: changes media': ['a photo is rejected', 'a photo is approved'],
  'modules/media/store.ts: media': ['gallery/media/delete', 'delete_account of the girl', 'rules'],
  'modules/media/store.ts: media_drafts': 'jobs',
  'modules/media/videos/convert-videos.ts: storage put': { none: NEW_KEY },
  'modules/media/videos/store.ts: changes media': {
    none: 'it ends the conversion of a video, which keeps its picture',
  },
  'modules/messenger/entries/like-store.ts: changes messages': { none: 'it changes hearts' },
  'modules/messenger/for-staff/removal-store.ts: changes messages': [
    'a text is removed by staff',
    'a picture of the dialog is removed by staff',
    'removed messages are restored',
  ],
  'modules/messenger/for-staff/removal-store.ts: message_originals':
    'removed messages are restored',
  'modules/messenger/pictures/picture-store.ts: changes messages': 'the verdict minor',
  'modules/messenger/store.ts: changes messages': [
    'CLEAN_DIALOG of the guy',
    'CLEAN_DIALOG of the girl',
    'DELETE_DIALOG of the guy',
    'DELETE_DIALOG of the girl',
    'delete_account of the girl',
  ],
  'modules/messenger/store.ts: message_originals': 'delete_account of the girl',
  'modules/messenger/vanishing/vanish-store.ts: changes messages': [
    'the guy lets her messages expire',
    'jobs',
  ],
  'modules/messenger/vanishing/vanish-store.ts: message_originals': ['jobs', 'rules'],
  'modules/messenger/vanishing/vanish.ts: removeUploads': 'the guy lets her messages expire',
  'modules/moderation/alarms/alarm-store.ts: changes complaints': {
    none: 'it notes when staff were alarmed',
  },
  'modules/moderation/complaints/complaint-store.ts: changes complaints': [
    'the complaint once more',
    'the complaint is raised',
    'the complaint is decided: no_violation',
  ],
  'modules/moderation/complaints/evidence-store.ts: changes evidence_files': [
    'outbox evidence_move',
    'the complaint is raised',
  ],
  'modules/moderation/complaints/evidence-store.ts: evidence_files': 'rules',
  'modules/moderation/complaints/evidence.ts: storage delete': [
    'outbox evidence_files',
    'outbox evidence_move',
  ],
  'modules/moderation/complaints/evidence.ts: storage put': [
    'outbox evidence_move',
    'outbox complaint_record',
  ],
  'modules/moderation/frames/frame-files.ts: storage delete': [
    'outbox call_frames',
    'delete_account of the girl',
    'rules',
  ],
  'modules/moderation/frames/frame-files.ts: storage put': { none: NEW_KEY },
  'modules/moderation/frames/frame-store.ts: call_frames': ['delete_account of the girl', 'rules'],
  'modules/moderation/sealed/sealed-store.ts: changes complaints': [
    'the case is held again',
    'the hold of the case ends',
  ],
  'modules/profile/avatar/avatar-commands.ts: removeUploads': [
    'another avatar',
    'the photo as avatar',
    'avatar/delete',
  ],
  'modules/profile/gallery/gallery-items.ts: removeUploads': 'gallery/media/delete',
  'modules/profile/gallery/store.ts: gallery_items': 'gallery/media/delete',
  'modules/verification/documents/store-documents.ts: storage delete': [
    'the documents of the girl are declined',
    'rules',
  ],
  'modules/verification/documents/store-documents.ts: storage put': { none: NEW_KEY },
  'modules/verification/store.ts: identity_checks': 'rules',
  'modules/verification/store.ts: identity_documents': [
    'the documents of the girl are declined',
    'delete_account of the girl',
    'rules',
  ],
  'platform/database/outbox.ts: outbox': 'rules',
  'platform/personal-data/erase-rows.ts: a table that is named elsewhere': [
    'delete_account of the guy',
    'delete_account of the girl',
  ],
  'platform/retention/retention-rule.ts: a table that is named elsewhere': 'rules',
}

/** Their tables hold neither evidence nor what it is copied from. */
export const PLACES_WITHOUT_EVIDENCE: readonly string[] = [
  'modules/billing/store.ts: payment_callbacks',
  'modules/blocks/store.ts: blocks',
  'modules/catalogue/store.ts: catalogue_girls',
  'modules/client-signals/signals-store.ts: client_signals',
  'modules/favourites/store.ts: favourites',
  'modules/logins/mail-links/former-emails-store.ts: former_emails',
  'modules/logins/second-factor/factors-store.ts: passkeys',
  'modules/logins/second-factor/factors-store.ts: spare_codes',
  'modules/logins/second-factor/factors-store.ts: totp_factors',
  'modules/matchmaking/store.ts: absences',
  'modules/media/checks/store.ts: known_pictures',
  'modules/messenger/entries/like-store.ts: likes',
  'modules/moderation/findings/face-store.ts: banned_faces',
  'modules/moderation/findings/face-store.ts: compared_portraits',
  'modules/notices/push-store.ts: push_subscriptions',
  'modules/reports/store.ts: report_hashes',
  'modules/notices/store.ts: arrivals',
  'modules/notices/store.ts: wanted_girls',
  'modules/profile/gallery/store.ts: gallery_likes',
  'modules/staff/claims-store.ts: staff_claims',
  'modules/staff/push-store.ts: staff_push',
  'modules/staff/store.ts: staff_links',
  'modules/staff/store.ts: staff_passkeys',
  'modules/verification/store.ts: identity_challenges',
  // A restore fills a new database; the former one keeps its name with a suffix.
  'platform/database/backup/restore.ts: staff_links',
  'platform/idempotency/answer-store.ts: idempotent_answers',
  'platform/process/process-store.ts: process_owners',
]

/** The proof runs each of them by name, whatever its table holds. */
export const RULES: readonly string[] = [
  ...['absences', 'account_deletions', 'age_proofs', 'answered_challenges', 'approvals'],
  ...['arrivals', 'balance_notices', 'bulk_acts', 'bulk_stops', 'call_flags'],
  ...['call_frames: in no case', 'call_media', 'camera_failures', 'changes', 'client_budgets'],
  ...['client_signals', 'compared_portraits', 'evidence_files: decided', 'evidence_holds'],
  ...['findings', 'former_emails', 'frame_findings', 'frame_views', 'free_messages'],
  ...['free_starts', 'given_likes', 'idempotent_answers', 'identity_challenges'],
  ...['identity_checks', 'identity_document_views', 'identity_documents: decided'],
  ...['identity_documents: unused', 'image_checks', 'invitations', 'job_periods'],
  ...['known_pictures', 'kyc_notices', 'logins', 'logins: unused for long', 'mail_budgets'],
  ...['mailed_links', 'masked_text_views', 'media: never sent', 'media: removed by staff'],
  ...['meetings', 'message_originals', 'missing_frames', 'notices', 'outbox'],
  ...['outbox: dead letters, call entry', 'outbox: dead letters, mail'],
  ...['outbox: dead letters, message push', 'outbox: dead letters, notice_mail'],
  ...['outbox: dead letters, push', 'outbox: dead letters, ring push', 'pairs'],
  ...['passed_captchas', 'payment_callbacks: without an order', 'penalty_pictures'],
  ...['profile_views', 'push_subscriptions', 'quality_events', 'quality_questions'],
  ...['quality_reports', 'quality_sessions', 'quota_devices', 'referral_visits', 'reports'],
  ...['session_logs', 'session_texts: unmasked originals', 'staff_alarms'],
  ...['staff_case_users', 'staff_claims', 'staff_links', 'staff_sessions'],
  ...['statement_texts', 'talks', 'translation_days', 'translation_uses'],
  ...['translations', 'users: empty tombstones', 'virtual_dates', 'wanted_girls'],
]

/** The proof runs each of them by name. */
export const JOBS: readonly string[] = [
  ...['audit head', 'audit verify', 'catalogue trials', 'complaints warn', 'evidence move'],
  ...['findings evasions', 'findings faces', 'guests clean', 'ledger check', 'media sweep'],
  ...['messages digest', 'messages vanish', 'notices digest', 'orders expire', 'pictures hash'],
  ...['premium ends', 'quality summaries', 'referrals pay', 'reports shown', 'reports warn'],
  ...['reports watch', 'staff looks'],
]

const SENDS = { none: 'it sends, and deletes nothing' } as const

/** The kinds of work after a commit. */
export const OUTBOX: Readonly<Record<string, Way>> = {
  'call entry': { none: 'it writes the entry of a call in a dialog' },
  call_frames: 'outbox call_frames',
  child_report_waits: SENDS,
  complaint_record: 'outbox complaint_record',
  delete_media_files: 'outbox delete_media_files',
  evidence_files: 'outbox evidence_files',
  evidence_move: 'outbox evidence_move',
  identity_files: 'the documents of the girl are declined',
  kyc_notice: { none: 'it reads an answer of the provider of checks' },
  mail: SENDS,
  'message push': SENDS,
  notice_mail: SENDS,
  push: SENDS,
  reported_picture_shown: SENDS,
  'ring push': SENDS,
  serious_complaint_waits: SENDS,
  staff_push: SENDS,
  wall_end_call: { none: 'it ends a call' },
}
