import { randomBytes } from 'node:crypto'
import type { App } from '@duet/server/core/app.ts'
import { evidenceFiles } from '@duet/server/modules/moderation/complaints/evidence-store.ts'
import { solvedCaptcha } from '@duet/testkit/stand-ins/captcha-solver.ts'
import { openStaff } from '@duet/testkit/test-staff.ts'
import type { TestApp } from '@duet/testkit/test-app.ts'
import { type TestUser, WireRefused } from '@duet/testkit/test-user.ts'
import { fileForm, pictureBytes, sendDocuments } from '@duet/testkit/uploads.ts'
import type { ProvenCase } from './sealed-case.ts'

export interface Actors {
  readonly testApp: TestApp
  readonly manager: TestUser
  readonly owner: TestUser
  readonly visitor: TestUser
}

export async function openActors(testApp: TestApp): Promise<Actors> {
  const [manager, owner] = [await openStaff(testApp, 'manager'), await openStaff(testApp, 'owner')]
  return { testApp, manager, owner, visitor: await testApp.guest() }
}

/** One way to delete, overwrite or release something of a case. It may be refused. */
type Act = (actors: Actors, sealedCase: ProvenCase) => Promise<unknown>

const WHY = ['--comment', 'x', '--as', 'olga'] as const
const REASON = ['--reason', 'x', '--as', 'olga'] as const
const BROKEN = { reason: 'contacts', comment: 'x' }

async function takeBack({ manager }: Actors, user: TestUser, kind: string): Promise<void> {
  const { items } = await user.get('statements')
  for (const one of items.filter((statement) => statement.kind === kind))
    await manager.post(`v2/manager/statements/${one.id}/undo`, { reason: 'a mistake' })
}

async function reportPicture(page: TestUser, bytes: Buffer): Promise<void> {
  const secret = randomBytes(32).toString('base64url')
  const said = { secret, contact: 'vera@elsewhere.example', where: 'here', signature: 'Vera Novak' }
  const path = 'reports/intimate-image'
  const send = (headers?: Record<string, string>) =>
    page.post(path, fileForm('image', bytes, said), headers)
  const refused = await send().catch((error: unknown) => error)
  if (!(refused instanceof WireRefused) || refused.refusal !== 'captcha_required') throw refused
  await send({ captcha: await solvedCaptcha(refused.additional) })
}

async function decideReports({ testApp }: Actors): Promise<void> {
  for (const { id } of await testApp.duet<{ id: number }[]>('report', 'list'))
    await testApp.duet(
      ...([
        'report',
        'decide',
        id,
        '--decision',
        'upheld',
        '--answer',
        'x',
        '--as',
        'olga',
      ] as const),
    )
}

/** Orders work of the outbox that names the evidence of a case, or what it was copied from. */
async function order(app: App, kind: string, payloads: readonly object[]): Promise<void> {
  await app.transact(async (tx) => {
    for (const payload of payloads) await tx.enqueue(kind, payload)
  })
}

async function sources(app: App, { complaint_id }: ProvenCase, kind: string): Promise<string[]> {
  const files = await evidenceFiles(app.db, complaint_id)
  return files.filter((file) => file.kind === kind).map(({ source }) => source)
}

async function fileIds(app: App, { complaint_id }: ProvenCase) {
  return (await evidenceFiles(app.db, complaint_id)).map(({ file_id }) => ({ file_id }))
}

/** Acts of the users. */
const USER_ACTS = {
  'the guy lets her messages expire': (_, { guy, dialogId, expiringMessage }) =>
    guy.act('READ_MESSAGE', { dialogId, message_ids: [expiringMessage] }),
  'CLEAN_DIALOG of the guy': (_, { guy, dialogId }) => guy.act('CLEAN_DIALOG', { dialogId }),
  'CLEAN_DIALOG of the girl': (_, { girl, dialogId }) => girl.act('CLEAN_DIALOG', { dialogId }),
  'DELETE_DIALOG of the guy': (_, { guy, dialogId }) => guy.act('DELETE_DIALOG', { dialogId }),
  'DELETE_DIALOG of the girl': (_, { girl, dialogId }) => girl.act('DELETE_DIALOG', { dialogId }),
  'history_chats/clear of the guy': (_, { guy }) => guy.post('history_chats/clear'),
  'history_chats/clear of the girl': (_, { girl }) => girl.post('history_chats/clear'),
  'the complaint once more': (_, { guy, girl, session_id, photoId: media_id }) =>
    guy.act('TO_COMPLAIN', {
      reason: 'child',
      user_id: girl.id,
      comment: '',
      session_id,
      media_id,
    }),
  'another avatar': async (_, { girl }) =>
    girl.post('avatar', fileForm('img', await pictureBytes(300, 300))),
  'the photo as avatar': (_, { girl, photoId }) => girl.post('avatar/set', { id: photoId }),
  'avatar/delete': (_, { girl }) => girl.post('avatar/delete'),
} as const satisfies Record<string, Act>

