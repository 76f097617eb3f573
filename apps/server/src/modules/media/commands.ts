import type { OperatorCommand } from '../../core/module.ts'
import { reviewMedia } from './review-media.ts'

export const commands: Readonly<Record<string, OperatorCommand>> = {
  'media approve': {
    args: 'ID',
    summary: 'Makes a picture visible.',
    run: (app, { words: [id = ''] }) => reviewMedia(app, id, 'ready', null),
  },
  'media reject': {
    args: 'ID [--reason R]',
    summary: 'Removes a picture from view.',
    run: (app, { words: [id = ''], options: { reason } }) =>
      reviewMedia(app, id, 'removed', typeof reason === 'string' ? reason : 'other'),
  },
}
