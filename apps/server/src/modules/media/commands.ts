import { refuse } from '../../lib/refusal.ts'
import type { App } from '../../core/app.ts'
import type { OperatorCommand } from '../../core/module.ts'
import { tellUserInfo } from '../identity/index.ts'
import { isMediaId } from './queries.ts'

/** Staff's verdict on a picture that waits, or that is up. Saying it again changes nothing. */
async function decide(app: App, id: string, status: 'ready' | 'removed', reason: string | null) {
  if (!isMediaId(id)) refuse('not_found')
  return app.transact(async (tx) => {
    const media = await tx
      .updateTable('media')
      .set({ status, reason })
      .where('id', '=', id)
      .returning(['id', 'owner_id', 'status', 'reason'])
      .executeTakeFirst()
    if (!media) refuse('not_found')
    await tx.publish('member_updated', { user_id: media.owner_id })
    await tellUserInfo(tx, media.owner_id)
    return media
  })
}

export const commands: Readonly<Record<string, OperatorCommand>> = {
  'media approve': {
    args: 'ID',
    summary: 'Lets a picture be seen.',
    run: (app, { words: [id = ''] }) => decide(app, id, 'ready', null),
  },
  'media reject': {
    args: 'ID [--reason R]',
    summary: 'Takes a picture down.',
    run: (app, { words: [id = ''], options: { reason } }) =>
      decide(app, id, 'removed', typeof reason === 'string' ? reason : 'other'),
  },
}
