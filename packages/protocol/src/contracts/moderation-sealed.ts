import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { listAnswer, PageQuery } from '../kernel/envelope.ts'
import { limits } from '../kernel/limits.ts'
import { boundedText, Count, Id, nothing, QueryId, Time } from '../kernel/primitives.ts'
import { ApprovalState } from './approvals.ts'
import { DeskPerson } from './staff-desk.ts'

/** Sealed evidence in the back office: its facts, its export by two people, and the hold of its case. */

const desk = { who: 'manager', credential: 'staff' } as const
const ById = z.object({ id: QueryId })
const Reason = z.object({ reason: boundedText(limits.seal_reason_characters, 1) })

export const SealedCase = z.object({
  id: Id,
  reason: z.string(),
  is_panic: z.boolean(),
  accused: DeskPerson,
  create_time: Time,
  decided_at: Time.nullable(),
  files: Count,
  /** SHA-256 over the hashes of all files; null: no file. */
  seal: z.string().nullable(),
  /** The data of the accused are kept from every deletion. */
  held: z.boolean(),
})
export type SealedCase = z.output<typeof SealedCase>

export const SealedExport = z.object({
  id: Id,
  reason: z.string(),
  asked_by: z.string(),
  asked_at: Time,
  allowed_by: z.string().nullable(),
  used_at: Time.nullable(),
  state: ApprovalState,
})
export type SealedExport = z.output<typeof SealedExport>

const SEALED = 'v2/manager/sealed'
export const endpoints = {
  'GET v2/manager/sealed': endpoint('GET', SEALED, {
    summary: 'The cases with sealed evidence, the newest first.',
    ...desk,
    query: PageQuery,
    data: listAnswer(SealedCase),
    refuses: [],
  }),
  'GET v2/manager/sealed/{id}': endpoint('GET', `${SEALED}/{id}`, {
    summary: 'A sealed case with the hashes of its files and its exports. The look is audited.',
    ...desk,
    query: ById,
    data: z.object({
      case: SealedCase,
      files: z.array(
        z.object({
          kind: z.string(),
          source: z.string(),
          sha256: z.string(),
          bytes: Count,
          at: Time,
          /** The file is there and has its hash. */
          whole: z.boolean(),
        }),
      ),
      exports: z.array(SealedExport),
    }),
    refuses: ['not_found'],
  }),
  'POST v2/manager/sealed/{id}/exports': endpoint('POST', `${SEALED}/{id}/exports`, {
    summary:
      'Asks for an export, which another person must allow within a day. A repeat gives the open request, the number of an approval.',
    ...desk,
    query: ById,
    body: Reason,
    data: z.object({ export_id: Id }),
    refuses: ['not_found', 'role_forbidden', 'second_factor'],
  }),
  'GET v2/manager/sealed/{id}/exports/{export_id}/files': endpoint(
    'GET',
    `${SEALED}/{id}/exports/{export_id}/files`,
    {
      summary:
        'The allowed export as a zip file with a manifest, once, for the person who asked for it, within a day.',
      ...desk,
      query: ById.extend({ export_id: QueryId }),
      data: nothing,
      gives: 'raw',
      refuses: ['not_found', 'role_forbidden', 'second_factor'],
    },
  ),
  'POST v2/manager/sealed/{id}/hold': endpoint('POST', `${SEALED}/{id}/hold`, {
    summary:
      'Keeps the data of the accused from every deletion, or ends that after the decision. The sealed evidence stays.',
    ...desk,
    query: ById,
    body: Reason.extend({ held: z.boolean() }),
    data: nothing,
    refuses: ['not_found', 'role_forbidden', 'second_factor'],
  }),
}
