import { createHash, randomBytes } from 'node:crypto'
import {
  addPreparedMember,
  prepareMember,
  type PreparedMember,
} from '@duet/server/modules/profile/index.ts'
import { runAsOwner } from '@duet/testkit/database/run-as-owner.ts'
import { socketKey } from '@duet/server/platform/realtime/socket-key.ts'
import type { BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'
import type { BrowserUser } from '@duet/testkit/browser/browser-user.ts'
import { dialogBetween, writeMessage } from '@duet/testkit/messenger.ts'
import type { TestServer } from '@duet/testkit/test-server.ts'
import { TestUser, WireRefused } from '@duet/testkit/test-user.ts'
import { fileForm, pictureBytes } from '@duet/testkit/uploads.ts'

/** A woman with a hostile text in everything that she may write. */
export interface Author {
  readonly user: TestUser
  readonly text: string
  readonly ref_code: string
  readonly dialog_id: number
}

/** The rows take any text: otherwise most would be too long for a name. */
export function withoutLimits({ database }: BrowserTestApp): Promise<unknown> {
  return runAsOwner(
    database,
    'alter table users drop constraint users_nick_check; alter table logins drop constraint logins_device_check',
  )
}

/**
 * One author for each text. Nick, about, title of a photo and a message go through the edge as far as it
 * takes them. Texts that the edge refuses or cleans are written into the rows: a screen must be safe
 * whatever is stored.
 */
export async function addAuthors(
  testApp: BrowserTestApp,
  viewer: BrowserUser,
  texts: readonly string[],
): Promise<Author[]> {
  const server = getServer(testApp)
  const reader = new TestUser(server, viewer.nick)
  reader.user.id = viewer.user_id
  const prepared = await preparedGirl(testApp)
  const authors: Author[] = []
  for (const text of texts) {
    const { id, ref_code, token } = await addPreparedMember(testApp.running.app, {
      ...prepared,
      user: { ...prepared.user, email: `${randomBytes(6).toString('hex')}@journey.example` },
    })
    const user = new TestUser(server, 'an author', token)
    await user.auth()
    await mutualFavourites(testApp, id, viewer.user_id)
    const dialogId = await dialogBetween(user, reader)
    await writes(user, text, dialogId)
    await user.close()
    authors.push({ user, text, ref_code, dialog_id: dialogId })
  }
  return authors
}

async function preparedGirl({ running }: BrowserTestApp): Promise<PreparedMember> {
  return prepareMember(running.app, {
    role: 'girl',
    nick: 'Author',
    email: 'author@journey.example',
    password: 'correct-horse',
    verified: true,
    avatar: 'demo',
  })
}

async function writes(user: TestUser, text: string, dialogId: number): Promise<void> {
  await taken(user.act('UPDATE_PROFILE', { nick: text }))
  await taken(user.act('UPDATE_PROFILE', { about: text }))
  await taken(writeMessage(user, dialogId, text))
  const form = fileForm('media', await pictureBytes(), { title: text }, `${text}.jpg`)
  if (!(await taken(user.post('gallery/media', form))))
    await user.post('gallery/media', fileForm('media', await pictureBytes()))
}

/** Whether the edge took it. Only a refusal is expected. */
async function taken(request: Promise<unknown>): Promise<boolean> {
  try {
    await request
    return true
  } catch (error) {
    if (error instanceof WireRefused && error.refusal !== 'internal') return false
    throw error
  }
}

async function mutualFavourites({ db }: BrowserTestApp, one: number, other: number): Promise<void> {
  const at = Temporal.Now.instant()
  await db
    .insertInto('favourites')
    .values([
      { owner_id: one, user_id: other, at },
      { owner_id: other, user_id: one, at },
    ])
    .execute()
}

/** Writes the texts into the rows as they are, whatever the edge made of them. */
export async function storeUnchanged(
  { db }: BrowserTestApp,
  authors: readonly Author[],
): Promise<void> {
  for (const { user, text, dialog_id } of authors) {
    await db
      .updateTable('users')
      .set({ nick: text, about: text })
      .where('id', '=', user.id)
      .execute()
    await db
      .updateTable('gallery_items')
      .set({ title: text })
      .where('owner_id', '=', user.id)
      .execute()
    await db.updateTable('messages').set({ text }).where('dialog_id', '=', dialog_id).execute()
  }
}

/** Rows about the viewer that others caused: notices, logins of other devices, blocked users. */
export async function storeAround(
  { db }: BrowserTestApp,
  viewer: BrowserUser,
  authors: readonly Author[],
): Promise<void> {
  const at = Temporal.Now.instant()
  for (const { user, text } of authors) {
    await db
      .insertInto('notices')
      .values({ user_id: viewer.user_id, kind: 'kept', about_id: user.id, facts: '{}', at })
      .execute()
    await db
      .insertInto('logins')
      .values({
        user_id: viewer.user_id,
        token_hash: createHash('sha256').update(randomBytes(16)).digest(),
        created_at: at,
        used_at: at,
        device: text,
      })
      .execute()
  }
}

export async function blockAll(
  { db }: BrowserTestApp,
  viewer: BrowserUser,
  authors: readonly Author[],
): Promise<void> {
  const at = Temporal.Now.instant()
  await db
    .insertInto('blocks')
    .values(authors.map(({ user }) => ({ owner_id: viewer.user_id, blocked_id: user.id, at })))
    .execute()
}

/**
 * The own messages of the viewer in a dialog, each with one of the texts. The last message has the
 * remaining texts.
 */
export async function storeOwnMessages(
  { db }: BrowserTestApp,
  viewer: BrowserUser,
  dialogId: number,
  texts: readonly string[],
): Promise<void> {
  const rows = await db
    .selectFrom('messages')
    .select('id')
    .where('dialog_id', '=', dialogId)
    .where('sender_id', '=', viewer.user_id)
    .orderBy('id')
    .execute()
  for (const [index, { id }] of rows.entries()) {
    const isLast = index === rows.length - 1
    const text = isLast ? texts.slice(index).join(' ') : texts[index]!
    await db.updateTable('messages').set({ text }).where('id', '=', id).execute()
  }
}

function getServer(testApp: BrowserTestApp): TestServer {
  const { app, outbox } = testApp.running
  return {
    app,
    origin: testApp.origin,
    socket_key: socketKey(app),
    beyond: [],
    duet: (...line) => testApp.duet(...line.map(String)) as never,
    settle: () => outbox.settled(),
    async untilGone(user_id) {
      while (app.realtime.local.activeConnection(user_id))
        await new Promise((resolve) => setImmediate(resolve))
    },
  }
}
