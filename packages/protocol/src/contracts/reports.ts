import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { listAnswer, PageQuery } from '../kernel/envelope.ts'
import { limits } from '../kernel/limits.ts'
import { LocaleName } from '../kernel/locale-schemas.ts'
import { authorityRequests, reportReasons } from '../kernel/report-choices.ts'
import {
  boundedText,
  Count,
  Id,
  Month,
  notes,
  nothing,
  QueryId,
  Time,
  Uuid,
} from '../kernel/primitives.ts'
import { Claim, DeskPerson } from './staff-desk.ts'
import { office, Reason } from './staff.ts'

/**
 * The public forms: everyone may report content, an intimate picture of themselves, or write as an
 * authority, without an account. An intimate picture is reported by TO_COMPLAIN, too.
 */

export const reportKinds = ['intimate_image', 'content', 'authority'] as const
export const ReportKind = z.enum(reportKinds)
export type ReportKind = z.output<typeof ReportKind>

export const ReportDecision = z.enum(['upheld', 'rejected'])
export type ReportDecision = z.output<typeof ReportDecision>

/**
 * The secret of the state page, which the page draws itself: a form that is sent twice is one report. The server keeps its
 * hash only.
 */
const Secret = z
  .string()
  .regex(/^[\w-]{43}$/)
  .register(notes, { examples: ['Ab'.padEnd(43, '0')] })
const Contact = z.string().min(3).max(limits.email_characters)
/** Of every form; `locale`: the language of the page, in which the mails and their links are. */
const Form = z.object({ secret: Secret, contact: Contact, locale: LocaleName.optional() })
const Where = boundedText(limits.url_characters, 1)
const Name = boundedText(limits.title_characters, 2)
const Text = boundedText(limits.comment_characters)
const NeededText = boundedText(limits.comment_characters, 1)

const ReportFacts = z.object({
  receipt: z.string(),
  kind: ReportKind,
  create_time: Time,
  answer_until: Time,
  decided_at: Time.nullable(),
  decision: ReportDecision.nullable(),
})
const Receipt = ReportFacts.pick({ receipt: true, answer_until: true })

export const ReportState = ReportFacts.extend({
  /** The words of staff; empty for a decision by the clock. */
  answer: z.string(),
  /** Copies of the picture that are out of view. */
  pictures: Count,
  /** Copies that everybody sees until a person decides. */
  shown: Count,
  /** The picture cannot be uploaded any more. */
  refused_again: z.boolean(),
})
export type ReportState = z.output<typeof ReportState>

const StaffReport = ReportFacts.extend({
  id: Id,
  reason: z.string(),
  /** The complaint inside the product with which the picture was reported. Null: a public form. */
  complaint_id: Id.nullable(),
  decided_by: z.string(),
  claim: Claim.nullable(),
})
export type StaffReport = z.output<typeof StaffReport>

const StaffReportDetail = StaffReport.extend({
  contact: z.string(),
  where: z.string(),
  text: z.string(),
  /** The signature, or the authority and its officer. */
  signature: z.string(),
  reference: z.string(),
  /** The language in which the reporter reads the answer. */
  locale: LocaleName.nullable(),
  /** The public holidays between report and answer, which its business days leave out. */
  holidays: z.array(z.string()),
  answer: z.string(),
  /** A picture came with the report, of which only the hash is kept. */
  has_hash: z.boolean(),
  /** The members that it names: by the address of a page or picture, an id, or a nickname that one member has. */
  named: z.array(DeskPerson),
  pictures: z.array(
    z.object({ media_id: z.string(), owner_id: Id.nullable(), status: z.string().nullable() }),
  ),
})

export const ReportNumbers = z.object({
  month: Month,
  kinds: z.array(
    z.object({
      kind: ReportKind,
      received: Count,
      upheld: Count,
      rejected: Count,
      open: Count,
      /** Decided after the promised time, or not yet and the time is over. */
      late: Count,
      /** Between report and decision; null without a decision. */
      median_hours: z.number().nullable(),
      pictures: Count,
    }),
  ),
})
export type ReportNumbers = z.output<typeof ReportNumbers>

