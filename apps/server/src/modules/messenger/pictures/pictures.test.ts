import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Message, Payload } from '@duet/protocol'
import { dialogBetween, picture, writeMessage } from '@duet/testkit/messenger.ts'
import { refusedFields } from '@duet/testkit/refused-fields.ts'
import { story, together, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { fileForm, patternBytes, pictureBytes, uploadImage } from '@duet/testkit/uploads.ts'
import { media } from '../../media/index.ts'

async function upload(user: TestUser, bytes?: Uint8Array): Promise<string> {
  const form = fileForm('media', bytes ?? (await pictureBytes()))
  return (await user.post('v2/gallery/media/messenger', form)).media.id
}

const pictureMessage = (dialogId: number, media_id: string, random_id: string = randomUUID()) => ({
  dialogId,
  message: '',
  random_id,
  type: 'image',
  media_id,
})
const sendPicture = (user: TestUser, ...of: Parameters<typeof pictureMessage>) =>
  user.act('MESSAGE', pictureMessage(...of))

/** A girl and a guy with a dialog that she opened, and one picture of hers in it. */
async function withPicture(girl: TestUser, guy: TestUser) {
  const dialogId = await dialogBetween(girl, guy)
  const media_id = await upload(girl)
  const { message_id } = await sendPicture(girl, dialogId, media_id)
  return { dialogId, media_id, message_id }
}

const fetchMessages = async (user: TestUser, dialogId: number): Promise<Message[]> =>
  (await user.act('GET_DIALOG_MESSAGES', { dialogId })).messages
const fetchLast = async (user: TestUser, dialogId: number): Promise<Message> =>
  (await fetchMessages(user, dialogId)).at(-1)!
const findStatus = async (testApp: TestApp, url: string | null | undefined): Promise<number> =>
  url ? (await fetch(`${testApp.origin}${url}`)).status : 0
const fetchUrls = async (user: TestUser, id: string): Promise<string[]> =>
  (await user.post('media/urls', { ids: [id] })).urls.map(({ url }) => url)
const getPicture = ({ app }: TestApp, id: string) =>
  app.db
    .selectFrom('media')
    .select(['status', 'blurred_id'])
    .where('id', '=', id)
    .executeTakeFirst()

story(
  'a picture of a dialog is opened by its two and by no other user',
  async ({ testApp, boris, carl, anna, vera }) => {
    const { dialogId, media_id, message_id } = await withPicture(anna, boris)
    const got = await boris.heard('messenger_message', {}, { times: 1 })
    deepEqual(
      [got.message.type, got.message.message, got.message.message_id, picture(got.message)?.status],
      ['image', '', message_id, 'ready'],
    )
    const addresses: string[] = []
    for (const user of [boris, anna]) {
      const message = await fetchLast(user, dialogId)
      const media = picture(message)
      deepEqual(
        [message.type, media!.id, media!.locked, media!.width],
        ['image', media_id, false, 60],
      )
      for (const { url } of media!.variants!) equal(await findStatus(testApp, url), 200)
      equal(await findStatus(testApp, media!.url), 200)
      equal((await fetchUrls(user, media_id)).length, 1)
      const [dialog] = (await user.act('GET_DIALOGS', {})).dialogs
      equal(picture(dialog!.last_message)?.id, media_id)
      addresses.push(media!.url!)
    }
    for (const user of [carl, vera]) {
      deepEqual(await fetchUrls(user, media_id), [])
      for (const address of addresses) {
        const own = address.replace(/viewer=[^&]+/, `viewer=${user.id}`)
        equal(await findStatus(testApp, own), 404)
      }
    }
    const { blurred_id } = (await getPicture(testApp, media_id))!
    equal(await findStatus(testApp, `/media/${blurred_id}/blur`), 404)
  },
)

story(
  'a picture that is cleaned from a view is not opened by that user any more',
  async ({ testApp, boris, anna }) => {
    const { dialogId, media_id } = await withPicture(anna, boris)
    const his = picture(await fetchLast(boris, dialogId))!.url
    const hers = picture(await fetchLast(anna, dialogId))!.url
    await boris.act('CLEAN_DIALOG', { dialogId })
    equal(await findStatus(testApp, his), 404)
    deepEqual(await fetchUrls(boris, media_id), [])
    equal(await findStatus(testApp, hers), 200)
    await anna.act('DELETE_DIALOG', { dialogId })
    equal(await findStatus(testApp, hers), 404)
    const changes = (await boris.act('GET_CHANGES', { since: 0 })).changes
    ok(!JSON.stringify(changes).includes(media_id))
  },
)

async function withdrawAge({ app }: TestApp, { id }: TestUser): Promise<void> {
  await app.transact(async (tx) => {
    await tx.updateTable('users').set({ age_confirmed_at: null }).where('id', '=', id).execute()
    await tx.publish('member_updated', { user_id: id })
  })
}

story('a reader without a confirmed age gets no address', async ({ testApp, boris, anna }) => {
  await withdrawAge(testApp, boris)
  const { dialogId, media_id } = await withPicture(anna, boris)
  const media = picture(await fetchLast(boris, dialogId))
  deepEqual([media!.url, media!.locked, media!.status], [null, true, 'ready'])
  deepEqual(await fetchUrls(boris, media_id), [])
  const hers = picture(await fetchLast(anna, dialogId))!.url!
  equal(await findStatus(testApp, hers.replace(/viewer=[^&]+/, `viewer=${boris.id}`)), 404)
  await boris.post('age/confirm', { confirmed: true, terms: true })
  equal(await findStatus(testApp, picture(await fetchLast(boris, dialogId))!.url), 200)
})

story(
  'the hour of a picture that was read while it was locked begins at the confirmation of the age',
  async ({ testApp, boris, anna }) => {
    await withdrawAge(testApp, boris)
    const { dialogId, message_id } = await withPicture(anna, boris)
    const text = await writeMessage(anna, dialogId, 'look')
    const message_ids = [message_id, text.message_id]
    ok((await boris.act('READ_MESSAGE', { dialogId, message_ids })).vanish_at)
    await testApp.leap('2 h')
    const [left, ...others] = await fetchMessages(boris, dialogId)
    deepEqual([left!.message_id, left!.vanish_at, others], [message_id, undefined, []])
    await boris.post('age/confirm', { confirmed: true, terms: true })
    await anna.heard('messenger_read_message', { message_ids: [message_id] })
    ok((await fetchLast(boris, dialogId)).vanish_at)
    await testApp.leap('59 min')
    equal((await fetchMessages(boris, dialogId)).length, 1)
    await testApp.leap('2 min')
    deepEqual(await fetchMessages(boris, dialogId), [])
  },
)

/** When each message of these disappears, after these events were applied in their order. */
function endsAfter(events: readonly { event: string; payload: unknown }[]): [number, string?][] {
  const ends = new Map<number, string | undefined>()
  for (const { event, payload } of events) {
    if (event !== 'messenger_read_message') continue
    const { message_ids, vanish_at } = payload as Payload<'messenger_read_message'>
    for (const id of message_ids) ends.set(id, vanish_at)
  }
  return [...ends].toSorted(([one], [other]) => one - other)
}

/** The events that came and the changes that are read later say the same as the messages that are fetched. */
async function sayWhatIsStored(testApp: TestApp, users: readonly TestUser[], dialogId: number) {
  await testApp.settle()
  for (const user of users) {
    const messages = await fetchMessages(user, dialogId)
    const stored = messages.map(({ message_id, vanish_at }) => [message_id, vanish_at])
    deepEqual(endsAfter(user.all()), stored, `${user.name}, as it came`)
    const { changes } = await user.act('GET_CHANGES', { since: 0 })
    deepEqual(endsAfter(changes), stored, `${user.name}, read later`)
  }
}

for (const order of ['a picture before a text', 'a text before a picture'] as const)
  story(
    `messages that are read at once disappear at times of their own: ${order}`,
    async ({ testApp, boris, anna }) => {
      await withdrawAge(testApp, boris)
      const dialogId = await dialogBetween(anna, boris)
      const media_id = await upload(anna)
      const send = [
        () => sendPicture(anna, dialogId, media_id),
        () => writeMessage(anna, dialogId, 'look'),
      ]
      if (order === 'a text before a picture') send.reverse()
      const message_ids: number[] = []
      for (const one of send) message_ids.push((await one()).message_id)
      await boris.act('READ_MESSAGE', { dialogId, message_ids })
      const ends = (await fetchMessages(boris, dialogId)).map(
        ({ vanish_at }) => vanish_at !== undefined,
      )
      deepEqual(ends.toSorted(), [false, true])
      await sayWhatIsStored(testApp, [boris, anna], dialogId)
      await testApp.leap('10 min')
      await boris.post('age/confirm', { confirmed: true, terms: true })
      equal(new Set((await fetchMessages(boris, dialogId)).map((one) => one.vanish_at)).size, 2)
      await sayWhatIsStored(testApp, [boris, anna], dialogId)
      await testApp.duet('premium', boris.id, '--days', 1)
      await sayWhatIsStored(testApp, [boris, anna], dialogId)
    },
  )

story(
  'the confirmation of the age begins the hour of the pictures that are ready, not of those that wait for staff',
  async ({ testApp, boris, anna }) => {
    await withdrawAge(testApp, boris)
    const { dialogId, message_id: ready } = await withPicture(anna, boris)
    testApp.vision.nudity = 0.5
    const waiting = await upload(anna, await patternBytes(3))
    const { message_id } = await sendPicture(anna, dialogId, waiting)
    await boris.act('READ_MESSAGE', { dialogId, message_ids: [ready, message_id] })
    await boris.post('age/confirm', { confirmed: true, terms: true })
    const ends = (await fetchMessages(boris, dialogId)).map(
      ({ vanish_at }) => vanish_at !== undefined,
    )
    deepEqual(ends, [true, false])
    await sayWhatIsStored(testApp, [boris, anna], dialogId)
  },
)

story(
  'a picture that was read while it was locked stays when the reader has Premium by then',
  async ({ testApp, boris, anna }) => {
    await withdrawAge(testApp, boris)
    const { dialogId, message_id } = await withPicture(anna, boris)
    await boris.act('READ_MESSAGE', { dialogId, message_ids: [message_id] })
    await testApp.duet('premium', boris.id, '--days', 1)
    await boris.post('age/confirm', { confirmed: true, terms: true })
    await testApp.leap('48 h')
    deepEqual(
      (await fetchMessages(boris, dialogId)).map((one) => one.message_id),
      [message_id],
    )
  },
)

story(
  'a picture that was locked and waited for staff has its hour after both',
  async ({ testApp, boris, anna }) => {
    await withdrawAge(testApp, boris)
    const dialogId = await dialogBetween(anna, boris)
    testApp.vision.nudity = 0.5
    const media_id = await upload(anna, await patternBytes(3))
    const { message_id } = await sendPicture(anna, dialogId, media_id)
    await boris.act('READ_MESSAGE', { dialogId, message_ids: [message_id] })
    await testApp.duet('media', 'approve', media_id)
    await testApp.leap('2 h')
    equal((await fetchLast(boris, dialogId)).vanish_at, undefined)
    await boris.post('age/confirm', { confirmed: true, terms: true })
    ok((await fetchLast(boris, dialogId)).vanish_at)
  },
)

story(
  'an upload is carried by one message of its owner, under one random_id',
  async ({ boris, anna, vera }) => {
    const { dialogId, media_id } = await withPicture(anna, boris)
    const other = await dialogBetween(vera, boris)
    const refused = (user: TestUser, message: object) => refusedFields(user, 'MESSAGE', message)
    const second = await upload(anna)
    const gallery = String((await uploadImage(anna, 'gallery', await pictureBytes())).id)
    for (const [user, message] of [
      [anna, pictureMessage(dialogId, media_id)],
      [vera, pictureMessage(other, media_id)],
      [anna, pictureMessage(dialogId, randomUUID())],
      [anna, pictureMessage(dialogId, await upload(vera))],
      [anna, pictureMessage(dialogId, gallery)],
      [anna, { ...pictureMessage(dialogId, second), media_id: undefined }],
      [anna, { ...pictureMessage(dialogId, second), type: 'text', message: 'Look' }],
    ] as const)
      deepEqual(await refused(user, message), ['media_id'])
    const withText = { ...pictureMessage(dialogId, second), message: 'Look' }
    deepEqual(await refused(anna, withText), ['message'])
    const answers = await together(10, () => sendPicture(anna, dialogId, second, 'same'))
    equal(new Set(answers.map(({ message_id }) => message_id)).size, 1)
    const third = pictureMessage(dialogId, await upload(anna), 'same')
    deepEqual(await refused(anna, third), ['random_id'])
    equal((await fetchMessages(boris, dialogId)).length, 2)
  },
)

story(
  'a guy sends pictures with Premium, at the price of a message, and her picture earns the reward',
  async ({ testApp, boris, anna }) => {
    const { dialogId } = await withPicture(anna, boris)
    await testApp.duet('premium', boris.id, '--days', 30)
    const media_id = await upload(boris)
    const late = await upload(boris)
    await testApp.setting('free_messages_a_day', '0')
    await testApp.duet('grant', boris.id, 1, 'message', '--reason', 'test')
    const sent = await sendPicture(boris, dialogId, media_id)
    equal((await fetchLast(boris, dialogId)).price, 1)
    deepEqual([sent.can_write.allowed, sent.message], [false, ''])
    // The same picture as before, in an upload of its own, is no answer.
    equal((await sendPicture(anna, dialogId, await upload(anna))).reward, undefined)
    equal(
      (await sendPicture(anna, dialogId, await upload(anna, await patternBytes(3)))).reward,
      '25',
    )
    // A refused price leaves the upload as it was.
    await boris.isRefused('no_balance', () => sendPicture(boris, dialogId, late))
    await testApp.duet('grant', boris.id, 1, 'message', '--reason', 'test')
    await sendPicture(boris, dialogId, late)
    await testApp.leap('721 h')
    await boris.isRefused('premium_only', () => upload(boris))
    await boris.isRefused('premium_only', () => sendPicture(boris, dialogId, randomUUID()))
  },
)

story(
  'a picture that waits for staff is seen by its sender only, and then by both',
  async ({ testApp, boris, anna }) => {
    const dialogId = await dialogBetween(anna, boris)
    testApp.vision.nudity = 0.5
    const media_id = await upload(anna, await patternBytes(3))
    const { message_id } = await sendPicture(anna, dialogId, media_id)
    const own = picture(await fetchLast(anna, dialogId))!
    deepEqual([own.status, await findStatus(testApp, own.url)], ['pending', 200])
    const waiting = picture(await fetchLast(boris, dialogId))!
    deepEqual([waiting.status, waiting.url, waiting.locked], ['pending', null, false])
    deepEqual(await fetchUrls(boris, media_id), [])
    // Read before there was anything to see: the hour begins with the picture.
    deepEqual(await boris.act('READ_MESSAGE', { dialogId, message_ids: [message_id] }), {})
    await testApp.leap('5 h')
    await testApp.duet('media', 'approve', media_id)
    for (const user of [anna, boris]) await user.heard('messenger_message', {}, { times: 2 })
    const shown = await fetchLast(boris, dialogId)
    equal(await findStatus(testApp, picture(shown)!.url), 200)
    ok(shown.vanish_at)
    await testApp.leap('59 min')
    equal((await fetchMessages(boris, dialogId)).length, 1)
    await testApp.leap('2 min')
    deepEqual(await fetchMessages(boris, dialogId), [])
  },
)

story(
  'a picture that was read with Premium while it waited for staff stays without Premium',
  async ({ testApp, boris, anna }) => {
    const dialogId = await dialogBetween(anna, boris)
    testApp.vision.nudity = 0.5
    const media_id = await upload(anna, await patternBytes(3))
    const { message_id } = await sendPicture(anna, dialogId, media_id)
    await testApp.duet('premium', boris.id, '--days', 1)
    await boris.act('READ_MESSAGE', { dialogId, message_ids: [message_id] })
    await testApp.leap('48 h')
    await testApp.duet('media', 'approve', media_id)
    equal((await fetchLast(boris, dialogId)).vanish_at, undefined)
    await testApp.leap('2 h')
    equal((await fetchMessages(boris, dialogId)).length, 1)
  },
)

story(
  'pictures of dialogs use the space of their user for a day',
  async ({ testApp, boris, anna }) => {
    await testApp.setting('uploads_max', '3')
    const { dialogId } = await withPicture(anna, boris)
    await sendPicture(anna, dialogId, await upload(anna))
    await anna.isRefused('too_large', () => upload(anna))
    await testApp.leap('25 h')
    await upload(anna)
  },
)

story(
  'a picture that staff remove leaves a note in both views, and no address opens it',
  async ({ testApp, boris, anna }) => {
    const { dialogId, media_id, message_id } = await withPicture(anna, boris)
    const addresses = [
      picture(await fetchLast(anna, dialogId))!.url,
      picture(await fetchLast(boris, dialogId))!.url,
    ]
    await testApp.duet('media', 'reject', media_id, '--reason', 'nudity')
    for (const user of [anna, boris]) {
      const event = await user.heard('messenger_message_removed', {}, { times: 1 })
      deepEqual([event.message_ids, event.reason], [[message_id], 'violation'])
      const message = await fetchLast(user, dialogId)
      deepEqual([message.type, message.removed, picture(message)], ['image', true, undefined])
      const { dialog } = await user.act('GET_DIALOG', { dialogId })
      equal(dialog.last_message!.removed, true)
      deepEqual(await fetchUrls(user, media_id), [])
    }
    for (const address of addresses) equal(await findStatus(testApp, address), 404)
    const again = await upload(anna, await patternBytes(4))
    await testApp.duet('media', 'reject', again, '--reason', 'nudity')
    await anna.isRefused('image_removed', () => sendPicture(anna, dialogId, again))
  },
)

story(
  'a picture that vanished is opened by no address, and its files are deleted',
  async ({ testApp, boris, anna }) => {
    const { dialogId, media_id, message_id } = await withPicture(anna, boris)
    const { vanish_at } = await boris.act('READ_MESSAGE', { dialogId, message_ids: [message_id] })
    ok(vanish_at)
    await testApp.leap('59 min')
    const addresses = [
      picture(await fetchLast(anna, dialogId))!.url,
      picture(await fetchLast(boris, dialogId))!.url,
    ]
    equal(await findStatus(testApp, addresses[1]), 200)
    await testApp.leap('1 min')
    for (const address of addresses) equal(await findStatus(testApp, address), 404)
    for (const user of [anna, boris]) {
      deepEqual(await fetchMessages(user, dialogId), [])
      deepEqual(await fetchUrls(user, media_id), [])
      ok(!JSON.stringify(await user.act('GET_CHANGES', { since: 0 })).includes(media_id))
    }
    await testApp.leap('1 min')
    await testApp.running.outbox.settled()
    equal(await getPicture(testApp, media_id), undefined)
    equal(await testApp.app.storage.get(`media/${media_id}/full.webp`), undefined)
  },
)

story(
  'a picture that vanishes under a hold is kept for staff and shown to no user',
  async ({ testApp, boris, anna }) => {
    const { dialogId, media_id, message_id } = await withPicture(anna, boris)
    await testApp.duet('hold', 'add', boris.id, '--reason', 'case 1')
    await boris.act('READ_MESSAGE', { dialogId, message_ids: [message_id] })
    await testApp.leap('2 h')
    equal((await getPicture(testApp, media_id))?.status, 'removed')
    for (const user of [anna, boris]) deepEqual(await fetchUrls(user, media_id), [])
  },
)

story(
  'retention and the erasure of the sender leave a picture that is evidence of its receiver',
  async ({ testApp, boris, carl, anna }) => {
    const vanished = await withPicture(anna, boris)
    const { hold_id } = await testApp.duet<{ hold_id: number }>(
      ...['hold', 'add', boris.id, '--reason', 'case 1'],
    )
    const { dialogId, message_id } = vanished
    await boris.act('READ_MESSAGE', { dialogId, message_ids: [message_id] })
    await testApp.leap('5000 h')
    await testApp.app.jobs.run('retention')
    const sent = await withPicture(anna, boris)
    const others = await withPicture(anna, carl)
    const his = picture(await fetchLast(boris, dialogId))!.url
    while ((await testApp.app.transact((tx) => testApp.app.eraseUser(tx, anna.id))) === 'more');
    await testApp.running.outbox.settled()
    for (const { media_id } of [vanished, sent]) {
      equal((await getPicture(testApp, media_id))?.status, 'removed')
      ok(await testApp.app.storage.get(`media/${media_id}/full.webp`))
    }
    equal(await findStatus(testApp, his), 404)
    equal(await getPicture(testApp, others.media_id), undefined)
    await testApp.duet('hold', 'remove', hold_id)
    await testApp.leap('5000 h')
    await testApp.app.jobs.run('retention')
    for (const { media_id } of [vanished, sent])
      equal(await getPicture(testApp, media_id), undefined)
  },
)

story(
  'a hold that is placed during the erasure of the sender leaves no picture to be seen',
  async ({ testApp, boris, carl, anna }) => {
    const held = await withPicture(anna, boris)
    const other = await withPicture(anna, carl)
    await testApp.duet('hold', 'add', boris.id, '--reason', 'case 1')
    const client = await testApp.database.pool.connect()
    const waits = async () =>
      (await client.query('select 1 from pg_locks where not granted')).rowCount !== 0
    await client.query('begin')
    await client.query('select from media where id = $1 for update', [held.media_id])
    const erasing = testApp.app.transact((tx) => media.personalData!.erase!(tx, anna.id))
    while (!(await waits())) await new Promise((resolve) => setImmediate(resolve))
    await testApp.duet('hold', 'add', carl.id, '--reason', 'case 2')
    await client.query('commit')
    client.release()
    await erasing
    equal((await getPicture(testApp, held.media_id))?.status, 'removed')
    const left = await getPicture(testApp, other.media_id)
    ok(left === undefined || left.status === 'removed')
  },
)

story('after an erasure no picture of the user is left', async ({ testApp, boris, anna }) => {
  const { dialogId, media_id } = await withPicture(anna, boris)
  await writeMessage(boris, dialogId, 'Beautiful')
  const his = picture((await fetchMessages(boris, dialogId))[0])!.url
  while ((await testApp.app.transact((tx) => testApp.app.eraseUser(tx, anna.id))) === 'more');
  equal(await findStatus(testApp, his), 404)
  ok(!JSON.stringify(await fetchMessages(boris, dialogId)).includes(media_id))
  ok(!JSON.stringify((await boris.act('GET_CHANGES', { since: 0 })).changes).includes(media_id))
})
