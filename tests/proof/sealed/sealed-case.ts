import { deepEqual, equal } from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { readEvidence } from '@duet/server/modules/moderation/complaints/evidence.ts'
import { evidenceFiles } from '@duet/server/modules/moderation/complaints/evidence-store.ts'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { dialogBetween, writeMessage } from '@duet/testkit/messenger.ts'
import { addPerson } from '@duet/testkit/people.ts'
import type { TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { fileForm, patternBytes, pictureBytes, uploadImage } from '@duet/testkit/uploads.ts'

/** How a case becomes a sealed one, and where it stands when the deletions begin. */
export const SHAPES = ['unfounded', 'waiting', 'opened', 'banned', 'panic', 'raised'] as const
export type Shape = (typeof SHAPES)[number]

export interface ProvenCase {
  readonly shape: Shape
  readonly complaint_id: number
  readonly session_id: number
  readonly guy: TestUser
  readonly girl: TestUser
  readonly dialogId: number
  /** Her photo of the gallery, and its bytes. */
  readonly photoId: string
  readonly photo: Buffer
  /** Her picture in the dialog, and its message. */
  readonly sentId: string
  readonly pictureMessage: number
  /** Her texts: staff remove one, and the other expires. */
  readonly textMessage: number
  readonly expiringMessage: number
  /** The kinds of the files that must be sealed, in order. */
  readonly kinds: readonly string[]
}

const FRAMES = ['accused', 'complainer', 'frame']
const NAMED = [...FRAMES, 'picture', 'picture', 'record']
/** No complaint names the photo after the panic key; of a case that staff opened all pictures are copied, and no page is asked. */
const KINDS: Readonly<Record<Shape, readonly string[]>> = {
  unfounded: NAMED,
  waiting: NAMED,
  banned: NAMED,
  raised: NAMED,
  panic: [...FRAMES, 'picture', 'record'],
  opened: ['frame', 'picture', 'picture', 'picture', 'record'],
}

async function sendFrame(user: TestUser, product: string): Promise<void> {
  const { session_id, nonce } = await user.heard('frame_request')
  const fields = { session_id: String(session_id), nonce }
  const form = fileForm('image', await pictureBytes(320, 240), fields)
  const token = { 'user-access-token': String(user.user['fs_token']) }
  await user.post(`/upload/image/${product}`, form, token)
  user.forget()
}

async function sendPicture(girl: TestUser, dialogId: number) {
  const form = fileForm('media', await pictureBytes())
  const media_id = (await girl.post('v2/gallery/media/messenger', form)).media.id
  const message = {
    dialogId,
    message: '',
    random_id: randomUUID(),
    type: 'image',
    media_id,
  } as const
  return { sentId: media_id, pictureMessage: (await girl.act('MESSAGE', message)).message_id }
}

/** Two new users, their dialog and call, a plain complaint or a grave one, and what the pages send. */
export async function openCase(
  testApp: TestApp,
  { shape, number }: { readonly shape: Shape | 'plain'; readonly number: number },
): Promise<ProvenCase> {
  const guy = await addPerson(testApp, 'boris', `guy-${number}@duet.example`)
  const girl = await addPerson(testApp, 'anna', `girl-${number}@duet.example`)
  const dialogId = await dialogBetween(girl, guy)
  const { message_id: textMessage } = await writeMessage(girl, dialogId, 'I am 15')
  const { message_id: expiringMessage } = await writeMessage(girl, dialogId, 'do not say it')
  const sent = await sendPicture(girl, dialogId)
  const photo = await patternBytes(number)
  const photoId = String((await uploadImage(girl, 'gallery', photo)).id)
  const { session_id, connect, talk } = await inCall(testApp, { guy, girl })
  await connect()
  await talk(4)
  await sendFrame(girl, 'frame')
  const subject = { girl, guy, session_id, photoId }
  const complaint_id = await complain(testApp, subject, shape)
  if (shape !== 'opened') {
    await sendFrame(guy, 'complaint')
    await sendFrame(girl, 'frame')
  }
  await standAs(testApp, complaint_id, shape)
  return {
    ...sent,
    shape: shape === 'plain' ? 'unfounded' : shape,
    complaint_id,
    session_id,
    guy,
    girl,
    dialogId,
    photoId,
    photo,
    textMessage,
    expiringMessage,
    kinds: shape === 'plain' ? [] : KINDS[shape],
  }
}

async function complain(
  testApp: TestApp,
  subject: Pick<ProvenCase, 'girl' | 'guy' | 'session_id' | 'photoId'>,
  shape: Shape | 'plain',
): Promise<number> {
  const { girl, guy, session_id, photoId: media_id } = subject
  if (shape === 'panic') return (await guy.act('PANIC', { session_id })).complaint_id
  if (shape === 'opened') {
    await testApp.duet('media', 'reject', media_id, '--reason', 'minor', '--as', 'olga')
    const listed = await testApp.duet<{ complaint_id: number }[]>('seal', 'list')
    return listed[0]!.complaint_id
  }
  const reason = shape === 'plain' || shape === 'raised' ? 'spam' : 'child'
  const said = { reason, user_id: girl.id, comment: '', session_id, media_id } as const
  return (await guy.act('TO_COMPLAIN', said)).complaint_id
}

async function standAs(
  testApp: TestApp,
  complaint_id: number,
  shape: Shape | 'plain',
): Promise<void> {
  if (shape === 'raised')
    await testApp.duet('complaints', 'raise', complaint_id, '--comment', 'seen', '--as', 'olga')
  const decide = (...decision: string[]) =>
    testApp.duet('complaints', 'decide', complaint_id, ...decision, '--comment', 'x')
  if (shape === 'unfounded' || shape === 'plain') await decide('--decision', 'no_violation')
  if (shape === 'banned') await decide('--decision', 'ban', '--reason', 'other')
}

/** The evidence of a case as it was captured: every field of every file, the hash of its stored bytes, and the seal. */
async function capture({ app }: TestApp, { complaint_id }: ProvenCase) {
  const files = []
  for (const file of await evidenceFiles(app.db, complaint_id)) {
    const plain = await readEvidence(app, file)
    const stored = plain && createHash('sha256').update(plain).digest('hex')
    files.push({ ...file, at: file.at.toString(), stored, length: plain?.length })
  }
  return files
}

type Captured = Awaited<ReturnType<typeof capture>>

/** The files of each case. */
export function captureAll(testApp: TestApp, cases: readonly ProvenCase[]): Promise<Captured[]> {
  return Promise.all(cases.map((one) => capture(testApp, one)))
}

/** All that had to be captured is there, sealed and whole, and what was captured early is the same. A later sign adds pictures. */
export function assertComplete(
  { shape, kinds }: ProvenCase,
  { files, early }: { readonly files: Captured; readonly early: Captured },
): void {
  const ids = new Set(early.map(({ file_id }) => file_id))
  deepEqual(
    files.filter(({ file_id }) => ids.has(file_id)),
    early,
    shape,
  )
  const missing = [...kinds]
  for (const { kind } of files) {
    const place = missing.indexOf(kind)
    if (place >= 0) missing.splice(place, 1)
    else equal(kind, 'picture', shape)
  }
  deepEqual(missing, [], shape)
  for (const { kind, is_sealed, sha256, stored, bytes, length } of files)
    deepEqual([is_sealed, stored, length], [true, sha256, bytes], `${shape} ${kind}`)
}

/** The seals of all cases. */
export async function seals(testApp: TestApp): Promise<ReadonlyMap<number, string>> {
  const listed = await testApp.duet<{ complaint_id: number; seal: string }[]>('seal', 'list')
  equal(new Set(listed.map(({ complaint_id }) => complaint_id)).size, listed.length)
  return new Map(listed.map(({ complaint_id, seal }) => [complaint_id, seal]))
}