export const actions = {}
export const events = {}

const publicForms = {
  'POST reports/intimate-image': endpoint('POST', 'reports/intimate-image', {
    summary:
      'Reports an intimate picture of the reporter, without login: copies are hidden at once, but for portraits that staff approved and for very many named pictures, and the report is answered within 48 hours. Of the picture only the hash is kept.',
    who: 'any',
    banned: true,
    rate: '20/hour',
    takes: 'multipart',
    upload: 'pictures',
    files: ['image'],
    body: Form.extend({
      where: Where,
      text: Text.optional(),
      signature: Name,
    }),
    data: Receipt,
    refuses: ['captcha_required', 'email_invalid', 'key_reused'],
  }),
  'POST reports/content': endpoint('POST', 'reports/content', {
    summary:
      'Reports content against the law or the rules, without login; answered within 7 business days.',
    who: 'any',
    banned: true,
    rate: '20/hour',
    body: Form.extend({
      where: Where,
      reason: z.enum(reportReasons),
      text: NeededText,
    }),
    data: Receipt,
    refuses: ['captcha_required', 'email_invalid', 'key_reused'],
  }),
  'POST reports/authority': endpoint('POST', 'reports/authority', {
    summary: 'A letter of an authority, without login; answered within 7 business days.',
    who: 'any',
    banned: true,
    rate: '20/hour',
    body: Form.extend({
      authority: Name,
      officer: Name,
      request: z.enum(authorityRequests),
      reference: boundedText(limits.title_characters),
      text: NeededText,
    }),
    data: Receipt,
    refuses: ['captcha_required', 'email_invalid', 'key_reused'],
  }),
  'POST reports/state': endpoint('POST', 'reports/state', {
    summary: 'The state of a report, by the secret of its link.',
    who: 'any',
    banned: true,
    rate: '60/min',
    body: z.object({ secret: Secret }),
    data: ReportState,
    refuses: ['not_found'],
  }),
}

const staffEndpoints = {
  'GET v2/manager/reports': endpoint('GET', 'v2/manager/reports', {
    summary:
      'Reports of the public forms: those that wait, the first to be answered first, or the decided ones, the newest first.',
    who: 'moderator',
    ...office,
    query: PageQuery.extend({ state: z.enum(['open', 'decided']).default('open') }),
    data: listAnswer(StaffReport),
    refuses: [],
  }),
  'GET v2/manager/reports/{id}': endpoint('GET', 'v2/manager/reports/{id}', {
    summary:
      'One report with its contact, text and the pictures it is about. Letters of authorities are for managers.',
    who: 'moderator',
    ...office,
    query: z.object({ id: QueryId }),
    data: StaffReportDetail,
    refuses: ['not_found', 'role_forbidden'],
  }),
  'GET v2/manager/reports/{id}/pictures/{media_id}': endpoint(
    'GET',
    'v2/manager/reports/{id}/pictures/{media_id}',
    {
      summary:
        'A picture that a report is about, with the name of its viewer. The look is recorded.',
      who: 'moderator',
      ...office,
      query: z.object({ id: QueryId, media_id: Uuid }),
      data: z.object({}),
      gives: 'raw',
      refuses: ['not_found', 'role_forbidden'],
    },
  ),
  'POST v2/manager/reports/{id}/decide': endpoint('POST', 'v2/manager/reports/{id}/decide', {
    summary:
      'Decides a report once and tells the reporter. Upheld, the pictures of a report are removed and refused; rejected, they are shown again.',
    who: 'moderator',
    ...office,
    query: z.object({ id: QueryId }),
    body: z.object({ decision: ReportDecision, answer: Reason }),
    data: nothing,
    refuses: ['not_found', 'role_forbidden', 'claimed', 'decided', 'bulk_stopped'],
  }),
  'GET v2/manager/report-numbers': endpoint('GET', 'v2/manager/report-numbers', {
    summary: 'The numbers of a month for the public report.',
    who: 'manager',
    ...office,
    query: z.object({ month: Month }),
    data: ReportNumbers,
    refuses: [],
  }),
}

export const endpoints = { ...publicForms, ...staffEndpoints }
