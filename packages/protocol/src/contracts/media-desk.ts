import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { listAnswer, PageQuery } from '../kernel/envelope.ts'
import { limits } from '../kernel/limits.ts'
import { Count, nothing, QueryId, Time, Uuid } from '../kernel/primitives.ts'
import { PhotoVerdict } from '../kernel/sanctions.ts'
import { Claim, DeskPerson, DeskQueue } from './staff-desk.ts'

/** The desk of pictures and videos. */

const desk = { who: 'moderator', credential: 'staff' } as const
const ById = z.object({ id: Uuid })
/** The text that the owner reads in the statement about the verdict. */
const VerdictText = z.string().max(limits.comment_characters).optional()

export const DeskPhoto = z.object({
  id: Uuid,
  user: DeskPerson,
  product: z.string(),
  kind: z.enum(['photo', 'video']),
  width: Count,
  height: Count,
  /** The score of the check, from 0 to 1; null: no check has judged it. */
  nudity: z.number().nullable(),
  status: z.string(),
  reason: z.string().nullable(),
  create_time: Time,
  claim: Claim.nullable(),
})
export type DeskPhoto = z.output<typeof DeskPhoto>

/** An upload on the page of its owner. */
export const PersonPicture = DeskPhoto.omit({ user: true, claim: true })
export type PersonPicture = z.output<typeof PersonPicture>

const ByPerson = z.object({ id: QueryId, media_id: Uuid })

const ofPerson = {
  'GET v2/manager/users/{id}/pictures': endpoint('GET', 'v2/manager/users/{id}/pictures', {
    summary:
      'The avatars, pictures and videos of a person, the newest first. Those that a report hides are with the report.',
    ...desk,
    query: PageQuery.extend({ id: QueryId }),
    data: listAnswer(PersonPicture),
    refuses: ['not_found'],
  }),
  'GET v2/manager/users/{id}/pictures/{media_id}/picture': endpoint(
    'GET',
    'v2/manager/users/{id}/pictures/{media_id}/picture',
    {
      summary:
        'One of them, or the still of a video, with the name of the viewer. The look is recorded before it is read.',
      ...desk,
      query: ByPerson,
      data: z.object({}),
      gives: 'raw',
      refuses: ['not_found', 'role_forbidden'],
    },
  ),
  'GET v2/manager/users/{id}/pictures/{media_id}/video': endpoint(
    'GET',
    'v2/manager/users/{id}/pictures/{media_id}/video',
    {
      summary: 'A video, whole or in parts. The look is recorded before it is read.',
      ...desk,
      query: ByPerson,
      data: z.object({}),
      gives: 'raw',
      refuses: ['not_found', 'role_forbidden'],
    },
  ),
  'POST v2/manager/users/{id}/pictures/{media_id}/remove': endpoint(
    'POST',
    'v2/manager/users/{id}/pictures/{media_id}/remove',
    {
      summary: 'Removes a visible picture or video with a verdict: its owner is told.',
      ...desk,
      query: ByPerson,
      body: z.object({ verdict: PhotoVerdict, reason: VerdictText }),
      data: nothing,
      refuses: ['not_found', 'role_forbidden', 'decided', 'bulk_stopped'],
    },
  ),
}

export const endpoints = {
  ...ofPerson,
  'GET v2/manager/photos': endpoint('GET', 'v2/manager/photos', {
    summary:
      'Pictures and videos that wait for review, the oldest first; or the latest decided ones.',
    ...desk,
    query: DeskQueue,
    data: listAnswer(DeskPhoto),
    refuses: [],
  }),
  'GET v2/manager/photos/{id}/tile': endpoint('GET', 'v2/manager/photos/{id}/tile', {
    summary: 'A picture of the desk, small and blurred: no face is seen, and it is no look.',
    ...desk,
    query: ById,
    data: z.object({}),
    gives: 'raw',
    refuses: ['not_found'],
  }),
  'GET v2/manager/photos/{id}/picture': endpoint('GET', 'v2/manager/photos/{id}/picture', {
    summary:
      'A picture of the desk, or the still of a video, with the name of the viewer. The look is recorded before it is read.',
    ...desk,
    query: ById,
    data: z.object({}),
    gives: 'raw',
    refuses: ['not_found', 'role_forbidden'],
  }),
  'GET v2/manager/photos/{id}/video': endpoint('GET', 'v2/manager/photos/{id}/video', {
    summary: 'A video of the desk, whole or in parts. The look is recorded before it is read.',
    ...desk,
    query: ById,
    data: z.object({}),
    gives: 'raw',
    refuses: ['not_found', 'role_forbidden'],
  }),
  'POST v2/manager/photos/{id}/decide': endpoint('POST', 'v2/manager/photos/{id}/decide', {
    summary: 'Approves a picture, or removes it with a verdict: its owner is told.',
    ...desk,
    query: ById,
    body: z.object({
      approve: z.boolean(),
      verdict: PhotoVerdict.optional(),
      reason: VerdictText,
    }),
    data: nothing,
    refuses: ['not_found', 'role_forbidden', 'claimed', 'decided', 'bulk_stopped'],
  }),
}
