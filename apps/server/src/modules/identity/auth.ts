import { randomBytes } from 'node:crypto'
import type { Ack, Input } from '@duet/protocol'
import { refuse } from '../../lib/refusal.ts'
import type { App, Call, Guest, Member, Reader, Tx, Viewer } from '../../context.ts'
import { key_bytes } from '../../lib/cipher.ts'
import { takeOrWait } from './pace.ts'
import { lineOf } from './line.ts'
import { verifyPassword } from './passwords.ts'
import { loginByToken, userByEmail, userById, type LoginRow } from './queries.ts'
import { endLogins, nextUserId, openLogin, touchLogin } from './store.ts'
import { guestOf, guestToken, type LoginKey } from './tokens.ts'
import { guestFrom, isGuestRow, memberOf } from './viewer.ts'
import { ownUser } from './views.ts'

interface Identified {
  readonly viewer: Guest | Member
  readonly key: LoginKey
  readonly token: string
}

/** Becomes somebody on this socket. Whatever fails leaves the former identity as it was. */
export async function auth(app: App, former: Viewer, input: Input<'AUTH'>, call: Call): Promise<Ack<'AUTH'>> {
  const line = lineOf(call.connection)
  if (input.ref_code) line.ref_code = input.ref_code
  if (input.signature) line.signature = input.signature
  const checked = input.login === undefined ? undefined : await passed(app, input.login, input.password ?? '', call)
  const guest_id = checked || input.token ? undefined : await nextUserId(app.db)
  const { connection } = call
  const who = await app.transact(async (tx) => {
    const { viewer, key, token } = await identify(tx, input, checked, guest_id)
    if (former.kind === 'member' && former.id !== viewer.id) {
      await endLogins(tx, former.id, { only: former.login_id })
      await tx.fact('logged_out', { user_id: former.id })
    }
    const identity = { user_id: viewer.id, login_id: key.login_id, tab_id: input.tab_id, viewer }
    if (connection) tx.after(() => app.realtime.attach(connection, identity))
    return { viewer, key, token }
  })
  // After attaching: what changes while the state is read is pushed (and held back until auth_success has left).
  const answer = await describe(app, app.db, who, input.locale)
  return input.cipher ? { ...answer, cipher_key: randomBytes(key_bytes).toString('base64') } : answer
}

/** Password before transaction: hashing is slow and must not hold a connection of the database. */
async function passed(app: App, login: string, password: string, call: Call): Promise<number> {
  takeOrWait(app, `login address ${call.address}`, '60/min')
  takeOrWait(app, `login account ${login.toLowerCase()}`, '20/min')
  const row = await userByEmail(app.db, login.trim())
  const right = await verifyPassword(password, row?.password_hash)
  return right && row && !row.erased_at ? row.id : refuse('wrong_login')
}

async function identify(
  tx: Tx,
  input: Input<'AUTH'>,
  checked: number | undefined,
  guest_id: number | undefined,
): Promise<Identified> {
  if (checked !== undefined) {
    const { login, token } = await openLogin(tx, checked)
    return member(tx, login, token)
  }
  if (guest_id !== undefined) return guest(tx, guest_id, input.locale)
  const known = guestOf(tx.app, input.token!)
  if (known !== undefined) return guest(tx, known, input.locale)
  const login = await loginByToken(tx, input.token!)
  return login ? member(tx, login, input.token!) : refuse('session_invalid')
}

async function guest(tx: Tx, id: number, locale?: string): Promise<Identified> {
  const row = await userById(tx, id)
  // A tombstone: the id is a member's now, or was erased or cleaned.
  if (row && !isGuestRow(row)) refuse('session_invalid')
  return {
    viewer: guestFrom(id, row, locale),
    key: { user_id: id, login_id: null, generation: 1 },
    token: guestToken(tx.app, id),
  }
}

async function member(tx: Tx, login: LoginRow, token: string): Promise<Identified> {
  const row = await userById(tx, login.user_id)
  if (!row?.role || row.erased_at) refuse('session_invalid')
  await touchLogin(tx, login)
  return {
    viewer: memberOf(row, login.id, tx.now),
    key: { user_id: row.id, login_id: login.id, generation: login.generation },
    token,
  }
}

/** auth_success: this module's fields and what the others add. The change log's head is read first, so nothing falls between. */
async function describe(app: App, reader: Reader, who: Identified, locale?: string): Promise<Ack<'AUTH'>> {
  const added: Record<string, unknown>[] = []
  for (const part of app.modules) if (part.auth) added.push(await part.auth(reader, who.viewer, app))
  return {
    token: who.token,
    free_quota: 0,
    free_quota_messages: 0,
    change_id: 0,
    count_new_messages: 0,
    ...Object.assign({}, ...added),
    user: await ownUser(app, reader, who.key, locale ?? who.viewer.locale),
  }
}
