import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { dialogBetween, writeMessage } from '@duet/testkit/messenger.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { fileForm, pictureBytes } from '@duet/testkit/uploads.ts'
import { enforceRetention, retentionRules } from '../../../platform/retention/retention.ts'

interface Looked {
  readonly seal: string
  readonly files: readonly { kind: string; is_whole: boolean }[]
}

async function sendFrame(user: TestUser, product: string): Promise<void> {
  const { session_id, nonce } = await user.heard('frame_request')
  const fields = { session_id: String(session_id), nonce }
  const form = fileForm('image', await pictureBytes(320, 240), fields)
  const token = { 'user-access-token': String(user.user['fs_token']) }
  await user.post(`/upload/image/${product}`, form, token)
  user.forget()
}

const look = (testApp: TestApp, id: number) =>
  testApp.duet<Looked>('seal', 'show', id, '--as', 'olga')

/** Everything that two users and the jobs can delete. */
async function deleteAll(
  testApp: TestApp,
  { dialogId, photoId }: { dialogId: number; photoId: string },
  [boris, anna]: readonly [TestUser, TestUser],
): Promise<void> {
  for (const user of [boris, anna]) await user.act('CLEAN_DIALOG', { dialogId })
  await anna.post('gallery/media/delete', { id: photoId })
  for (const [user, password] of [
    [anna, 'anna-secret-1'],
    [boris, 'boris-secret-1'],
  ] as const)
    await user.post('delete_account', { password, confirm: true })
  await testApp.leap('337 h')
  await testApp.advance('5 min')
  await testApp.settle()
  const done = await testApp.app.db.selectFrom('account_deletions').select('state').execute()
  deepEqual(
    done.map(({ state }) => state),
    ['erased', 'erased'],
  )
  await testApp.leap('9600 h')
  for (const name of ['evidence move', 'complaints warn']) await testApp.app.jobs.run(name)
  await enforceRetention(testApp.app, retentionRules(testApp.running.modules))
  await testApp.settle()
}

story(
  'no deletion takes sealed evidence: dialogs, pictures, frames, accounts, retention',
  async ({ testApp, boris, anna }) => {
    const { app } = testApp
    const dialogId = await dialogBetween(anna, boris)
    await writeMessage(anna, dialogId, 'I am 15')
    const form = fileForm('media', await pictureBytes())
    const media_id = (await anna.post('v2/gallery/media/messenger', form)).media.id
    const random_id = randomUUID()
    await anna.act('MESSAGE', { dialogId, message: '', random_id, type: 'image', media_id })
    const shown = fileForm('image', await pictureBytes(400, 300))
    const photo = await anna.post('/upload/image/gallery', shown, {
      'user-access-token': String(anna.user['fs_token']),
    })
    const photoId = String(photo.id)
    const { session_id, connect, talk } = await inCall(testApp, { guy: boris, girl: anna })
    await connect()
    await talk(4)
    await sendFrame(anna, 'frame')
    const about = { session_id, media_id: photoId }
    const said = { reason: 'child', user_id: anna.id, comment: '', ...about } as const
    const { complaint_id } = await boris.act('TO_COMPLAIN', said)
    await sendFrame(boris, 'complaint')
    await sendFrame(anna, 'frame')
    await testApp.settle()
    const kinds = ['accused', 'complainer', 'frame', 'picture', 'picture', 'record']
    const before = await look(testApp, complaint_id)
    deepEqual(before.files.map(({ kind }) => kind).toSorted(), kinds)
    const decided = ['--decision', 'no_violation', '--comment', 'an adult'] as const
    await testApp.duet('complaints', 'decide', complaint_id, ...decided)
    await deleteAll(testApp, { dialogId, photoId }, [boris, anna])
    // The originals are gone.
    for (const id of [media_id, photoId])
      equal(await app.storage.get(`media/${id}/full.webp`), undefined)
    deepEqual(await app.db.selectFrom('call_frames').select('frame_id').execute(), [])
    const after = await look(testApp, complaint_id)
    equal(after.seal, before.seal)
    ok(after.files.every(({ is_whole }) => is_whole))
    equal(after.files.length, kinds.length)
  },
)