/** Acts of staff and operators, in an order in which each can have an effect. */
const STAFF_ACTS = {
  'a text is removed by staff': ({ manager }, { textMessage }) =>
    manager.post(`v2/manager/messages/${textMessage}/remove`, BROKEN),
  'a picture of the dialog is removed by staff': ({ manager }, { pictureMessage }) =>
    manager.post(`v2/manager/messages/${pictureMessage}/remove`, BROKEN),
  'removed messages are restored': (actors, { girl }) => takeBack(actors, girl, 'message'),
  'a photo is removed by staff': ({ manager }, { girl, photoId }) =>
    manager.post(`v2/manager/users/${girl.id}/pictures/${photoId}/remove`, {
      verdict: 'personal_data',
    }),
  'a removed photo is restored': (actors, { girl }) => takeBack(actors, girl, 'photo'),
  'a photo is rejected': ({ testApp }, { photoId }) => testApp.duet('media', 'reject', photoId),
  'a photo is approved': ({ testApp }, { photoId }) => testApp.duet('media', 'approve', photoId),
  'the complaint is raised': ({ testApp }, { complaint_id }) =>
    testApp.duet('complaints', 'raise', complaint_id, '--comment', 'seen', '--as', 'olga'),
  'the complaint is decided: no_violation': ({ testApp }, { complaint_id }) =>
    testApp.duet('complaints', 'decide', complaint_id, '--decision', 'no_violation', ...WHY),
  'a hold of the operator begins and ends': async ({ testApp }, { girl }) => {
    const line = ['hold', 'add', girl.id, ...REASON] as const
    const { hold_id } = await testApp.duet<{ hold_id: number }>(...line)
    await testApp.duet('hold', 'remove', hold_id)
  },
  'the case is held again': ({ testApp }, { complaint_id }) =>
    testApp.duet('seal', 'hold', complaint_id, ...REASON),
  'the hold of the case ends': ({ testApp }, { complaint_id }) =>
    testApp.duet('seal', 'release', complaint_id, ...REASON),
  'a ban, and its appeal that is upheld': async ({ testApp, owner }, { girl }) => {
    await testApp.duet('ban', girl.id, '--reason', 'other', ...WHY)
    const { items } = await girl.get('statements')
    const statement_id = items.find(({ kind }) => kind === 'ban')!.id
    const { id } = await girl.post('appeals', { statement_id, text: 'no' })
    await owner.post(`v2/manager/appeals/${id}/decide`, { upheld: true, answer: 'x' })
  },
  'a ban that is lifted': async ({ testApp }, { girl }) => {
    await testApp.duet('ban', girl.id, '--reason', 'nudity', ...WHY)
    await testApp.duet('unban', girl.id, ...WHY)
  },
  'the documents of the girl are declined': async ({ testApp }, { girl }) => {
    await testApp.duet('verify', girl.id, '--decline', 'x')
    await sendDocuments(girl)
    const waiting = await testApp.duet<{ check_id: number; user_id: number }[]>(
      'verification',
      'list',
    )
    const { check_id } = waiting.find(({ user_id }) => user_id === girl.id)!
    await testApp.duet('verification', 'decline', check_id, '--reason', 'other')
  },
} as const satisfies Record<string, Act>

/** Acts that end the photo, and then suspend the girl. */
const LATE_ACTS = {
  'a copy of the photo is reported as intimate, and removed': async (actors, { photo }) => {
    await reportPicture(actors.visitor, photo)
    await decideReports(actors)
  },
  'the picture is banned': ({ testApp }, { photoId }) =>
    testApp.duet('pictures', 'ban', photoId, '--as', 'olga'),
  'gallery/media/delete': (_, { girl, photoId }) =>
    girl.post('gallery/media/delete', { id: photoId }),
  'the verdict minor': ({ testApp }, { sentId }) =>
    testApp.duet('media', 'reject', sentId, '--reason', 'minor', '--as', 'olga'),
} as const satisfies Record<string, Act>

/** Deliveries that name the evidence itself, as a fault or a repeat of the server would. */
const DELIVERIES = {
  'outbox evidence_files': async ({ testApp: { app } }, sealedCase) =>
    order(app, 'evidence_files', await fileIds(app, sealedCase)),
  'outbox evidence_move': async ({ testApp: { app } }, sealedCase) =>
    order(app, 'evidence_move', await fileIds(app, sealedCase)),
  'outbox complaint_record': ({ testApp: { app } }, { complaint_id }) =>
    order(app, 'complaint_record', [{ complaint_id }]),
  'outbox delete_media_files': async ({ testApp: { app } }, sealedCase) =>
    order(app, 'delete_media_files', [{ ids: await sources(app, sealedCase, 'picture') }]),
  'outbox call_frames': async ({ testApp: { app } }, sealedCase) =>
    order(app, 'call_frames', [{ ids: await sources(app, sealedCase, 'frame') }]),
} as const satisfies Record<string, Act>

const leave = (user: TestUser, password: string) =>
  user.post('delete_account', { password, confirm: true })

/** The end of the accounts, after which their users do nothing more. */
const LAST_ACTS = {
  'delete_account of the guy': (_, { guy }) => leave(guy, 'boris-secret-1'),
  'delete_account of the girl': (_, { girl }) => leave(girl, 'anna-secret-1'),
} as const satisfies Record<string, Act>

export const EARLY_ACTS: Readonly<Record<string, Act>> = {
  ...STAFF_ACTS,
  ...USER_ACTS,
  ...DELIVERIES,
  ...LATE_ACTS,
}
export const FINAL_ACTS: Readonly<Record<string, Act>> = LAST_ACTS
export type ActName =
  | keyof typeof STAFF_ACTS
  | keyof typeof USER_ACTS
  | keyof typeof DELIVERIES
  | keyof typeof LATE_ACTS
  | keyof typeof LAST_ACTS
