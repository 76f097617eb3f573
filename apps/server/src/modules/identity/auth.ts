import { randomBytes } from 'node:crypto'
import type { Ack, Input } from '@duet/protocol'
import { refuse } from '../../lib/refusal.ts'
import type { App, Call, Guest, Member, Tx, UserId, Viewer } from '../../context.ts'
import { key_bytes } from '../../lib/cipher.ts'
import { lineOf } from './line.ts'
import { rememberLogin, takeLogin, takeNewGuest } from './pace.ts'
import { verifyPassword } from './passwords.ts'
import { loginByToken, userByEmail, userById, type LoginRow } from './queries.ts'
import { endGuest, endLogins, nextUserId, openLogin, touchGuest, touchLogin } from './store.ts'
import { guestKey, guestOf, guestToken, type LoginKey } from './tokens.ts'
import { guestFrom, isGuestRow, memberOf } from './viewer.ts'
import { ownUser } from './views.ts'

interface Identified {
  readonly viewer: Guest | Member
  readonly key: LoginKey
  readonly token: string
}

/** By whom AUTH says one is: a password that was right, a token, or nobody yet. */
type Claim = { readonly user_id: UserId } | { readonly token: string } | { readonly guest_id: UserId }

const client_major = 2

/** Becomes somebody on this socket. Whatever fails leaves the former identity as it was. */
export async function auth(app: App, former: Viewer, input: Input<'AUTH'>, call: Call): Promise<Ack<'AUTH'>> {
  if (Number.parseInt(input.version, 10) !== client_major) refuse('client_old')
  const claim = await claimOf(app, input, call)
  const { connection } = call
  const line = lineOf(connection)
  if (input.ref_code) line.ref_code = input.ref_code
  if (input.signature) line.signature = input.signature
  return app.transact(async (tx) => {
    const who = await identify(tx, claim, input.locale)
    await endFormer(tx, former, who)
    const answer = await describe(app, tx, who, input.locale)
    if (!connection) return answer
    const { viewer, key } = who
    tx.after(() =>
      app.realtime.attach(connection, { user_id: viewer.id, login_id: key.login_id, tab_id: input.tab_id, viewer }),
    )
    return input.cipher ? { ...answer, cipher_key: randomBytes(key_bytes).toString('base64') } : answer
  })
}

/** Before the transaction: hashing is slow and must not hold a connection of the database. */
async function claimOf(app: App, { login, password, token }: Input<'AUTH'>, call: Call): Promise<Claim> {
  if (login !== undefined) return { user_id: await passed(app, login.trim(), password ?? '', call.address) }
  if (token !== undefined) return { token }
  takeNewGuest(app, call.address)
  return { guest_id: await nextUserId(app.db) }
}

async function passed(app: App, login: string, password: string, address: string): Promise<UserId> {
  const row = await userByEmail(app.db, login)
  takeLogin(app, { login, user_id: row?.id, address })
  const right = await verifyPassword(password, row?.password_hash)
  if (!right || !row || row.erased_at) refuse('wrong_login')
  rememberLogin(app, row.id, address)
  return row.id
}

async function identify(tx: Tx, claim: Claim, locale?: string): Promise<Identified> {
  if ('user_id' in claim) {
    const { login, token } = await openLogin(tx, claim.user_id)
    return member(tx, login, token)
  }
  if ('guest_id' in claim) return guest(tx, claim.guest_id, locale)
  const { token } = claim
  const guest_id = guestOf(tx.app, token)
  if (guest_id !== undefined) return guest(tx, guest_id, locale)
  const login = await loginByToken(tx, token)
  return login ? member(tx, login, token) : refuse('session_invalid')
}

async function guest(tx: Tx, id: UserId, locale?: string): Promise<Identified> {
  const row = await userById(tx, id)
  // A tombstone: the id is a member's now, or was erased or cleaned.
  if (row && !isGuestRow(row)) refuse('session_invalid')
  if (row) await touchGuest(tx, id)
  return { viewer: guestFrom(id, row, locale), key: guestKey(tx.app, id), token: guestToken(tx.app, id) }
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

/**
 * Whoever held this socket holds nothing any more: a login that is left is logged out, and the token of a guest who logs
 * in is dead, as whoever planted it might still have it. A guest who becomes another guest leaves nothing to end.
 */
async function endFormer(tx: Tx, former: Viewer, { viewer, key }: Identified): Promise<void> {
  if (former.kind === 'guest' && viewer.kind === 'member') return endGuest(tx, former.id)
  if (former.kind !== 'member' || former.login_id === key.login_id) return
  await endLogins(tx, former.id, { only: former.login_id })
  if (former.id !== viewer.id) await tx.fact('logged_out', { user_id: former.id })
}

/** auth_success: this module's fields and what the others add. The change log's head is read first, so nothing falls between. */
async function describe(app: App, tx: Tx, who: Identified, locale?: string): Promise<Ack<'AUTH'>> {
  const added: Record<string, unknown>[] = []
  for (const part of app.modules) if (part.auth) added.push(await part.auth(tx, who.viewer, app))
  return {
    token: who.token,
    free_quota: 0,
    free_quota_messages: 0,
    change_id: 0,
    count_new_messages: 0,
    ...Object.assign({}, ...added),
    user: await ownUser(app, tx, who.key, locale ?? who.viewer.locale),
  }
}
