import { PhotoVerdict } from '@duet/protocol/kernel/sanctions.ts'
import type { OperatorCommand } from '../../core/module.ts'
import { refuse } from '../../lib/refusal.ts'
import { pendingMedia } from './queries.ts'
import { reviewMedia } from './review-media.ts'

const LISTED_MAX = 100

export const commands: Readonly<Record<string, OperatorCommand>> = {
  'media list': {
    args: '',
    summary: `Pictures that wait for review, the oldest ${LISTED_MAX}.`,
    run: (app) => pendingMedia(app.db, LISTED_MAX),
  },
  'media approve': {
    args: 'ID',
    summary: 'Makes a picture visible.',
    run: (app, { words: [id = ''] }) => reviewMedia(app, id, 'ready', null),
  },
  'media reject': {
    args: 'ID [--reason R]',
    summary: 'Removes a picture from view.',
    run: (app, { words: [id = ''], options: { reason = 'other' } }) =>
      reviewMedia(app, id, 'removed', verdictOf(reason)),
  },
}

function verdictOf(reason: string | true): string {
  const verdict = PhotoVerdict.safeParse(reason)
  if (verdict.success) return verdict.data
  const message = `The reason is one of ${PhotoVerdict.options.join(', ')}`
  return refuse('invalid', { fields: [{ path: 'reason', message }] })
}
