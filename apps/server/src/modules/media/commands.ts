import { resolve } from 'node:path'
import { PhotoVerdict } from '@duet/protocol/kernel/sanctions.ts'
import type { App } from '../../core/app.ts'
import type { CommandArguments, OperatorCommand } from '../../core/module.ts'
import { refuse } from '../../lib/refusal.ts'
import { operatorName } from '../../platform/operator/operator-name.ts'
import { shellActor } from '../audit/index.ts'
import { banPicture, importHashes } from './checks/known-pictures.ts'
import { lastChecks } from './checks/queries.ts'
import { pendingMedia } from './queries.ts'
import { auditReview, reviewMedia } from './review-media.ts'

const LISTED_MAX = 100

function review(app: App, given: CommandArguments, reason: string | null) {
  const [id = ''] = given.words
  const status = reason === null ? 'ready' : 'removed'
  const actor = shellActor(given)
  const verdict = { id, status, reason, by: operatorName(given), actor } as const
  return reviewMedia(app, verdict, async (tx, media) => {
    if (media) await auditReview(tx, actor, media, { reason })
  })
}

export const commands: Readonly<Record<string, OperatorCommand>> = {
  'media list': {
    args: '',
    summary: `Pictures that wait for review, the oldest ${LISTED_MAX}.`,
    run: (app) => pendingMedia(app.db, LISTED_MAX),
  },
  'media approve': {
    args: 'ID [--as NAME]',
    summary: 'Makes a picture visible.',
    run: (app, given) => review(app, given, null),
  },
  'media reject': {
    args: 'ID [--reason R] [--as NAME]',
    summary: 'Removes a picture from view.',
    run: (app, given) => review(app, given, verdictNamed(given.options.reason ?? 'other')),
  },
  'pictures ban': {
    args: 'MEDIA_ID [--reason R] [--as NAME]',
    summary: 'Refuses the picture of an upload from all users from now on.',
    run: (app, given) =>
      banPicture(
        app,
        given.words[0] ?? '',
        verdictNamed(given.options.reason ?? 'known_image'),
        shellActor(given),
      ),
  },
  'pictures import': {
    args: 'FILE [--reason R] [--list NAME] [--as NAME]',
    summary: 'Refuses the pictures of a list of PDQ hashes, one in each line.',
    run: (app, given) => {
      const { reason = 'known_image', list } = given.options
      return importHashes(app, resolve(given.cwd, given.words[0] ?? ''), {
        reason: verdictNamed(reason),
        staff: shellActor(given),
        ...(typeof list === 'string' && { list }),
      })
    },
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
