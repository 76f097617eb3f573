import type { OperatorCommand } from '../../core/module.ts'
import { pictureCommands } from './checks/commands.ts'
import { verdictNamed } from './photo-verdict.ts'
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
  ...pictureCommands,
}
