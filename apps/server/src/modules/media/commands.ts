import { resolve } from 'node:path'
import { PhotoVerdict } from '@duet/protocol/kernel/sanctions.ts'
import type { OperatorCommand } from '../../core/module.ts'
import { refuse } from '../../lib/refusal.ts'
import { banPicture, importHashes } from './checks/known-pictures.ts'
import { lastChecks } from './checks/queries.ts'
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
      reviewMedia(app, id, 'removed', verdictNamed(reason)),
  },
  'pictures ban': {
    args: 'MEDIA_ID [--reason R]',
    summary: 'Refuses the picture of an upload from all users from now on.',
    run: (app, { words: [id = ''], options: { reason = 'known_image' } }) =>
      banPicture(app, id, verdictNamed(reason)),
  },
  'pictures import': {
    args: 'FILE [--reason R] [--list NAME]',
    summary: 'Refuses the pictures of a list of PDQ hashes, one in each line.',
    run: (app, { words: [file = ''], options: { reason = 'known_image', list }, cwd }) =>
      importHashes(app, resolve(cwd, file), {
        reason: verdictNamed(reason),
        ...(typeof list === 'string' && { list }),
      }),
  },
  'pictures checks': {
    args: '',
    summary: `What the checks found in the last ${LISTED_MAX} uploads.`,
    run: (app) => lastChecks(app.db, LISTED_MAX),
  },
}

/** The verdict that an operator names. Refuses invalid. */
function verdictNamed(reason: string | true): string {
  const verdict = PhotoVerdict.safeParse(reason)
  if (verdict.success) return verdict.data
  const message = `The reason is one of ${PhotoVerdict.options.join(', ')}`
  return refuse('invalid', { fields: [{ path: 'reason', message }] })
}
