import { createHmac } from 'node:crypto'
import type { Answer, Body } from '@duet/protocol'
import type { ReportKind } from '@duet/protocol/contracts/reports.ts'
import { FALLBACK_LOCALE } from '@duet/protocol/kernel/locales.ts'
import type { App, Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Viewer } from '../../core/viewer.ts'
import type { PictureHashes } from '../../integrations/images/picture-hash.ts'
import { productDay, wireTime } from '../../lib/clock.ts'
import { refuse } from '../../lib/refusal.ts'
import { userById } from '../identity/index.ts'
import { emailRefusal } from '../logins/index.ts'
import { enqueueMail } from '../mail/index.ts'
import { addListedPictures, REPORTED_REASON } from '../media/index.ts'
import type { ComplainedPicture, FilePicture } from '../moderation/index.ts'
import { setting } from '../settings/index.ts'
import { hideCopies } from './picture-watch.ts'
import { reportBySecret } from './queries.ts'
import { findPictures, type FoundPictures } from './find-pictures.ts'
import { isOneOfFirst, limitReports } from './report-limits.ts'
import { answerUntil, hashOfSecret, isUrgent, namedUploads, createReceipt } from './rules.ts'
import { type ReportWords, sealWords, wordsKey } from './sealed-words.ts'
import { idsOfNamed } from './show-report.ts'
import { addHashes, insertReport, type ReportRow } from './store.ts'

interface FiledReport {
  readonly kind: ReportKind
  readonly secret: string
  readonly reason: string
  readonly words: ReportWords
  /** The language of the form. */
  readonly locale: string | undefined
}

type Receipt = Answer<'POST reports/content'>
interface FormRequest {
  readonly viewer: Viewer
  readonly context: RequestContext
}
interface ReportFindings extends FoundPictures {
  readonly stands_back: boolean
  /** The complaint of which the report is a part, and its member. */
  readonly complaint_id: number | null
  readonly reporter_id: UserId | null
}

/** POST reports/content. Refuses captcha_required, email_invalid, key_reused. */
export function reportContent(
  app: App,
  viewer: Viewer,
  { secret, contact, locale, where, reason, text }: Body<'POST reports/content'>,
  context: RequestContext,
): Promise<Receipt> {
  const words = { contact, where, text, signature: '', reference: '' }
  return file(app, { kind: 'content', secret, reason, words, locale }, { viewer, context })
}

/** POST reports/authority. Refuses captcha_required, email_invalid, key_reused. */
export function reportAsAuthority(
  app: App,
  viewer: Viewer,
  {
    secret,
    contact,
    locale,
    authority,
    officer,
    request,
    reference,
    text,
  }: Body<'POST reports/authority'>,
  context: RequestContext,
): Promise<Receipt> {
  const words = { contact, where: '', text, signature: `${authority}, ${officer}`, reference }
  return file(
    app,
    { kind: 'authority', secret, reason: request, words, locale },
    { viewer, context },
  )
}

/**
 * POST reports/intimate-image. A picture is hashed and not kept. Copies are hidden in the transaction of the report, and
 * further uploads of the picture are refused from then on. Refuses captcha_required, email_invalid, key_reused, wrong_type.
 */
export async function reportIntimateImage(
  app: App,
  viewer: Viewer,
  { secret, contact, locale, where, text = '', signature }: Body<'POST reports/intimate-image'>,
  context: RequestContext,
): Promise<Receipt> {
  const words = { contact, where, text, signature, reference: '' }
  const report = { kind: 'intimate_image', secret, reason: REPORTED_REASON, words, locale } as const
  return file(app, report, { viewer, context })
}

async function file(app: App, report: FiledReport, request: FormRequest): Promise<Receipt> {
  const { kind, words } = report
  const refusal = emailRefusal(words.contact)
  if (refusal) refuse(refusal)
  const repeated = await findRepeated(app, report)
  if (repeated) return repeated
  await limitReports(app, kind, request)
  const isPicture = kind === 'intimate_image'
  const named = isPicture ? namedUploads(words.where) : []
  const found = await findPictures(app, named, { ...request, has_picture: isPicture })
  const stands_back = await standsBack(app, report, request.context)
  const locale = report.locale ?? ownLocale(request.viewer)
  const added = await app.transact((tx) =>
    storeReport(
      tx,
      { ...report, locale },
      { ...found, stands_back, complaint_id: null, reporter_id: null },
    ),
  )
  // The same form at the same time.
  return added ?? (await findRepeated(app, report)) ?? refuse('key_reused')
}

/** An urgent form that anybody could send many times: it must not push the others down. */
async function standsBack(
  app: App,
  { kind, reason, words }: FiledReport,
  context: RequestContext,
): Promise<boolean> {
  if (kind !== 'content' || !isUrgent(reason)) return false
  const isKnown = (await idsOfNamed(app.db, words.where)).length > 0
  return !isKnown || !(await isOneOfFirst(app, context))
}

/** Writes the report, and hides what it is about. Undefined: its secret has a report already. */
async function storeReport(
  tx: Tx,
  report: FiledReport & { readonly locale: string },
  { hashes, ...marks }: ReportFindings,
): Promise<Receipt | undefined> {
  const { app } = tx
  const { kind, secret, words, reason, locale } = report
  const row = await insertReport(tx, {
    kind,
    receipt: createReceipt(secret),
    secret_hash: hashOfSecret(secret),
    content_hash: hashOfContent(app, report),
    reporter_hash: hashOfReporter(app, words.contact || `secret ${secret}`),
    sealed: sealWords(app, words),
    reason,
    locale,
    filed_at: tx.now,
    answer_until: answerUntil(report, tx.now, setting(app, 'public_holidays')),
    ...marks,
  })
  if (!row) return undefined
  if (kind === 'intimate_image') await act(tx, row, hashes)
  await mailReceipt(tx, row, report)
  return toReceipt(row)
}

/**
 * A complaint inside the product about an intimate picture is a report like that of the public form, with the same limits. A
 * reporter has one report of a picture: its secret is computed, so that a repeat gets the same. Refuses captcha_required.
 */
export async function reportComplained(
  app: App,
  { viewer, context, media_id, comment }: ComplainedPicture,
): Promise<FilePicture> {
  const secret = createSecret(app, media_id, viewer.id)
  const former = await reportBySecret(app.db, hashOfSecret(secret))
  if (former) return async () => ({ ...toReceipt(former), secret })
  const request = { viewer, context }
  await limitReports(app, 'intimate_image', request)
  const found = await findPictures(app, [media_id], { ...request, has_picture: false })
  const user = viewer.kind === 'member' ? await userById(app.db, viewer.id) : undefined
  const words: ReportWords = {
    // The link of the receipt is for the reporter only.
    contact: (user?.email_confirmed_at && user.email) || '',
    where: `/media/${media_id}/full`,
    text: comment,
    signature: '',
    reference: '',
  }
  const report = { kind: 'intimate_image', secret, reason: REPORTED_REASON, words } as const
  return async (tx, complaint_id) => {
    const named = { ...report, locale: viewer.locale }
    const marks = { stands_back: false, complaint_id, reporter_id: viewer.id }
    const stored = await storeReport(tx, named, { ...found, ...marks })
    // The same complaint at the same time.
    const row = stored ? undefined : await reportBySecret(tx, hashOfSecret(secret))
    return { ...(stored ?? toReceipt(row!)), secret }
  }
}

function createSecret(app: App, media_id: string, reporterId: UserId): string {
  return createHmac('sha256', wordsKey(app))
    .update(`picture ${media_id} of reporter ${reporterId}`)
    .digest('base64url')
}

/** The receipt of a form that was sent before. Refuses key_reused for other words with the same secret. */
async function findRepeated(app: App, report: FiledReport): Promise<Receipt | undefined> {
  const former = await reportBySecret(app.db, hashOfSecret(report.secret))
  if (!former) return undefined
  if (!former.content_hash.equals(hashOfContent(app, report))) refuse('key_reused')
  return toReceipt(former)
}

function hashOfContent(app: App, { kind, reason, words }: FiledReport): Buffer {
  return createHmac('sha256', wordsKey(app))
    .update(JSON.stringify([kind, reason, words]))
    .digest()
}

/** The same for all reports of a contact; a secret of a reporter without a contact stands for that report only. */
function hashOfReporter(app: App, contact: string): Buffer {
  return createHmac('sha256', wordsKey(app))
    .update(`reporter ${contact.trim().toLowerCase()}`)
    .digest()
}

function toReceipt({ receipt, answer_until }: ReportRow): Receipt {
  return { receipt, answer_until: wireTime(answer_until) }
}

/** For a client that does not name the language of its form. */
function ownLocale(viewer: Viewer): string {
  return viewer.kind === 'none' ? FALLBACK_LOCALE : viewer.locale
}

async function act(tx: Tx, report: ReportRow, hashes: readonly PictureHashes[]): Promise<void> {
  const { report_id } = report
  await addHashes(tx, report_id, hashes)
  if (hashes.length > 0 && !report.copies_wait) {
    const listed = { reason: REPORTED_REASON, list: `report ${report_id}` }
    await addListedPictures(
      tx,
      hashes.map(({ hash }) => hash),
      listed,
    )
  }
  await hideCopies(tx, report)
}

async function mailReceipt(
  tx: Tx,
  { report_id, receipt, locale, answer_until }: ReportRow,
  { secret, words }: FiledReport,
): Promise<void> {
  if (words.contact === '') return
  await enqueueMail(tx, {
    to: words.contact,
    locale,
    template: 'report_receipt',
    values: {
      receipt,
      day: productDay(answer_until).toString(),
      link: `/${locale}/report/state#${secret}`,
    },
    key: `report:${report_id}:receipt`,
  })
}
